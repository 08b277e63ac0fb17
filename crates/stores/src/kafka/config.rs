//! Settings of the producer, and how they become those of librdkafka.

use std::collections::BTreeMap;
use std::time::Duration;

use rdkafka::ClientConfig;

use super::refusals;

/// Settings of a [`super::KafkaSink`].
#[derive(Clone)]
pub struct KafkaConfig {
    /// `host:port` of one or more brokers, separated by commas.
    pub brokers: String,
    /// `kafka.topics.msg`.
    pub topic_msg: String,
    /// `kafka.topics.schd`; compacted.
    pub topic_schd: String,
    /// `kafka.producers.default.acks`: only `all` (or `-1`) passes the self-check.
    pub acks: String,
    /// `kafka.producers.default.enable-idempotence`: only `true` passes.
    pub enable_idempotence: bool,
    /// `kafka.producers.default.max-in-flight-requests-per-connection`: only 1 passes.
    pub max_in_flight: u32,
    /// Longest time until a record is acknowledged or given back; at most the lease's TTL.
    pub message_timeout: Duration,
    /// How long the producer waits for more records to fill a batch. 0: a whole batch is handed
    /// over at once, what arrives while a request is under way fills the next one, and waiting
    /// would only delay every event of a flight behind the one before it.
    pub linger: Duration,
    /// Further librdkafka properties by their own names. They win over the above, and are
    /// checked with it.
    pub extra: BTreeMap<String, String>,
}

/// Without the values of `extra`, among which are passwords.
impl std::fmt::Debug for KafkaConfig {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("KafkaConfig")
            .field("brokers", &self.brokers)
            .field("topic_msg", &self.topic_msg)
            .field("topic_schd", &self.topic_schd)
            .field("extra", &self.extra.keys())
            .finish_non_exhaustive()
    }
}

/// Other names of properties that are set here or checked.
pub(super) const ALIASES: [(&str, &str); 7] = [
    ("request.required.acks", "acks"),
    ("max.in.flight", "max.in.flight.requests.per.connection"),
    ("delivery.timeout.ms", "message.timeout.ms"),
    ("queue.buffering.max.ms", "linger.ms"),
    ("compression.codec", "compression.type"),
    ("metadata.broker.list", "bootstrap.servers"),
    ("message.send.max.retries", "retries"),
];

impl KafkaConfig {
    /// Brokers, the default topics and the settings that pass the self-check.
    pub fn new(brokers: impl Into<String>) -> Self {
        Self {
            brokers: brokers.into(),
            topic_msg: "msgx.msg".to_owned(),
            topic_schd: "msgx.schd".to_owned(),
            acks: "all".to_owned(),
            enable_idempotence: true,
            max_in_flight: 1,
            message_timeout: Duration::from_secs(10),
            linger: Duration::ZERO,
            extra: BTreeMap::new(),
        }
    }

    /// D3: refuses a producer that could lose, repeat or reorder what it was given, and one
    /// whose records may still be under way when the lease is another's.
    ///
    /// # Errors
    /// One line per setting, with the key to change.
    pub fn self_check(&self, lease_ttl: Duration) -> Result<(), Vec<String>> {
        let lines = refusals::of(self, lease_ttl);
        if lines.is_empty() { Ok(()) } else { Err(lines) }
    }

    /// The client configuration.
    pub(super) fn client(&self) -> ClientConfig {
        let mut client = ClientConfig::new();
        for (name, value) in self.properties() {
            client.set(name, value);
        }
        client
    }

    /// All properties, each under one name: librdkafka would otherwise take the last of two
    /// names for the same thing, in no certain order.
    fn properties(&self) -> BTreeMap<String, String> {
        let defaults = [
            ("bootstrap.servers", self.brokers.clone()),
            ("acks", self.acks.clone()),
            ("enable.idempotence", self.enable_idempotence.to_string()),
            ("max.in.flight.requests.per.connection", self.max_in_flight.to_string()),
            ("message.timeout.ms", self.message_timeout.as_millis().to_string()),
            ("linger.ms", self.linger.as_millis().to_string()),
            ("compression.type", "lz4".to_owned()),
            // Java's default: consumers in any language find a key's partition.
            ("partitioner", "murmur2_random".to_owned()),
            // A broker that comes back is found within seconds.
            ("reconnect.backoff.max.ms", "2000".to_owned()),
            ("socket.keepalive.enable", "true".to_owned()),
            ("client.id", "msgx".to_owned()),
        ];
        let defaults = defaults.map(|(name, value)| (name.to_owned(), value));
        let extra = self.extra.iter().map(|(name, value)| (canonical(name).to_owned(), value.clone()));
        defaults.into_iter().chain(extra).collect()
    }
}

/// The one name of a property.
pub(super) fn canonical(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name)
}

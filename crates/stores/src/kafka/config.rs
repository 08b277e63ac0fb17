//! Settings of the producer, and the check that they keep D3. What is checked is what
//! librdkafka has understood, under whatever name it was told.

use std::collections::BTreeMap;
use std::time::Duration;

use rdkafka::ClientConfig;
use rdkafka::config::NativeClientConfig;
use rdkafka::error::KafkaError;

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
const ALIASES: [(&str, &str); 7] = [
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
        let mut lines = self.said_twice();
        match self.client().create_native_config() {
            Ok(native) => {
                lines.extend(REQUIRED.iter().filter_map(|required| required.violated(&native)));
                lines.extend(outlives(&native, lease_ttl));
            }
            Err(error) => lines.push(self.unusable(&error)),
        }
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

    /// Properties given under two names with two values.
    fn said_twice(&self) -> Vec<String> {
        ALIASES
            .iter()
            .filter(|(alias, name)| {
                let (alias, name) = (self.extra.get(*alias), self.extra.get(*name));
                alias.is_some() && name.is_some() && alias != name
            })
            .map(|(alias, name)| {
                format!("{alias} and {name} are one property, given with two values: keep one")
            })
            .collect()
    }

    fn unusable(&self, error: &KafkaError) -> String {
        let secure = |value: &&String| {
            let value = value.to_ascii_lowercase();
            value.contains("ssl") || value.contains("scram")
        };
        let secured = ["security.protocol", "sasl.mechanism", "sasl.mechanisms"];
        match secured.iter().find(|name| self.extra.get(**name).as_ref().is_some_and(secure)) {
            Some(name) => {
                format!("{name}: TLS and SCRAM need a build with the cargo feature kafka-tls ({error})")
            }
            None => format!("librdkafka refuses the settings: {error}"),
        }
    }
}

fn canonical(name: &str) -> &str {
    ALIASES.iter().find(|(alias, _)| *alias == name).map_or(name, |(_, name)| name)
}

/// A property that must have a value.
struct Required {
    property: &'static str,
    accepted: &'static [&'static str],
    key: &'static str,
    why: &'static str,
}

const REQUIRED: [Required; 5] = [
    Required {
        property: "acks",
        accepted: &["-1", "all"],
        key: "kafka.producers.default.acks",
        why: "an acknowledged event must survive the loss of a broker",
    },
    Required {
        property: "enable.idempotence",
        accepted: &["true"],
        key: "kafka.producers.default.enable-idempotence",
        why: "the producer's own repetitions must not double or reorder events",
    },
    Required {
        property: "max.in.flight.requests.per.connection",
        accepted: &["1"],
        key: "kafka.producers.default.max-in-flight-requests-per-connection",
        why: "a failed batch must not be overtaken by the next",
    },
    Required {
        property: "partitioner",
        accepted: &["murmur2_random", "murmur2"],
        key: "partitioner",
        why: "consumers rely on the partition of a key",
    },
    Required {
        property: "delivery.report.only.error",
        accepted: &["false"],
        key: "delivery.report.only.error",
        why: "an event is delivered when the broker says so, not when it is silent",
    },
];

impl Required {
    fn violated(&self, native: &NativeClientConfig) -> Option<String> {
        let Self { property, accepted, key, why } = self;
        match native.get(property) {
            Ok(value) if accepted.contains(&value.as_str()) => None,
            Ok(value) => {
                let accepted = accepted.join(" or ");
                Some(format!("{key} must be {accepted}, not {value} (D3): {why} ({property})"))
            }
            Err(error) => Some(format!("{key} can't be read back (D3): {error}")),
        }
    }
}

/// A record that may still be sent when the lease has passed to another.
fn outlives(native: &NativeClientConfig, lease_ttl: Duration) -> Option<String> {
    let value = native.get("message.timeout.ms").unwrap_or_default();
    // 0 is librdkafka's word for "for ever".
    let timeout = value.parse().ok().filter(|timeout| *timeout > 0).map(Duration::from_millis);
    if timeout.is_some_and(|timeout| timeout <= lease_ttl) {
        return None;
    }
    let most = lease_ttl.as_millis();
    Some(format!(
        "message.timeout.ms must be 1 to {most} (msgx.lease-ttl), not {value} (D3): no record may be under way when the lease is another's"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TTL: Duration = Duration::from_secs(10);

    fn with(extra: &[(&str, &str)]) -> KafkaConfig {
        let extra = extra.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        KafkaConfig { extra: extra.collect(), ..KafkaConfig::new("127.0.0.1:9092") }
    }

    #[test]
    fn d3_the_defaults_and_their_synonyms_pass() {
        assert_eq!(with(&[]).self_check(TTL), Ok(()));
        let minus_one = KafkaConfig { acks: "-1".to_owned(), ..with(&[]) };
        assert_eq!(minus_one.self_check(TTL), Ok(()));
        assert_eq!(with(&[("request.required.acks", "all"), ("max.in.flight", "1")]).self_check(TTL), Ok(()));
    }

    #[test]
    fn d3_a_weaker_producer_is_refused_under_every_name() {
        for (extra, key) in [
            (("acks", "1"), "kafka.producers.default.acks"),
            (("acks", "0"), "kafka.producers.default.acks"),
            (("request.required.acks", "1"), "kafka.producers.default.acks"),
            (("enable.idempotence", "false"), "kafka.producers.default.enable-idempotence"),
            (("max.in.flight", "5"), "kafka.producers.default.max-in-flight-requests-per-connection"),
            (
                ("max.in.flight.requests.per.connection", "2"),
                "kafka.producers.default.max-in-flight-requests-per-connection",
            ),
            (("delivery.timeout.ms", "10001"), "message.timeout.ms"),
            (("message.timeout.ms", "0"), "message.timeout.ms"),
            (("partitioner", "random"), "partitioner"),
            (("delivery.report.only.error", "true"), "delivery.report.only.error"),
        ] {
            let lines = with(&[extra]).self_check(TTL).expect_err("must be refused");
            assert_eq!(lines.len(), 1, "{lines:?}");
            assert!(lines[0].starts_with(key) && lines[0].contains("D3"), "{lines:?}");
        }
    }

    #[test]
    fn d3_every_weakness_is_told_at_once() {
        let weak = KafkaConfig {
            acks: "1".to_owned(),
            enable_idempotence: false,
            max_in_flight: 5,
            message_timeout: Duration::from_secs(60),
            ..with(&[])
        };
        assert_eq!(weak.self_check(TTL).expect_err("must be refused").len(), 4);
    }

    #[test]
    fn one_property_under_two_names_with_two_values_is_refused() {
        let lines = with(&[("acks", "all"), ("request.required.acks", "1")])
            .self_check(TTL)
            .expect_err("must be refused");
        assert!(lines[0].contains("request.required.acks and acks"), "{lines:?}");
    }

    #[test]
    fn what_librdkafka_refuses_is_one_line() {
        for (extra, expected) in [
            (("no.such.property", "1"), "no.such.property"),
            (("security.protocol", "ssl"), "kafka-tls"),
            (("acks", "many"), "acks"),
        ] {
            let lines = with(&[extra]).self_check(TTL).expect_err("must be refused");
            assert_eq!(lines.len(), 1, "{lines:?}");
            assert!(lines[0].contains(expected), "{lines:?}");
        }
    }

    #[test]
    fn passwords_are_not_in_debug_output() {
        assert!(!format!("{:?}", with(&[("sasl.password", "secret")])).contains("secret"));
    }
}

//! The check that the producer's settings keep D3. What is checked is what librdkafka has understood,
//! under whatever name it was told; what is blamed is the key that was given.

use std::time::Duration;

use rdkafka::ClientConfig;
use rdkafka::config::NativeClientConfig;
use rdkafka::error::KafkaError;
use rdkafka::producer::{BaseProducer, DefaultProducerContext};

use super::KafkaConfig;
use super::config::{ALIASES, canonical};

/// Everything that speaks against the settings, one line each.
pub(super) fn of(config: &KafkaConfig, lease_ttl: Duration) -> Vec<String> {
    let mut lines = said_twice(config);
    lines.extend(never(config));
    match config.client().create_native_config() {
        Ok(native) => {
            lines.extend(REQUIRED.iter().filter_map(|required| required.violated(config, &native)));
            lines.extend(outlives(config, &native, lease_ttl));
        }
        Err(error) => lines.push(unusable(config, &error)),
    }
    if lines.is_empty() {
        lines.extend(contradiction(config.client()).err().map(|error| unusable(config, &error)));
    }
    lines
}

/// What librdkafka only finds when a producer is made. Without brokers, so that nothing is asked.
fn contradiction(mut client: ClientConfig) -> Result<(), KafkaError> {
    client.remove("bootstrap.servers");
    client.set_log_level(rdkafka::config::RDKafkaLogLevel::Emerg);
    client.create::<BaseProducer<DefaultProducerContext>>().map(drop)
}

/// Where a property was given: its own key, or its name among the further properties.
fn key(config: &KafkaConfig, property: &str, own: Option<&str>) -> String {
    let given = config.extra.keys().find(|name| canonical(name) == property);
    match (given, own) {
        (Some(name), _) => format!("kafka.properties: {name}"),
        (None, Some(own)) => own.to_owned(),
        (None, None) => property.to_owned(),
    }
}

/// Properties given under two names with two values.
fn said_twice(config: &KafkaConfig) -> Vec<String> {
    ALIASES
        .iter()
        .filter(|(alias, name)| {
            let (alias, name) = (config.extra.get(*alias), config.extra.get(*name));
            alias.is_some() && name.is_some() && alias != name
        })
        .map(|(alias, name)| {
            format!("kafka.properties: {alias} and {name} are one property, given with two values: keep one")
        })
        .collect()
}

/// Properties that no value makes good.
const NEVER: [(&str, &str); 1] = [(
    "transactional.id",
    "events are sent outside of transactions, which such a producer refuses; what is sent twice is known by its event ID",
)];

fn never(config: &KafkaConfig) -> impl Iterator<Item = String> {
    NEVER
        .iter()
        .filter(|(name, _)| config.extra.contains_key(*name))
        .map(|(name, why)| format!("kafka.properties: {name} must not be set: {why}"))
}

fn unusable(config: &KafkaConfig, error: &KafkaError) -> String {
    let secure = |value: &&String| {
        let value = value.to_ascii_lowercase();
        value.contains("ssl") || value.contains("scram")
    };
    let secured = ["security.protocol", "sasl.mechanism", "sasl.mechanisms"];
    match secured.iter().find(|name| config.extra.get(**name).as_ref().is_some_and(secure)) {
        Some(name) => {
            format!(
                "kafka.properties: {name}: TLS and SCRAM need a build with the cargo feature kafka-tls ({error})"
            )
        }
        None => {
            let text = error.to_string();
            let named = config.extra.keys().find(|name| text.contains(canonical(name)));
            let key = named.map_or_else(|| "kafka.*".to_owned(), |name| format!("kafka.properties: {name}"));
            format!("{key}: librdkafka refuses the settings: {text}")
        }
    }
}

/// A property that must have a value.
struct Required {
    property: &'static str,
    accepted: &'static [&'static str],
    /// Its own parameter, where it has one.
    key: Option<&'static str>,
    why: &'static str,
}

const REQUIRED: [Required; 5] = [
    Required {
        property: "acks",
        accepted: &["-1", "all"],
        key: Some("kafka.producers.default.acks"),
        why: "an acknowledged event must survive the loss of a broker",
    },
    Required {
        property: "enable.idempotence",
        accepted: &["true"],
        key: Some("kafka.producers.default.enable-idempotence"),
        why: "the producer's own repetitions must not double or reorder events",
    },
    Required {
        property: "max.in.flight.requests.per.connection",
        accepted: &["1"],
        key: Some("kafka.producers.default.max-in-flight-requests-per-connection"),
        why: "a failed batch must not be overtaken by the next",
    },
    Required {
        property: "partitioner",
        accepted: &["murmur2_random", "murmur2"],
        key: None,
        why: "consumers rely on the partition of a key",
    },
    Required {
        property: "delivery.report.only.error",
        accepted: &["false"],
        key: None,
        why: "an event is delivered when the broker says so, not when it is silent",
    },
];

impl Required {
    fn violated(&self, config: &KafkaConfig, native: &NativeClientConfig) -> Option<String> {
        let Self { property, accepted, why, .. } = self;
        let key = key(config, property, self.key);
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
fn outlives(config: &KafkaConfig, native: &NativeClientConfig, lease_ttl: Duration) -> Option<String> {
    let value = native.get("message.timeout.ms").unwrap_or_default();
    // 0 is librdkafka's word for "for ever".
    let timeout = value.parse().ok().filter(|timeout| *timeout > 0).map(Duration::from_millis);
    if timeout.is_some_and(|timeout| timeout <= lease_ttl) {
        return None;
    }
    let key = key(config, "message.timeout.ms", Some("kafka.producers.default.message-timeout"));
    let most = lease_ttl.as_millis();
    Some(format!(
        "{key} must be 1 ms to {most} ms (msgx.lease-ttl), not {value} ms (D3): no record may be under way when the lease is another's"
    ))
}

#[cfg(test)]
mod tests;

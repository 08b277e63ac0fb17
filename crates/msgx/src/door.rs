//! What is refused before anything starts: a weak producer, time constants under which evidence
//! would be lost, embedded parts in production. Every refusal names its key.

use engine::self_check::TimeConstants;

use crate::config::Config;
use crate::wiring::{Embedded, kafka_config};
use crate::{http, telemetry};

/// Everything that speaks against starting, together.
pub(crate) fn refuse(config: &Config) -> Result<(), Vec<String>> {
    let mut words: Vec<String> = time_constants(config).refusals().iter().map(ToString::to_string).collect();
    words.extend(producer(config).err().unwrap_or_default());
    words.extend(production(config));
    words.extend(given_twice(config));
    words.extend(telemetry::filter(config).err());
    words.extend(hosts(config));
    if words.is_empty() { Ok(()) } else { Err(words) }
}

/// D3 holds for the keys of the registry whatever the sink, so that a weak setting is found before
/// the day on which the broker is configured.
pub(crate) fn producer(config: &Config) -> Result<(), Vec<String>> {
    kafka_config(config).self_check(config.duration("msgx.lease-ttl"))
}

/// Names that must differ: a mark written into the body column would destroy the bodies, and two kinds
/// of records in one compacted topic would erase each other.
fn given_twice(config: &Config) -> Vec<String> {
    let columns = [
        "mailbox.id-column",
        "mailbox.received-column",
        "mailbox.body-column",
        "mailbox.mark.column",
        "mailbox.mark.status-column",
    ];
    let topics = ["kafka.topics.msg", "kafka.topics.schd"];
    [&columns[..], &topics[..]].into_iter().flat_map(|keys| equal_names(config, keys)).collect()
}

fn equal_names(config: &Config, keys: &[&str]) -> Vec<String> {
    let mut words = Vec::new();
    for (index, key) in keys.iter().enumerate() {
        let name = config.text(key);
        let equal = |other: &&&str| !name.is_empty() && config.text(other).eq_ignore_ascii_case(name);
        words.extend(
            keys[..index]
                .iter()
                .find(equal)
                .map(|other| format!("{key}: {name} is also {other}; the two must differ")),
        );
    }
    words
}

fn hosts(config: &Config) -> Vec<String> {
    let names = config.list("http.allowed-hosts").into_iter().filter(|name| http::host(name).is_none());
    names
        .map(|name| {
            format!("http.allowed-hosts: '{name}' is no host name; expected: names such as msgx.example")
        })
        .collect()
}

fn production(config: &Config) -> Vec<String> {
    if config.text("profile") != "production" {
        return Vec::new();
    }
    let embedded = Embedded::of(config);
    let parts = [
        (embedded.store, "store.url", "the embedded store"),
        (embedded.mailbox, "mailbox.url", "the embedded mailbox"),
        (embedded.sink, "kafka.bootstrap-servers", "the file sink"),
    ];
    parts
        .into_iter()
        .filter(|(used, _, _)| *used)
        .map(|(_, key, what)| format!("{key}: not set, and profile = production refuses {what}"))
        .collect()
}

fn time_constants(config: &Config) -> TimeConstants {
    TimeConstants {
        overdue_backfill: config.duration("msgx.pipeline.overdue-backfill"),
        keep: config.duration("msgx.retention.keep"),
        replay_window: config.duration("msgx.retention.replay-window"),
        handling_window: config.duration("msgx.retention.handling-window"),
        audit_window: config.duration("msgx.retention.audit-window"),
        retention_hst: config.duration("msgx.retention.hst"),
        retention_raw: config.duration("msgx.retention.raw"),
        retention_shadow: config.duration("msgx.retention.shadow"),
        retention_flight_history: config.duration("msgx.retention.flight-history"),
        lease_ttl: config.duration("msgx.lease-ttl"),
        poll_interval: config.duration("mailbox.poll-interval"),
    }
}

#[cfg(test)]
mod tests;

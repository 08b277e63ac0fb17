//! An event as consumers see it: CloudEvents in binary mode, keyed by FLID.

use domain::Epoch;
use domain::event::{EventType, Target};

use crate::ports::{OutboxEvent, Record};

/// The record of an event. `ce_id` is made of topic, flight and version: the same state sent twice
/// has the same one, so that consumers can tell (INV-10).
pub(super) fn record(event: &OutboxEvent, topic: &str, source: &str, epoch: Epoch) -> Record {
    let OutboxEvent { flid, state_version, .. } = event;
    let mut headers = vec![
        ("ce_specversion", "1.0".to_owned()),
        ("ce_id", format!("{topic}/{flid}/{state_version}")),
        ("ce_source", source.to_owned()),
        ("ce_type", cloud_event_type(event).to_owned()),
        ("ce_subject", flid.to_string()),
        ("ce_time", event.created_at.to_string()),
        ("content-type", "application/json".to_owned()),
        ("msgx-event-type", event.event_type.as_str().to_owned()),
        ("msgx-state-version", state_version.to_string()),
        ("msgx-msg-id", event.msg_id.to_string()),
        ("msgx-epoch", epoch.to_string()),
    ];
    if event.is_late {
        headers.push(("msgx-late", "true".to_owned()));
    }
    let value = match event.event_type {
        EventType::Upsert => Some(event.payload.clone()),
        EventType::Delete => None,
    };
    Record { topic: topic.to_owned(), key: flid.to_string(), value, headers }
}

fn cloud_event_type(event: &OutboxEvent) -> &'static str {
    match (event.target, event.event_type) {
        (Target::Msg, EventType::Upsert) => "msgx.flight.changed",
        (Target::Schd, EventType::Upsert) => "msgx.flight.state",
        (Target::Msg | Target::Schd, EventType::Delete) => "msgx.flight.deleted",
    }
}

#[cfg(test)]
mod tests {
    use domain::{EventId, Flid, MsgId};
    use jiff::Timestamp;

    use super::*;

    fn event(event_type: EventType, payload: &str) -> OutboxEvent {
        OutboxEvent {
            event_id: EventId(1),
            target: Target::Schd,
            flid: Flid(4711),
            event_type,
            state_version: 3,
            payload: payload.to_owned(),
            msg_id: MsgId(99),
            attempts: 0,
            created_at: Timestamp::constant(1_800_000_000, 0),
            is_late: false,
        }
    }

    #[test]
    fn a_record_carries_key_value_and_every_header() {
        let record = record(&event(EventType::Upsert, "{\"a\":1}"), "msgx.schd", "/msgexchange", Epoch(5));
        assert_eq!((record.topic.as_str(), record.key.as_str()), ("msgx.schd", "4711"));
        assert_eq!(record.value.as_deref(), Some("{\"a\":1}"));
        let headers: Vec<_> = record.headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        assert_eq!(
            headers,
            [
                ("ce_specversion", "1.0"),
                ("ce_id", "msgx.schd/4711/3"),
                ("ce_source", "/msgexchange"),
                ("ce_type", "msgx.flight.state"),
                ("ce_subject", "4711"),
                ("ce_time", "2027-01-15T08:00:00Z"),
                ("content-type", "application/json"),
                ("msgx-event-type", "UPSERT"),
                ("msgx-state-version", "3"),
                ("msgx-msg-id", "99"),
                ("msgx-epoch", "5"),
            ]
        );
    }

    #[test]
    fn a_retried_dead_event_keeps_its_version_and_says_that_it_is_late() {
        let late = OutboxEvent { is_late: true, ..event(EventType::Upsert, "{}") };
        let record = record(&late, "msgx.msg", "/msgexchange", Epoch(5));
        for header in [("msgx-late", "true"), ("msgx-state-version", "3"), ("ce_id", "msgx.msg/4711/3")] {
            assert!(record.headers.contains(&(header.0, header.1.to_owned())), "{header:?}");
        }
    }

    #[test]
    fn a_tombstone_has_no_value() {
        let record = record(&event(EventType::Delete, "null"), "msgx.schd", "/msgexchange", Epoch(5));
        assert_eq!(record.value, None);
        assert!(record.headers.contains(&("msgx-event-type", "DELETE".to_owned())));
    }
}

//! Payloads of events as JSON text: camelCase, times ISO 8601 with offset, no personal data.

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};
use sis::Dictionary;

use crate::MsgId;
use crate::flight::{Audience, Change, CodeShare, Difference, Flight};
use crate::message::Labels;

/// The message behind a change.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cause<'a> {
    pub(crate) msg_id: MsgId,
    pub(crate) labels: &'a Labels,
}

/// `KAFKA:msg`: what one message changed of one flight. A deletion is a change of `life`.
pub(crate) fn change_payload(change: &Change, cause: Cause<'_>, dictionary: &Dictionary) -> String {
    let flight = &change.after;
    to_text(&ChangePayload {
        flid: flight.flid.0,
        state_version: flight.state_version,
        incarnation: flight.incarnation,
        life: flight.life.as_str(),
        operation_day: flight.operation_day.map(|day| day.to_string()),
        msg_id: cause.msg_id.0,
        sender: cause.labels.sender.as_deref(),
        kind: cause.labels.kind.as_deref(),
        subtype: cause.labels.subtype.as_deref(),
        seqn: cause.labels.seqn.as_deref(),
        dttm: cause.labels.dttm.as_deref(),
        changes: change.differences(dictionary),
    })
}

/// `KAFKA:schd`: the whole flight, code-shares included.
pub(crate) fn flight_payload(flight: &Flight, code_shares: &[CodeShare], dictionary: &Dictionary) -> String {
    to_text(&FlightPayload { flight, code_shares, dictionary })
}

fn to_text(payload: &impl Serialize) -> String {
    serde_json::to_string(payload).expect("maps with text keys can't fail to serialize")
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangePayload<'a> {
    flid: i64,
    state_version: i64,
    incarnation: i32,
    life: &'static str,
    operation_day: Option<String>,
    msg_id: i64,
    sender: Option<&'a str>,
    #[serde(rename = "type")]
    kind: Option<&'a str>,
    #[serde(rename = "styp")]
    subtype: Option<&'a str>,
    seqn: Option<&'a str>,
    dttm: Option<&'a str>,
    changes: Vec<Difference>,
}

/// Serialized field by field, so that the flight's values are not copied first.
struct FlightPayload<'a> {
    flight: &'a Flight,
    code_shares: &'a [CodeShare],
    dictionary: &'a Dictionary,
}

impl Serialize for FlightPayload<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let flight = self.flight;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("flid", &flight.flid.0)?;
        map.serialize_entry("stateVersion", &flight.state_version)?;
        map.serialize_entry("incarnation", &flight.incarnation)?;
        map.serialize_entry("operationDay", &flight.operation_day.map(|day| day.to_string()))?;
        for (field, value, _) in flight.known_fields(Audience::Everybody, self.dictionary) {
            map.serialize_entry(field.name, value.as_ref())?;
        }
        map.serialize_entry("codeShares", self.code_shares)?;
        map.serialize_entry("extra", &Extra(self))?;
        map.end()
    }
}

struct Extra<'a>(&'a FlightPayload<'a>);

impl Serialize for Extra<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let parts = self.0.flight.unknown_parts(Audience::Everybody, self.0.dictionary);
        serializer.collect_map(parts.map(|(name, value, _)| (name, value)))
    }
}

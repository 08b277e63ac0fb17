//! What cases are made of: times, letters, verdicts, flights and events with plain values.

use domain::event::{EventType, NewEvent, Target};
use domain::flight::{FieldState, Flight, Life, Stamped};
use domain::mailbox::{IdRange, OpenGap};
use domain::message::{Conclusion, IdentityKey, Labels, Settled, StoredBody};
use domain::{Flid, MsgId};
use engine::ports::{Landed, NewLetter};
use jiff::{SignedDuration, Timestamp};
use serde_json::{Value, json};

/// Where time begins in tests: 2026-05-01T00:00:00Z.
pub const EPOCH: Timestamp = Timestamp::constant(1_777_593_600, 0);

/// A time in microseconds that no clock gave: `seconds` and a bit after [`EPOCH`].
pub fn at(seconds: i64) -> Timestamp {
    EPOCH + SignedDuration::from_secs(seconds) + SignedDuration::from_micros(123_457)
}

/// A time in whole seconds, as mailbox columns keep them.
pub fn whole(seconds: i64) -> Timestamp {
    EPOCH + SignedDuration::from_secs(seconds)
}

/// IDs.
pub fn ids<const N: usize>(ids: [i64; N]) -> Vec<MsgId> {
    ids.map(MsgId).to_vec()
}

/// An inclusive range.
pub fn range(first: i64, last: i64) -> IdRange {
    IdRange { first: MsgId(first), last: MsgId(last) }
}

/// An open gap first seen at second `seen`.
pub fn gap(first: i64, last: i64, seen: i64) -> OpenGap {
    OpenGap { range: range(first, last), first_seen: at(seen), server: "server-1".into() }
}

/// A row with the bytes of `body`.
pub fn landed(id: i64, body: impl AsRef<[u8]>) -> Landed {
    Landed {
        id: MsgId(id),
        received_at: Some(whole(-(id % 1_000_000))),
        body: StoredBody::Bytes(body.as_ref().to_vec()),
    }
}

/// A row with a body of its own.
pub fn row(id: i64) -> Landed {
    landed(id, format!("<MSG>{id}</MSG>"))
}

/// A letter that the table numbers.
pub fn letter(body: &str) -> NewLetter {
    NewLetter { body: Some(body.as_bytes().to_vec()), received_at: whole(0), id: None }
}

/// A letter with an ID of its own.
pub fn letter_at(id: i64, body: &str) -> NewLetter {
    NewLetter { id: Some(MsgId(id)), ..letter(body) }
}

/// The key `MSGX|FLOP|ESTT|<seqn>`.
pub fn key(seqn: i64) -> IdentityKey {
    IdentityKey(format!("MSGX|FLOP|ESTT|{seqn}"))
}

/// A first try of a message without identity.
pub fn tried(id: i64, conclusion: Conclusion) -> Settled {
    Settled {
        msg_id: MsgId(id),
        attempts_seen: 0,
        attempts: 0,
        conclusion,
        attempt_failure: None,
        labels: Labels { kind: Some("FLOP".into()), subtype: Some("ESTT".into()), ..Labels::default() },
        identity: None,
        content_hash: None,
        yields: None,
    }
}

/// A message that succeeded at once and holds [`key`]`(id)`.
pub fn succeeded(id: i64) -> Settled {
    let content_hash = Some([u8::try_from(id).unwrap_or(u8::MAX); 32]);
    Settled { identity: Some(key(id)), content_hash, ..tried(id, Conclusion::Succeeded) }
}

/// A message skipped for `reason`.
pub fn skipped(id: i64, reason: &str) -> Settled {
    tried(id, Conclusion::Skipped { reason: reason.into() })
}

/// An active flight of 2026-05-01 with one text, set by message `by`.
pub fn flight(flid: i64, state_version: i64, by: i64) -> Flight {
    let remark = Stamped { value: Some(json!("延误 𠮷 ✈")), by: MsgId(by) };
    Flight {
        flid: Flid(flid),
        life: Life::Active,
        state_version,
        incarnation: 1,
        floor: MsgId(0),
        schedule_by: MsgId(by),
        last_by: MsgId(by),
        operation_day: Some(jiff::civil::date(2026, 5, 1)),
        fields: [("remark".into(), FieldState::Single(remark))].into(),
    }
}

/// [`flight`] as a code-share of `main`.
pub fn code_share(flid: i64, main: i64, by: i64) -> Flight {
    let mut flight = flight(flid, 1, by);
    let link: Value = json!({ "airline": "ZZ", "flightNumber": "ZZ1234", "mainFlid": main });
    let link = FieldState::Single(Stamped { value: Some(link), by: MsgId(by) });
    flight.fields.insert("codeShare".into(), link);
    flight
}

/// An upsert caused by message `by`.
pub fn event(target: Target, flid: i64, state_version: i64, by: i64) -> NewEvent {
    NewEvent {
        target,
        flid: Flid(flid),
        event_type: EventType::Upsert,
        state_version,
        payload: json!({ "flid": flid, "remark": "延误 𠮷", "v": state_version }).to_string(),
        msg_id: MsgId(by),
    }
}

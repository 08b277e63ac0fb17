//! A small world for the tests: hand-built messages, and a store that keeps what runs do.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::date;
use jiff::tz::{Offset, TimeZone};
use serde_json::Value as Json;
use sis::{
    Body, Dictionary, Entry, FieldWrite, Meta, Position, Record, Schedule, ScheduleKind, Value, Write,
};

use super::reading::{Failure, Finding, Named, Reading};
use super::{Effects, FlightPolicy, Policy, World, decide_run};
use crate::backoff::Backoff;
use crate::event::{NewEvent, Target};
use crate::flight::{Flight, Life, PastFlight};
use crate::message::{
    Conclusion, ErrorClass, Holder, IdentityKey, IdentityPolicy, IgnoreRules, Labels, Settled, State,
};
use crate::{Flid, MsgId};

pub(crate) fn policy() -> Policy {
    Policy {
        dictionary: Dictionary::baseline(),
        carrier: sis::Carrier::Text,
        limits: sis::Limits::default(),
        zone: TimeZone::fixed(Offset::constant(8)),
        ignore: IgnoreRules::baseline(),
        identity: IdentityPolicy::default(),
        max_attempts: 5,
        decode_max_attempts: 2,
        backoff: Backoff { first: Duration::from_secs(1), cap: Duration::from_secs(30) },
        flight: FlightPolicy::default(),
    }
}

pub(crate) fn at(second: i64) -> Timestamp {
    Timestamp::from_second(second).expect("small")
}

pub(crate) fn text(text: &str) -> Value {
    Value::Text(text.into())
}

/// Ten past `hour` on that day of April 2026.
pub(crate) fn time(day: i8, hour: i8) -> Value {
    Value::Time(date(2026, 4, day).at(hour, 10, 0, 0))
}

pub(crate) fn record(flid: i64) -> Record {
    Record {
        flid,
        position: Position::default(),
        writes: Vec::new(),
        not_applied: Vec::new(),
        extra: Vec::new(),
    }
}

/// A record with what every schedule has.
pub(crate) fn flight(flid: i64, number: &str, day: i8) -> Record {
    record(flid)
        .set("flightNumber", text(number))
        .set("movement", text("D"))
        .set("scheduledTime", time(day, 9))
}

/// Record builders.
pub(crate) trait Records: Sized {
    fn write(self, field: &str, write: Write) -> Self;
    fn with_extra(self, name: &str, text: &str) -> Self;

    fn set(self, field: &str, value: Value) -> Self {
        self.write(field, Write::Set(value))
    }

    fn clear(self, field: &str) -> Self {
        self.write(field, Write::Clear)
    }

    fn main(self, flid: i64) -> Self {
        self.set(
            "codeShare",
            Value::Object(vec![("airline", text("ZZ")), ("mainFlid", Value::Integer(flid))]),
        )
    }

    /// Delays by code: a comment sets an entry, `None` removes it.
    fn delays(self, clear: bool, entries: &[(&str, Option<&str>)]) -> Self {
        let entry = |(code, comment): &(&str, Option<&str>)| Entry {
            key: (*code).to_owned(),
            value: comment
                .map(|comment| Value::Object(vec![("code", text(code)), ("comment", text(comment))])),
        };
        self.write("delays", Write::Merge { clear, entries: entries.iter().map(entry).collect() })
    }
}

impl Records for Record {
    fn write(mut self, field: &str, write: Write) -> Self {
        let field = Dictionary::baseline().field(field).expect("a field of the dictionary");
        self.writes.push(FieldWrite { field, write });
        self
    }

    fn with_extra(mut self, name: &str, text: &str) -> Self {
        self.extra.push((name.into(), text.into()));
        self
    }
}

pub(crate) fn schedule(msg_id: i64, records: Vec<Record>) -> Reading {
    let body = Schedule { kind: ScheduleKind::Upsert, declared_records: None, records };
    message(msg_id, "SCHD", "ADFT", Ok(Body::Schedule(body)))
}

pub(crate) fn flop(msg_id: i64, records: Vec<Record>) -> Reading {
    message(msg_id, "FLOP", "TEST", Ok(Body::Flop(records)))
}

pub(crate) fn delete(msg_id: i64, flids: &[i64]) -> Reading {
    message(msg_id, "FLOP", "FDEL", Ok(Body::Delete(flids.iter().copied().map(record).collect())))
}

/// A message whose identity and content are its own.
pub(crate) fn message(msg_id: i64, kind: &str, subtype: &str, body: Result<Body, Failure>) -> Reading {
    let hash = u8::try_from(msg_id % 256).expect("below 256");
    identified(msg_id, &msg_id.to_string(), hash, kind, subtype, body)
}

/// A message with a chosen SEQN and content.
pub(crate) fn identified(
    msg_id: i64,
    seqn: &str,
    hash: u8,
    kind: &str,
    subtype: &str,
    body: Result<Body, Failure>,
) -> Reading {
    let meta = Meta {
        sender: "AODB".into(),
        seqn: seqn.into(),
        dttm: "20260407081530".into(),
        kind: kind.into(),
        subtype: subtype.into(),
    };
    let key = IdentityKey::of(&meta, IdentityPolicy::default()).expect("complete");
    let content_hash = [hash; 32];
    Reading {
        msg_id: MsgId(msg_id),
        attempts: 0,
        is_replay: false,
        labels: Labels::of(&meta),
        content_hash: Some(content_hash),
        finding: Finding::Named(Box::new(Named {
            reissue_key: key.of_reissue(&content_hash),
            key,
            content_hash,
            meta,
            body,
        })),
    }
}

/// The store: flights, and what `proc_state` says of each message.
#[derive(Debug, Clone)]
pub(crate) struct Office {
    pub(crate) policy: Policy,
    pub(crate) flights: BTreeMap<Flid, Flight>,
    pub(crate) past: BTreeMap<Flid, PastFlight>,
    pub(crate) rows: BTreeMap<MsgId, Settled>,
    pub(crate) clock: Timestamp,
}

impl Office {
    pub(crate) fn new() -> Self {
        Self {
            policy: policy(),
            flights: BTreeMap::new(),
            past: BTreeMap::new(),
            rows: BTreeMap::new(),
            clock: at(1_000),
        }
    }

    pub(crate) fn with(policy: FlightPolicy) -> Self {
        let mut office = Self::new();
        office.policy.flight = policy;
        office
    }

    /// Decides a run and keeps what it does, as a store would.
    pub(crate) fn run(&mut self, readings: Vec<Reading>) -> Effects {
        let holders = self.rows.values().filter_map(|row| {
            Some(Holder {
                key: row.identity.clone()?,
                msg_id: row.msg_id,
                state: row.conclusion.state(),
                content_hash: row.content_hash,
            })
        });
        let world = World {
            holders: holders.collect(),
            flights: self.flights.values().cloned().collect(),
            past: self.past.values().copied().collect(),
        };
        let effects = decide_run(readings, world, self.clock, &self.policy);
        for flight in &effects.new_flights {
            assert!(self.flights.insert(flight.flid, flight.clone()).is_none(), "a new flight is new");
        }
        for flight in &effects.flights {
            assert!(self.flights.contains_key(&flight.flid), "a stored flight is stored");
            let stored = self.flights.insert(flight.flid, flight.clone());
            assert_ne!(stored.as_ref(), Some(flight), "only what differs is written");
        }
        for settled in effects.settled.iter().chain(&effects.blocked) {
            if let Some(dead) = settled.yields {
                self.rows.get_mut(&dead).expect("a stored holder").identity = None;
            }
            self.rows.insert(settled.msg_id, settled.clone());
        }
        let mut keys: Vec<&IdentityKey> =
            self.rows.values().filter_map(|row| row.identity.as_ref()).collect();
        let count = keys.len();
        keys.sort();
        keys.dedup();
        assert_eq!(keys.len(), count, "one holder per identity (uk_proc_identity)");
        effects
    }

    /// Makes a flight history, as a sweep would.
    pub(crate) fn sweep(&mut self, flid: i64) {
        let flight = self.flights.remove(&Flid(flid)).expect("a current flight");
        let past = PastFlight {
            flid: flight.flid,
            state_version: flight.state_version + i64::from(flight.life == Life::Active),
            incarnation: flight.incarnation,
            last_by: flight.last_by,
        };
        self.past.insert(flight.flid, past);
    }

    /// A run of one.
    pub(crate) fn one(&mut self, reading: Reading) -> Effects {
        self.run(vec![reading])
    }

    pub(crate) fn flight(&self, flid: i64) -> &Flight {
        self.flights.get(&Flid(flid)).expect("a known flight")
    }

    pub(crate) fn view(&self, flid: i64) -> Json {
        self.flight(flid).view(self.policy.dictionary)
    }

    pub(crate) fn version(&self, flid: i64) -> i64 {
        self.flight(flid).state_version
    }
}

/// Reading effects.
pub(crate) trait Outcomes {
    /// State and reason or class of the only message.
    fn end(&self) -> String;
    /// FLID and version of each event of a target.
    fn told(&self, target: Target) -> Vec<(i64, i64)>;
    /// The payload of the only event of a target and flight.
    fn payload(&self, target: Target, flid: i64) -> Json;

    /// The fields that the only change event of a flight names.
    fn changed(&self, flid: i64) -> Vec<String> {
        let payload = self.payload(Target::Msg, flid);
        let changes = payload["changes"].as_array().expect("a list");
        changes.iter().map(|change| change["field"].as_str().expect("a name").to_owned()).collect()
    }
}

impl Outcomes for Effects {
    fn end(&self) -> String {
        let all: Vec<&Settled> = self.settled.iter().chain(&self.blocked).collect();
        assert_eq!(all.len(), 1, "one message");
        end(all[0])
    }

    fn told(&self, target: Target) -> Vec<(i64, i64)> {
        let events = self.events.iter().filter(|event| event.target == target);
        events.map(|event| (event.flid.0, event.state_version)).collect()
    }

    fn payload(&self, target: Target, flid: i64) -> Json {
        let wanted = |event: &&NewEvent| event.target == target && event.flid == Flid(flid);
        let found: Vec<&NewEvent> = self.events.iter().filter(wanted).collect();
        assert_eq!(found.len(), 1, "one event of flight {flid}");
        serde_json::from_str(&found[0].payload).expect("JSON")
    }
}

/// Such as `SUCCEEDED`, `SKIPPED duplicate-of:7`, `DEAD PROTOCOL`.
pub(crate) fn end(settled: &Settled) -> String {
    let state: State = settled.conclusion.state();
    let rest = match &settled.conclusion {
        Conclusion::Succeeded => String::new(),
        Conclusion::Skipped { reason } => format!(" {reason}"),
        Conclusion::Dead { class, .. } | Conclusion::Failed { class, .. } => format!(" {class}"),
    };
    format!("{}{rest}", state.as_str())
}

/// The words of a DEAD or FAILED message.
pub(crate) fn error(settled: &Settled) -> &str {
    match &settled.conclusion {
        Conclusion::Dead { error, .. } | Conclusion::Failed { error, .. } => error,
        Conclusion::Succeeded | Conclusion::Skipped { .. } => panic!("{} has no error", end(settled)),
    }
}

pub(crate) fn failure(class: ErrorClass, error: &str) -> Failure {
    Failure { class, error: error.into() }
}

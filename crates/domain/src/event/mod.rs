//! What consumers read: outbox events and their payloads.

mod payload;
pub mod schema;

use sis::Dictionary;

use crate::flight::{Flight, Life, code_shares};
use crate::{Flid, MsgId};
pub(crate) use payload::{Cause, change_payload, flight_payload};

/// What the newest record of `KAFKA:schd` says of `flight`, code-shares (INV-21) from `fleet`: for
/// comparing topic and store. The outer `None` is a flight that has never been told of, the inner
/// one a tombstone.
pub fn newest_record(flight: &Flight, fleet: &[Flight], dictionary: &Dictionary) -> Option<Option<String>> {
    match flight.life {
        Life::Partial => None,
        Life::Deleted => Some(None),
        Life::Active => Some(Some(flight_payload(flight, &code_shares(flight.flid, fleet), dictionary))),
    }
}

/// Outbox target, `msg_event.target`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Target {
    /// `KAFKA:msg`: one event per message and flight changed.
    Msg,
    /// `KAFKA:schd`: one row per FLID, the latest whole state.
    Schd,
}

impl Target {
    /// Every target.
    pub const ALL: [Self; 2] = [Self::Msg, Self::Schd];

    /// Name in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Msg => "KAFKA:msg",
            Self::Schd => "KAFKA:schd",
        }
    }

    /// The target of a stored name; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.as_str() == name)
    }
}

/// `msg_event.event_type`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum EventType {
    /// A state or a change.
    Upsert,
    /// A tombstone: the payload is JSON `null`, the record's value is null.
    Delete,
}

impl EventType {
    /// Name in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Upsert => "UPSERT",
            Self::Delete => "DELETE",
        }
    }

    /// The type of a stored name; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Upsert, Self::Delete].into_iter().find(|event| event.as_str() == name)
    }
}

/// An event to be written with the state it speaks of (INV-17). For [`Target::Schd`] the
/// store keeps one row per FLID: a newer version replaces the payload, resets the row to
/// PENDING and clears SENT_AT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEvent {
    /// Where to.
    pub target: Target,
    /// Partition key.
    pub flid: Flid,
    /// Upsert or tombstone.
    pub event_type: EventType,
    /// `STATE_VERSION` of the flight it speaks of.
    pub state_version: i64,
    /// JSON text.
    pub payload: String,
    /// The message that caused it.
    pub msg_id: MsgId,
}

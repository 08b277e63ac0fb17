//! Events as the store keeps them: to be sent, and what became of them.

use domain::event::{EventType, Target};
use domain::{EventId, Flid, MsgId};
use jiff::Timestamp;

/// An outbox row to send.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxEvent {
    /// Row.
    pub event_id: EventId,
    /// Target.
    pub target: Target,
    /// Key.
    pub flid: Flid,
    /// Upsert or tombstone.
    pub event_type: EventType,
    /// Version sent.
    pub state_version: i64,
    /// JSON text; `null` for a tombstone.
    pub payload: String,
    /// The message that caused it.
    pub msg_id: MsgId,
    /// Failed attempts so far.
    pub attempts: u32,
    /// When it was written.
    pub created_at: Timestamp,
    /// An operator has it sent again after it was dead: newer states may be out already.
    pub is_late: bool,
}

/// What became of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventSettled {
    /// Row.
    pub event_id: EventId,
    /// The version that was sent.
    pub state_version: i64,
    /// The outcome.
    pub verdict: EventVerdict,
}

/// Outcome of a delivery.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EventVerdict {
    /// Acknowledged.
    Sent {
        /// Topic.
        topic: String,
        /// Partition.
        partition: i32,
        /// Offset.
        offset: i64,
    },
    /// The broker refused the record; to be tried again.
    Failed {
        /// Words.
        error: String,
        /// Failed attempts now.
        attempts: u32,
        /// Not before.
        due: Timestamp,
    },
    /// Refused for the last time.
    Dead {
        /// Words.
        error: String,
        /// Failed attempts now.
        attempts: u32,
    },
}

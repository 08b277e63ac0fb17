//! What delivery tells.

use std::time::Duration;

use domain::event::Target;
use domain::{EventId, Flid};
use metrics::{counter, histogram};
use tracing::{debug, error, warn};

use super::catalogue::{
    DELIVERED, DELIVERY_LATENCY, DELIVERY_WAITS, EVENTS_DEAD, EVENTS_REFUSED, LANDED_TO_DELIVERED,
};

/// Events were acknowledged, and that is committed.
pub struct EventsDelivered {
    /// Target.
    pub target: Target,
    /// For each: time since its commit, and since its message was seen in the mailbox.
    pub latencies: Vec<(Duration, Option<Duration>)>,
}

impl EventsDelivered {
    /// Tells it.
    pub fn emit(self) {
        let Self { target, latencies } = self;
        let name = target.as_str();
        counter!(DELIVERED, "target" => name).increment(latencies.len() as u64);
        for (from_commit, from_landed) in &latencies {
            histogram!(DELIVERY_LATENCY, "target" => name).record(*from_commit);
            if let Some(from_landed) = from_landed {
                histogram!(LANDED_TO_DELIVERED, "target" => name).record(*from_landed);
            }
        }
        debug!(target = name, events = latencies.len(), "events delivered");
    }
}

/// The broker refused a record for its own fault.
pub struct EventRefused {
    /// Target.
    pub target: Target,
    /// Row.
    pub event_id: EventId,
    /// Key.
    pub flid: Flid,
    /// What the broker said.
    pub error: String,
}

impl EventRefused {
    /// Tells it.
    pub fn emit(self) {
        let Self { target, event_id, flid, error } = self;
        counter!(EVENTS_REFUSED, "target" => target.as_str()).increment(1);
        warn!(target = target.as_str(), event_id = event_id.0, flid = flid.0, "record refused: {error}");
    }
}

/// An event was refused for the last time; it no longer holds up its flight.
pub struct EventDead {
    /// Target.
    pub target: Target,
    /// Row.
    pub event_id: EventId,
    /// Key.
    pub flid: Flid,
}

impl EventDead {
    /// Tells it.
    pub fn emit(self) {
        let Self { target, event_id, flid } = self;
        counter!(EVENTS_DEAD, "target" => target.as_str()).increment(1);
        error!(
            target = target.as_str(),
            event_id = event_id.0,
            flid = flid.0,
            "event is dead: an operator may retry or discard it"
        );
    }
}

/// The sink can't be used; the pump goes on and the outbox grows.
pub struct TargetWaits {
    /// Target.
    pub target: Target,
    /// What the sink said.
    pub words: String,
}

impl TargetWaits {
    /// Tells it.
    pub fn emit(&self) {
        counter!(DELIVERY_WAITS, "target" => self.target.as_str()).increment(1);
        debug!(target = self.target.as_str(), "delivery waits: {}", self.words);
    }
}

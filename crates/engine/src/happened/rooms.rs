//! What any room can tell.

use std::time::Duration;

use metrics::counter;
use tracing::{info, warn};

use super::catalogue::FAILURES;
use crate::pulse::Room;

/// A room can't work for reasons outside and waits. Nobody's message is counted for it.
pub struct RoomWaits {
    /// Which.
    pub room: Room,
    /// Failures in a row.
    pub failures: u32,
    /// Wait until the next try.
    pub wait: Duration,
    /// What the store, mailbox or sink said.
    pub words: String,
}

impl RoomWaits {
    /// Tells it.
    pub fn emit(self) {
        let Self { room, failures, wait, words } = self;
        counter!(FAILURES, "job" => room.name()).increment(1);
        warn!(room = room.name(), failures, ?wait, "{} can't work and tries again: {words}", room.name());
    }
}

/// It works again.
pub struct RoomRecovered {
    /// Which.
    pub room: Room,
    /// Failures in a row before.
    pub failures: u32,
}

impl RoomRecovered {
    /// Tells it.
    pub fn emit(self) {
        let Self { room, failures } = self;
        info!(room = room.name(), failures, "{} works again", room.name());
    }
}

/// An operator has paused a room.
pub struct RoomPaused {
    /// Which.
    pub room: Room,
    /// Who, why, until when.
    pub words: String,
}

impl RoomPaused {
    /// Tells it.
    pub fn emit(self) {
        let Self { room, words } = self;
        warn!(room = room.name(), "{} is {words}", room.name());
    }
}

/// Its pause is over.
pub struct RoomResumed {
    /// Which.
    pub room: Room,
}

impl RoomResumed {
    /// Tells it.
    pub fn emit(self) {
        let Self { room } = self;
        info!(room = room.name(), "{} works again after a pause", room.name());
    }
}

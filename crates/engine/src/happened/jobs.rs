//! What the jobs tell.

use domain::MsgId;
use jiff::civil::Date;
use metrics::counter;
use tracing::{debug, error, info, warn};

use super::catalogue::{ARCHIVE_PASSED, ARCHIVE_REFUSED, ARCHIVED, FAILURES, FLIGHTS_SWEPT, FORGOTTEN};
use crate::pulse::Room;

/// Flights became history.
pub struct FlightsSwept {
    /// How many.
    pub flights: u64,
    /// First operation day that stays.
    pub before: Date,
}

impl FlightsSwept {
    /// Tells it.
    pub fn emit(self) {
        let Self { flights, before } = self;
        counter!(FLIGHTS_SWEPT).increment(flights);
        info!(flights, %before, "flights became history");
    }
}

/// Messages of one transaction of the archive job.
pub struct Archived {
    /// Those that are archived now.
    pub moved: u64,
    /// Those that had changed since they were looked at, or were held by somebody: they stay.
    pub passed: u64,
}

impl Archived {
    /// Tells it.
    pub fn emit(self) {
        let Self { moved, passed } = self;
        counter!(ARCHIVED).increment(moved);
        counter!(ARCHIVE_PASSED).increment(passed);
        if moved + passed > 0 {
            debug!(moved, passed, "messages that are over are archived");
        }
    }
}

/// A message the archive refuses: it stays where it is, and those behind it go on.
pub struct ArchiveRefused {
    /// Which.
    pub msg_id: MsgId,
    /// What the store said.
    pub words: String,
}

impl ArchiveRefused {
    /// Tells it.
    pub fn emit(self) {
        let Self { msg_id, words } = self;
        counter!(ARCHIVE_REFUSED).increment(1);
        error!(%msg_id, "message {msg_id} can't be archived and stays in proc_state: {words}; look for a row of it in proc_state_hst");
    }
}

/// A sweep that may not be made without the mailbox's word.
pub struct SweepSkipped {
    /// Whose.
    pub room: Room,
    /// What the mailbox said.
    pub words: String,
}

impl SweepSkipped {
    /// Tells it.
    pub fn emit(self) {
        let Self { room, words } = self;
        counter!(FAILURES, "job" => room.name()).increment(1);
        warn!(
            room = room.name(),
            "{} forgets nothing while the mailbox can't be asked: {words}",
            room.name()
        );
    }
}

/// What has a time after which it is forgotten.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kept {
    /// Flights in history.
    FlightHistory,
    /// Steps of timelines.
    FlightChange,
    /// Events.
    Events,
    /// Bodies.
    Bodies,
    /// Archived messages.
    Archive,
    /// Shadows of archived messages.
    Shadows,
}

impl Kept {
    /// Its name in the metric.
    pub fn name(self) -> &'static str {
        match self {
            Self::FlightHistory => "flight-history",
            Self::FlightChange => "flight-change",
            Self::Events => "events",
            Self::Bodies => "bodies",
            Self::Archive => "archive",
            Self::Shadows => "shadows",
        }
    }
}

/// A look at what is older than it is kept.
pub struct Forgotten {
    /// Of what.
    pub what: Kept,
    /// Rows.
    pub rows: u64,
}

impl Forgotten {
    /// Tells it.
    pub fn emit(self) {
        let Self { what, rows } = self;
        counter!(FORGOTTEN, "kind" => what.name()).increment(rows);
        if rows > 0 {
            info!(what = what.name(), rows, "{}: what was older than it is kept is forgotten", what.name());
        }
    }
}

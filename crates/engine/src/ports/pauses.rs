//! Rooms that are paused, as the store keeps them: whoever leads obeys.

use std::future::Future;

use domain::lifecycle::{Act, Pausable, Pause};
use jiff::Timestamp;

use super::{Operation, Outcome, StoreError};

/// The pauses of a store.
pub trait Pauses: Send + Sync + 'static {
    /// Every pause that was not resumed, by room; one whose time is over is among them.
    fn pauses(&self) -> impl Future<Output = Result<Vec<Pause>, StoreError>> + Send;

    /// Puts a pause in the place of the room's last one, or takes it away, in one transaction with
    /// its audit. Does nothing where an operation of that ID is known. `false`: there was nothing to
    /// resume (audited as refused).
    fn set_pause(&self, order: &PauseOrder) -> impl Future<Output = Result<bool, StoreError>> + Send;
}

/// To pause a room, or to resume it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PauseOrder {
    /// The operation's ID.
    pub operation: String,
    /// The room.
    pub room: Pausable,
    /// Who.
    pub by: String,
    /// Why.
    pub reason: String,
    /// Store time.
    pub at: Timestamp,
    /// What.
    pub what: PauseWhat,
}

/// What an order says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PauseWhat {
    /// Stop working, until then or until it is resumed.
    Pause {
        /// The end, if it has one.
        until: Option<Timestamp>,
    },
    /// Go on working.
    Resume,
}

impl PauseOrder {
    /// The act it is.
    pub fn act(&self) -> Act {
        match self.what {
            PauseWhat::Pause { .. } => Act::Pause,
            PauseWhat::Resume => Act::Resume,
        }
    }

    /// The pause it leads to; `None` for a resumption.
    pub fn pause(&self) -> Option<Pause> {
        let PauseWhat::Pause { until } = self.what else { return None };
        let Self { room, by, reason, at, .. } = self.clone();
        Some(Pause { room, by, reason, at, until })
    }

    /// The operation it is.
    pub fn operation(&self) -> Operation {
        Operation {
            id: self.operation.clone(),
            act: self.act(),
            by: self.by.clone(),
            reason: self.reason.clone(),
            selection: self.room.as_str().to_owned(),
            at: self.at,
        }
    }

    /// What comes of it, and its words for the audit log. A room can be paused anew; only one that
    /// is paused can be resumed.
    pub fn outcome(&self, is_paused: bool) -> (Outcome, String) {
        match self.pause() {
            Some(pause) => (Outcome::Done, pause.to_string()),
            None if is_paused => (Outcome::Done, "works again".to_owned()),
            None => (Outcome::Refused, "it is not paused".to_owned()),
        }
    }
}

//! What marks tell.

use std::time::Duration;

use domain::MsgId;
use metrics::{counter, histogram};
use tracing::{debug, error, warn};

use super::catalogue::{MARK_DELAY, MARK_RETRIES, MARKED, MARKS_ABANDONED, MARKS_FOREIGN, PREMISE};

/// Marks are written, and that is committed.
pub struct MarksSettled {
    /// For each mark written or found: time since its message was enqueued.
    pub delays: Vec<Duration>,
    /// Tries that failed and will be repeated.
    pub retries: u64,
}

impl MarksSettled {
    /// Tells it.
    pub fn emit(self) {
        let Self { delays, retries } = self;
        counter!(MARKED).increment(delays.len() as u64);
        counter!(MARK_RETRIES).increment(retries);
        delays.iter().for_each(|delay| histogram!(MARK_DELAY).record(*delay));
        debug!(marked = delays.len(), retries, "marks settled");
    }
}

/// Rows carry marks that this pipeline did not write (PRE-1).
pub struct MarkFoundForeign {
    /// How many.
    pub rows: u64,
    /// One of them.
    pub example: MsgId,
}

impl MarkFoundForeign {
    /// Tells it.
    pub fn emit(self) {
        let Self { rows, example } = self;
        counter!(MARKS_FOREIGN).increment(rows);
        counter!(PREMISE, "premise" => "PRE-1").increment(rows);
        warn!(rows, example = example.0, "rows were marked by another program; left as they are");
    }
}

/// A mark could not be written and waiting alone won't mend it.
pub struct MarkRefused {
    /// How many rows.
    pub rows: u64,
    /// One of them.
    pub example: MsgId,
    /// What the server said.
    pub error: String,
}

impl MarkRefused {
    /// Tells it.
    pub fn emit(self) {
        let Self { rows, example, error } = self;
        error!(rows, example = example.0, "the mailbox refuses marks and an operator must act: {error}");
    }
}

/// A mark was given up: on the abandonment list until reconciled.
pub struct MarkAbandoned {
    /// The message.
    pub msg_id: MsgId,
    /// `MISSING_ROW` or `OVERDUE`.
    pub reason: &'static str,
}

impl MarkAbandoned {
    /// Tells it.
    pub fn emit(self) {
        let Self { msg_id, reason } = self;
        counter!(MARKS_ABANDONED, "reason" => reason).increment(1);
        error!(msg_id = msg_id.0, reason, "mark abandoned: an operator must reconcile it");
    }
}

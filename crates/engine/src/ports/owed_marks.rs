//! Marks as the store keeps them: owed, and what became of them.

use domain::MsgId;
use jiff::Timestamp;

/// A terminal message that owes a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueMark {
    /// The message.
    pub msg_id: MsgId,
    /// Base of `overdue-backfill`.
    pub enqueued_at: Timestamp,
    /// Failed tries so far.
    pub attempts: u32,
}

/// What became of a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkSettled {
    /// The message.
    pub msg_id: MsgId,
    /// The outcome.
    pub verdict: MarkVerdict,
}

/// Outcome of a mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkVerdict {
    /// Written or found there: `backfill_at` is set.
    Done,
    /// To be tried again.
    Retry {
        /// Words, at most 512 characters.
        error: String,
        /// Failed tries now.
        attempts: u32,
        /// Not before.
        due: Timestamp,
    },
    /// Given up: on the abandonment list until reconciled.
    Abandoned {
        /// `MISSING_ROW` or `OVERDUE`.
        reason: &'static str,
        /// Words; empty when there is nothing to add.
        error: String,
    },
}

//! What a store counts for people.

use domain::event::Target;
use domain::message::{ErrorClass, State};
use jiff::Timestamp;

/// The own store's four of the five facts; *landed* is the mailbox's.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FiveFacts {
    /// Rows in `proc_state`.
    pub enqueued: u64,
    /// Terminal rows (archived ones included).
    pub processed: u64,
    /// Rows with a mark.
    pub marked: u64,
    /// Marks given up.
    pub abandoned: u64,
    /// Events SENT per target.
    pub delivered: Vec<(Target, u64)>,
}

/// How many messages of one kind ended how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeCount {
    /// TYPE; `None` where META could not be read.
    pub kind: Option<String>,
    /// STYP.
    pub subtype: Option<String>,
    /// State.
    pub state: State,
    /// Class.
    pub class: Option<ErrorClass>,
    /// How many.
    pub count: u64,
}

/// The gap ledger at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct GapCount {
    /// Open ranges.
    pub open: u64,
    /// IDs in them.
    pub open_ids: u64,
    /// First seen time of the oldest.
    pub oldest: Option<Timestamp>,
    /// IDs released so far (ranges before the start excepted).
    pub released_ids: u64,
    /// Late rows nobody has decided on.
    pub late: u64,
}

/// One target of the outbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutboxCount {
    /// Target.
    pub target: Target,
    /// Waiting (exact up to 100,000).
    pub pending: u64,
    /// Given up.
    pub dead: u64,
    /// `created_at` of the oldest waiting.
    pub oldest: Option<Timestamp>,
}

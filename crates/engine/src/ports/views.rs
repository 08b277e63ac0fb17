//! Reads for people: status, console, command line. Never a source for a write (INV-11).

use std::future::Future;

use domain::event::Target;
use domain::flight::Flight;
use domain::message::{ErrorClass, Labels, State};
use domain::{Flid, MsgId};
use jiff::Timestamp;

use super::StoreError;

/// The reading side of a store.
pub trait Views: Send + Sync + 'static {
    /// Exact counts of the own facts (INV-1): scans, for reports and start-up, not for a loop.
    fn five_facts(&self) -> impl Future<Output = Result<FiveFacts, StoreError>> + Send;

    /// Ends by TYPE, STYP, state and class, most frequent first.
    fn outcomes(&self) -> impl Future<Output = Result<Vec<OutcomeCount>, StoreError>> + Send;

    /// Watermark, head and backlog, by index.
    fn queue(&self) -> impl Future<Output = Result<QueueView, StoreError>> + Send;

    /// Open gaps and late rows.
    fn gaps(&self) -> impl Future<Output = Result<GapCount, StoreError>> + Send;

    /// The outbox by target.
    fn outbox(&self) -> impl Future<Output = Result<Vec<OutboxCount>, StoreError>> + Send;

    /// Flights for the board, by operation day and FLID, newest `last_by` first where they
    /// don't fit, at most `limit`.
    fn flights(&self, limit: usize) -> impl Future<Output = Result<Vec<Flight>, StoreError>> + Send;

    /// One flight; `None` if unknown.
    fn flight(&self, flid: Flid) -> impl Future<Output = Result<Option<Flight>, StoreError>> + Send;

    /// One message; `None` if unknown.
    fn message(&self, msg_id: MsgId) -> impl Future<Output = Result<Option<MessageView>, StoreError>> + Send;
}

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

/// The queue at a glance.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct QueueView {
    /// Watermark; `None` before the first start.
    pub watermark: Option<MsgId>,
    /// The head.
    pub head: Option<HeadView>,
    /// PENDING rows (exact up to 100,000, which then stands for "or more").
    pub pending: u64,
    /// FAILED rows.
    pub failed: u64,
    /// DEAD rows not yet archived.
    pub dead: u64,
    /// Terminal rows that owe a mark.
    pub unmarked: u64,
    /// `updated_at` of the oldest of them.
    pub oldest_unmarked: Option<Timestamp>,
}

/// The head of the queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeadView {
    /// The message.
    pub msg_id: MsgId,
    /// PENDING or FAILED.
    pub state: State,
    /// Failed attempts.
    pub attempts: u32,
    /// Next attempt.
    pub due: Option<Timestamp>,
    /// Class of the last failure.
    pub class: Option<ErrorClass>,
    /// Words of the last failure.
    pub error: Option<String>,
    /// When it was enqueued.
    pub enqueued_at: Timestamp,
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

/// One message with its facts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageView {
    /// The message.
    pub msg_id: MsgId,
    /// State.
    pub state: State,
    /// META texts.
    pub labels: Labels,
    /// Failed attempts.
    pub attempts: u32,
    /// Class.
    pub class: Option<ErrorClass>,
    /// Reason or error.
    pub last_error: Option<String>,
    /// Mailbox receive time.
    pub received_at: Option<Timestamp>,
    /// Enqueued.
    pub enqueued_at: Timestamp,
    /// Last change.
    pub updated_at: Timestamp,
    /// Marked.
    pub marked_at: Option<Timestamp>,
    /// Mark given up.
    pub abandoned_reason: Option<String>,
}

//! The own store: the only authority for what happened (INV-11).

use std::future::Future;
use std::time::Duration;

use domain::decide::{Effects, World};
use domain::event::{EventType, Target};
use domain::mailbox::{ClosedGap, OpenGap};
use domain::message::{Candidate, ErrorClass, IdentityKey};
use domain::{Epoch, EventId, Flid, MsgId};
use jiff::Timestamp;

use super::Landed;

/// The store port. Every write that belongs to the pipeline re-checks the lease epoch inside
/// its own transaction and answers [`StoreError::Fenced`] when another has taken over: a lock
/// is not a fence. Times are arguments; [`Store::now`] is the clock they come from.
pub trait Store: Send + Sync + 'static {
    /// The store's clock, microseconds.
    fn now(&self) -> impl Future<Output = Result<Timestamp, StoreError>> + Send;

    // ---- leadership -------------------------------------------------------------------

    /// Takes the lease if its heartbeat has expired on the store's clock (or it is free):
    /// epoch + 1, `owner`, heartbeat `ttl` ahead. `None` while another holds it.
    fn acquire_lease(
        &self,
        owner: &str,
        ttl: Duration,
    ) -> impl Future<Output = Result<Option<Epoch>, StoreError>> + Send;

    /// Moves the heartbeat `ttl` ahead if `epoch` is still the lease's; touches nothing else.
    /// `Fenced` if it isn't.
    fn renew_lease(&self, epoch: Epoch, ttl: Duration)
    -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Lets the heartbeat expire now, if `epoch` is still the lease's.
    fn release_lease(&self, epoch: Epoch) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Who holds the lease; for people.
    fn lease(&self) -> impl Future<Output = Result<Option<LeaseState>, StoreError>> + Send;

    // ---- discovery --------------------------------------------------------------------

    /// The watermark; `None` before [`Store::start_at`].
    fn cursor(&self) -> impl Future<Output = Result<Option<Cursor>, StoreError>> + Send;

    /// Sets the watermark for the first time, once, and enters `closed` in the ledger in the same
    /// transaction. Does nothing when a watermark exists.
    fn start_at(
        &self,
        epoch: Epoch,
        watermark: MsgId,
        closed: &[ClosedGap],
        at: Timestamp,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Every open gap, ascending.
    fn open_gaps(&self) -> impl Future<Output = Result<Vec<OpenGap>, StoreError>> + Send;

    /// Released ranges closed at or after `since`, newest first, at most `limit`.
    fn closed_gaps(
        &self,
        since: Timestamp,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<ClosedGap>, StoreError>> + Send;

    /// In one transaction (INV-2): raw bodies, `proc_state` rows as PENDING (a row that is
    /// there already stays as it is), the watermark moved from `enqueue.from` to
    /// `enqueue.to`, the ledger replaced. `Conflict` when the stored watermark isn't
    /// `enqueue.from`. Returns the IDs that were there already with another body (PRE-3).
    fn enqueue(
        &self,
        epoch: Epoch,
        enqueue: &Enqueue,
    ) -> impl Future<Output = Result<Vec<MsgId>, StoreError>> + Send;

    /// Notes rows found in released ranges; returns those not noted before.
    fn record_late(
        &self,
        ids: &[MsgId],
        at: Timestamp,
    ) -> impl Future<Output = Result<Vec<MsgId>, StoreError>> + Send;

    // ---- pump -------------------------------------------------------------------------

    /// The head and the rows behind it: PENDING or FAILED at or below the watermark (INV-3,
    /// INV-4), in ID order, due or not; at most `rows_max`, and bodies of about `bytes_max`
    /// together (one row always fits).
    fn head(
        &self,
        rows_max: usize,
        bytes_max: u64,
    ) -> impl Future<Output = Result<Vec<Candidate>, StoreError>> + Send;

    /// Holders of `keys` and the families of `flids`, as [`World`] defines them.
    fn world(
        &self,
        keys: &[IdentityKey],
        flids: &[Flid],
    ) -> impl Future<Output = Result<World, StoreError>> + Send;

    /// Writes a run's effects in one transaction (INV-8, INV-17), `effects.blocked` excepted:
    /// flights, events, terminal states with the intent to mark, attempts. Takes
    /// `PIPELINE_LOCK` if it touches flights. `Conflict` (and nothing written) if any message
    /// is no longer as it was read.
    fn commit_run(
        &self,
        epoch: Epoch,
        effects: &Effects,
        at: Timestamp,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Waits until no transaction of a run is under way (holds `PIPELINE_LOCK` once): after it,
    /// a commit whose answer was lost has either happened or never will.
    fn settle_doubt(&self) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The tries of one message, oldest first.
    fn attempts(&self, msg_id: MsgId) -> impl Future<Output = Result<Vec<AttemptLog>, StoreError>> + Send;

    // ---- outbox -----------------------------------------------------------------------

    /// PENDING events of a target that are due at `now`, in event order, at most `limit`; none
    /// whose key has an earlier PENDING event that is not due (CLM-7).
    fn due_events(
        &self,
        target: Target,
        now: Timestamp,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<OutboxEvent>, StoreError>> + Send;

    /// Writes outcomes, each conditional on event, version and PENDING; one transaction that
    /// re-checks the epoch. A row with a newer version stays PENDING. Returns how many applied.
    fn settle_events(
        &self,
        epoch: Epoch,
        settled: &[EventSettled],
        at: Timestamp,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    // ---- marks ------------------------------------------------------------------------

    /// Terminal messages that owe a mark due at `now`, in ID order, at most `limit`.
    fn due_marks(
        &self,
        now: Timestamp,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<DueMark>, StoreError>> + Send;

    /// Writes the outcomes of marks; rows already settled stay as they are. Idempotent. Needs no
    /// epoch: a mark states a committed terminal state whoever writes it.
    fn settle_marks(
        &self,
        settled: &[MarkSettled],
        at: Timestamp,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// The watermark W.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// Everything at or below is enqueued, or known as a gap in the ledger.
    pub watermark: MsgId,
}

/// What a poll leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enqueue {
    /// The watermark the plan was made on.
    pub from: MsgId,
    /// The watermark afterwards, at or above `from` (asserted).
    pub to: MsgId,
    /// Rows taken up.
    pub rows: Vec<Landed>,
    /// The ledger, if it changes.
    pub ledger: Option<Ledger>,
    /// Store time: `enqueued_at` and `updated_at` of the rows.
    pub at: Timestamp,
}

/// The gap ledger's change.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ledger {
    /// All open gaps from now on, ascending, without overlap.
    pub open: Vec<OpenGap>,
    /// Gaps closed now.
    pub closed: Vec<ClosedGap>,
}

/// Lease and heartbeat.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeaseState {
    /// Current epoch.
    pub epoch: Epoch,
    /// Identity of the process that took it.
    pub owner: String,
    /// When it expires unless renewed.
    pub expires_at: Timestamp,
}

/// A row of `msg_attempt`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AttemptLog {
    /// Number, from 1.
    pub attempt: u32,
    /// When.
    pub at: Timestamp,
    /// Class.
    pub class: ErrorClass,
    /// Words.
    pub error: String,
}

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

/// Why the store could not do it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Connection, shutdown, lock, serialisation, read-only, disk, memory: nobody's message is
    /// to blame; back off.
    #[error("store unavailable: {0}")]
    Unavailable(String),
    /// The answer to a commit was lost: look before going on ([`Store::settle_doubt`]).
    #[error("commit in doubt: {0}")]
    InDoubt(String),
    /// Another process holds the lease: stop.
    #[error("another process has taken over the pipeline (ours was epoch {0})")]
    Fenced(Epoch),
    /// What was read has changed meanwhile: read again.
    #[error("changed meanwhile: {0}")]
    Conflict(String),
    /// The data itself was refused (SQLSTATE 22, 23).
    #[error("data refused: {0}")]
    Data(String),
    /// A stored cell can't be read: never replaced by a default.
    #[error("corrupt value in {table}.{column}, row {row}: {text}")]
    Corrupt {
        /// Table.
        table: &'static str,
        /// Column.
        column: &'static str,
        /// Key of the row.
        row: String,
        /// What is wrong with it.
        text: String,
    },
}

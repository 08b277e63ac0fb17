//! The own store: the only authority for what happened (INV-11).

use std::future::Future;
use std::time::Duration;

use domain::decide::{Effects, World};
use domain::event::Target;
use domain::flight::HistoryDue;
use domain::mailbox::{ClosedGap, OpenGap};
use domain::message::{Candidate, ErrorClass, IdentityKey};
use domain::{Epoch, Flid, MsgId};
use jiff::Timestamp;

use super::{
    Accounts, Actions, Archive, DueMark, EventSettled, Landed, LoneTries, MarkSettled, OutboxEvent, Pauses,
    Retention, StoreError, StorePast,
};

/// The store port. Every write that belongs to the pipeline re-checks the lease epoch inside
/// its own transaction and answers [`StoreError::Fenced`] when another has taken over: a lock
/// is not a fence. Times are arguments; [`Store::now`] is the clock they come from.
pub trait Store:
    Accounts + Archive + Retention + Actions + LoneTries + Pauses + StorePast + Send + Sync + 'static
{
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

    /// Holders of `keys`, the families of `flids` and what history has of them, as [`World`]
    /// defines it.
    fn world(
        &self,
        keys: &[IdentityKey],
        flids: &[Flid],
    ) -> impl Future<Output = Result<World, StoreError>> + Send;

    /// Writes a run's effects in one transaction (INV-8, INV-17), `effects.blocked` excepted:
    /// flights and the steps of their timelines, events, terminal states with the intent to mark,
    /// attempts, and the count of each kind of end. Takes `PIPELINE_LOCK` if it touches flights.
    /// `Conflict` (and nothing written) if any message is no longer as it was read, a new flight
    /// is there already, or one that was there is newer or has become history (INV-18).
    fn commit_run(
        &self,
        epoch: Epoch,
        effects: &Effects,
        at: Timestamp,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Waits until no transaction of a run is under way (holds `PIPELINE_LOCK` once): after it,
    /// a commit whose answer was lost has either happened or never will.
    fn settle_doubt(&self) -> impl Future<Output = Result<(), StoreError>> + Send;

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

    // ---- history ----------------------------------------------------------------------

    /// Makes flights that are due history (INV-18), at most `limit`, main flights first, in one
    /// transaction that holds `PIPELINE_LOCK`. One that is ACTIVE gets the version after its last,
    /// and that version's tombstone. A flight stays while its main flight is there and
    /// ACTIVE, unless the two name each other: code-shares go with a later call.
    /// Returns how many went.
    fn sweep_flights(
        &self,
        epoch: Epoch,
        due: HistoryDue,
        limit: usize,
        at: Timestamp,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Deletes flights that became history before `before`, oldest first, at most `limit`. Returns
    /// how many.
    fn forget_history(
        &self,
        epoch: Epoch,
        before: Timestamp,
        limit: usize,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Deletes steps of timelines written before `before`, oldest first, at most `limit`. Returns
    /// how many.
    fn forget_changes(
        &self,
        epoch: Epoch,
        before: Timestamp,
        limit: usize,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;
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

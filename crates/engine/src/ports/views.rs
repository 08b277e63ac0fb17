//! Reads for people: status, console, command line. Never a source for a write (INV-11).

use std::future::Future;

use domain::flight::Flight;
use domain::message::{ErrorClass, Labels, State};
use domain::{Flid, MsgId};
use jiff::Timestamp;
use jiff::civil::Date;

use super::{
    ChangeView, FiveFacts, GapCount, KindCount, Messages, OutboxCount, OutcomeCount, PastView, StoreError,
};

/// The reading side of a store.
pub trait Views: Messages + Send + Sync + 'static {
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

    /// Flights of an operation day by FLID, at most `limit`.
    fn flights_of(
        &self,
        day: Date,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Flight>, StoreError>> + Send;

    /// Flights in history of an operation day by FLID and incarnation, at most `limit`.
    fn past_flights_of(
        &self,
        day: Date,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<PastView>, StoreError>> + Send;

    /// Every life of a flight in history, newest first.
    fn past_flights(&self, flid: Flid) -> impl Future<Output = Result<Vec<PastView>, StoreError>> + Send;

    /// The last `limit` steps of a flight's timeline, of all its lives, oldest first.
    fn flight_changes(
        &self,
        flid: Flid,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<ChangeView>, StoreError>> + Send;

    /// The current flights linked to a flight, by FLID, without itself: its main flight, its
    /// code-shares, its turnaround partner, and those that name it as theirs.
    fn relatives(&self, flid: Flid) -> impl Future<Output = Result<Vec<Flight>, StoreError>> + Send;

    /// How messages of each kind have ended since the beginning, most frequent first, at most
    /// [`KindCount::SHOWN_MAX`].
    fn message_kinds(&self) -> impl Future<Output = Result<Vec<KindCount>, StoreError>> + Send;

    /// One message; `None` if unknown.
    fn message(&self, msg_id: MsgId) -> impl Future<Output = Result<Option<MessageView>, StoreError>> + Send;
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

//! What the suites of archive and retention ask of a test module.

use std::future::Future;

use domain::EventId;
use domain::MsgId;
use domain::message::IdentityKey;
use jiff::Timestamp;

use crate::StoreHarness;

/// What a shadow row still says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shadow {
    /// The identity it holds.
    pub identity: Option<IdentityKey>,
    /// Since when it is one.
    pub archived_at: Timestamp,
}

/// A store whose rows others change by plain SQL.
pub trait KeepingHarness: StoreHarness {
    /// Reconciles a mark that was given up.
    fn reconcile(&self, msg_id: MsgId, at: Timestamp) -> impl Future<Output = ()>;

    /// Makes a dead letter PENDING again, as a replay does: attempts 0, no error, changed at `at`.
    fn replay(&self, msg_id: MsgId, at: Timestamp) -> impl Future<Output = ()>;

    /// Discards a DEAD event.
    fn discard(&self, event_id: EventId, at: Timestamp) -> impl Future<Output = ()>;

    /// Puts a row of a live message into the archive, where there must be none.
    fn occupy_archive(&self, msg_id: MsgId) -> impl Future<Output = ()>;

    /// A row that is ARCHIVED; `None` for any other. Panics when it says more than a [`Shadow`]:
    /// attempts and `backfill_attempts` are 0, `updated_at` and `enqueued_at` are `archived_at`,
    /// all else is NULL.
    fn shadow(&self, msg_id: MsgId) -> impl Future<Output = Option<Shadow>>;

    /// IDs in `proc_state_hst`, ascending.
    fn archived(&self) -> impl Future<Output = Vec<i64>>;

    /// IDs in `msg_raw`, ascending.
    fn bodies(&self) -> impl Future<Output = Vec<i64>>;
}

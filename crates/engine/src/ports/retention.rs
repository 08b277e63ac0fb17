//! What is forgotten by age alone: events that were delivered, bodies of messages that are over.

use std::future::Future;

use domain::Epoch;
use jiff::Timestamp;

use super::StoreError;

/// What a store forgets.
pub trait Retention: Send + Sync + 'static {
    /// Deletes SENT events whose acknowledgement (topic, partition, offset) is stored and was before
    /// `before`, and DEAD ones discarded before it, at most `limit` of each, in the order of their
    /// IDs. PENDING and other DEAD events stay. SENT is looked at again by the statement that
    /// deletes: a state row that takes a new generation meanwhile stays. Returns how many.
    fn forget_events(
        &self,
        epoch: Epoch,
        before: Timestamp,
        limit: usize,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Deletes bodies enqueued before `before`, of messages that are terminal, archived or
    /// forgotten, oldest first, at most `limit`. A message that is held by somebody else (it may be
    /// on its way to a replay) keeps its body. Returns how many.
    fn forget_bodies(
        &self,
        epoch: Epoch,
        before: Timestamp,
        limit: usize,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;
}

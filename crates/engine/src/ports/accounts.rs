//! What a store says of a range of IDs, for the comparison with the mailbox.

use std::future::Future;

use domain::MsgId;
use domain::mailbox::IdRange;
use domain::reconcile::Account;
use jiff::Timestamp;

use super::StoreError;

/// The own side of the reconciliation. Part of [`super::Store`]; nothing read here is a source for a
/// write (INV-11).
pub trait Accounts: Send + Sync + 'static {
    /// The messages of `range`, ascending, at most `limit`, by primary key and in one picture. Steps
    /// of flights before `told_since` are not looked at: their events may be forgotten.
    fn accounts(
        &self,
        range: IdRange,
        told_since: Timestamp,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Account>, StoreError>> + Send;

    /// Those of `ids` that were left out for good: before the declared start, or dismissed.
    fn left_out(&self, ids: &[MsgId]) -> impl Future<Output = Result<Vec<MsgId>, StoreError>> + Send;
}

//! What operators do: selections that are frozen, carried out row by row, and kept in the audit log.

use std::future::Future;

use domain::MsgId;
use domain::lifecycle::{Act, Facts};
use domain::message::{Candidate, Conclusion, ErrorClass, Labels, Settled, State};
use jiff::Timestamp;

use super::{AuditEntry, AuditFilter, Batch, Done, FrozenTarget, Operation, Progress, StoreError};

/// The operator's side of a store. None of it needs the lease: every write is conditional on what
/// is there ([`domain::lifecycle::judge`] is asked under the row's lock), waits for no lock that the
/// pipeline holds, and stands in one transaction with its audit.
pub trait Actions: Send + Sync + 'static {
    /// What `selection` means for `act`, by ID, above `after`, at most `limit`. IDs that aren't
    /// there come as [`Facts::Missing`]. Changes nothing, locks nothing.
    fn select(
        &self,
        act: Act,
        selection: &Selection,
        after: i64,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Selected>, StoreError>> + Send;

    /// Messages by ID with their bodies, whatever their state, for a look ahead.
    fn bodies(&self, ids: &[MsgId]) -> impl Future<Output = Result<Vec<Candidate>, StoreError>> + Send;

    /// Freezes an operation with its targets in one transaction. Does nothing where an operation of
    /// that ID is there, whatever its targets. Returns the operation as it is kept.
    fn confirm(
        &self,
        operation: &Operation,
        targets: &[FrozenTarget],
    ) -> impl Future<Output = Result<Progress, StoreError>> + Send;

    /// An operation; `None` if unknown.
    fn operation(&self, id: &str) -> impl Future<Output = Result<Option<Progress>, StoreError>> + Send;

    /// Targets of an operation that are still to be done, by ID, at most `limit`.
    fn open_targets(
        &self,
        operation: &str,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<i64>, StoreError>> + Send;

    /// Carries the operation out on some of its open targets, in one transaction: effect, progress
    /// and audit. A target that somebody else holds at this moment is left for the next time; one
    /// that is done already stays as it is. Never waits for a row. Returns what was done, by ID.
    fn carry_out(&self, batch: &Batch) -> impl Future<Output = Result<Vec<Done>, StoreError>> + Send;

    /// Entries of the audit log, newest first.
    fn audit(
        &self,
        filter: &AuditFilter,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<AuditEntry>, StoreError>> + Send;
}

/// What to act on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Selection {
    /// These, by ID.
    Ids(Vec<i64>),
    /// What matches all that is given.
    Filter(Filter),
}

/// Conditions; what is `None` matches everything. Those that a target doesn't have (an event has no
/// sender) are refused by the command line, and match nothing here.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Filter {
    /// Smallest ID.
    pub first: Option<i64>,
    /// Largest ID.
    pub last: Option<i64>,
    /// DEAD or FAILED, for acts on messages; `None` is DEAD.
    pub state: Option<State>,
    /// Class of the last failure.
    pub class: Option<ErrorClass>,
    /// TYPE; for events the target's name.
    pub kind: Option<String>,
    /// STYP.
    pub subtype: Option<String>,
    /// SNDR.
    pub sender: Option<String>,
    /// Taken up (found, written) at or after.
    pub since: Option<Timestamp>,
    /// Taken up (found, written) before.
    pub until: Option<Timestamp>,
    /// Part of the reason or error, in SQL's notation (`%` for anything); of the abandonment's
    /// reason for marks.
    pub reason_like: Option<String>,
}

/// A target with what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selected {
    /// Its ID.
    pub id: i64,
    /// As it is.
    pub facts: Facts,
    /// TYPE of a message; target of an event.
    pub kind: Option<String>,
    /// STYP of a message; FLID of an event.
    pub subtype: Option<String>,
    /// Its error, for people.
    pub error: Option<String>,
    /// It lies in the archive and is brought back in the transaction of its replay.
    pub is_archived: bool,
}

impl Selected {
    /// Something that isn't there.
    pub fn missing(id: i64) -> Self {
        Self { id, facts: Facts::Missing, kind: None, subtype: None, error: None, is_archived: false }
    }

    /// The end of a message that an operator skips, as far as it is counted.
    pub fn skipped(&self, reason: &str) -> Settled {
        let labels = Labels { kind: self.kind.clone(), subtype: self.subtype.clone(), ..Labels::default() };
        Settled {
            msg_id: MsgId(self.id),
            attempts_seen: 0,
            attempts: 0,
            conclusion: Conclusion::Skipped { reason: reason.to_owned() },
            attempt_failure: None,
            labels,
            identity: None,
            content_hash: None,
            yields: None,
        }
    }
}

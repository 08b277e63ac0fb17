//! What operators do: selections that are frozen, carried out row by row, and kept in the audit log.

use std::future::Future;

use domain::MsgId;
use domain::lifecycle::{Act, Change, Facts, judge};
use domain::message::{Candidate, Conclusion, ErrorClass, Labels, Settled, State, text};
use jiff::Timestamp;

use super::{Landed, StoreError};

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

/// An operation: one act, one reason, one frozen selection.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its name, at most 64 characters; repeating it changes nothing more.
    pub id: String,
    /// The act.
    pub act: Act,
    /// Who, at most 100 characters.
    pub by: String,
    /// Why, at most 1,000 characters.
    pub reason: String,
    /// The selection in words, at most 1,000 characters.
    pub selection: String,
    /// When it was confirmed.
    pub at: Timestamp,
}

/// A target as it was when it was selected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FrozenTarget {
    /// Its ID.
    pub id: i64,
    /// [`Facts::seen`].
    pub seen: String,
}

/// An operation and how far it has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// The operation.
    pub operation: Operation,
    /// Targets in all.
    pub targets: u64,
    /// Of these, done.
    pub done: u64,
    /// Of these, refused by the gate.
    pub refused: u64,
}

impl Progress {
    /// Targets still to be done.
    pub fn open(&self) -> u64 {
        self.targets.saturating_sub(self.done + self.refused)
    }
}

/// Some targets of an operation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Batch {
    /// The operation's ID.
    pub operation: String,
    /// Which targets.
    pub ids: Vec<i64>,
    /// For admitting: the rows as the mailbox has them. One that isn't here is gone.
    pub landed: Vec<Landed>,
    /// Store time.
    pub at: Timestamp,
}

/// What became of a target.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Done {
    /// The target.
    pub id: i64,
    /// Done, or refused.
    pub outcome: Outcome,
    /// From what to what, or why not.
    pub detail: String,
}

impl Done {
    /// The gate's answer for one target, and what it leads to; `None` when it refused.
    pub fn judged(act: Act, id: i64, facts: &Facts, seen: &str) -> (Option<Change>, Self) {
        match judge(act, facts, seen) {
            Ok(change) => (Some(change), Self::did(id, &format!("{seen} -> {}", change.as_words()))),
            Err(refusal) => (None, Self::refused(id, &refusal.0)),
        }
    }

    /// Carried out.
    pub fn did(id: i64, detail: &str) -> Self {
        Self { id, outcome: Outcome::Done, detail: text(detail, DETAIL_CHARS_MAX) }
    }

    /// Refused, with the reason.
    pub fn refused(id: i64, detail: &str) -> Self {
        Self { id, outcome: Outcome::Refused, detail: text(detail, DETAIL_CHARS_MAX) }
    }
}

/// Longest detail kept, in characters.
const DETAIL_CHARS_MAX: usize = 1_000;

/// `operation_target.outcome` and `audit_log.outcome`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Carried out.
    Done,
    /// Refused by the gate; nothing changed.
    Refused,
}

impl Outcome {
    /// Name in the store and on every surface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Done => "DONE",
            Self::Refused => "REFUSED",
        }
    }

    /// The outcome of a stored name; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Done, Self::Refused].into_iter().find(|outcome| outcome.as_str() == name)
    }
}

/// A row of `audit_log`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// When.
    pub at: Timestamp,
    /// Who.
    pub by: String,
    /// What.
    pub act: Act,
    /// To what: the ID of a message, row or event, or the name of a room.
    pub target_id: String,
    /// Why.
    pub reason: String,
    /// In which operation.
    pub operation: String,
    /// With what outcome.
    pub outcome: Outcome,
    /// From what to what, or why not.
    pub detail: String,
}

/// Which entries of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// Of one target: what kind, and its ID or name.
    pub target: Option<(domain::lifecycle::Target, String)>,
    /// Of one operation.
    pub operation: Option<String>,
    /// Of one person.
    pub by: Option<String>,
    /// At or after.
    pub since: Option<Timestamp>,
}

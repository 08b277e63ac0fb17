//! Operations of an operator, frozen and carried out, and the audit log.

use domain::lifecycle::{Act, Change, Facts, Target, judge};
use domain::message::text;
use jiff::Timestamp;

use super::Landed;

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
    pub target: Option<(Target, String)>,
    /// Of one operation.
    pub operation: Option<String>,
    /// Of one person.
    pub by: Option<String>,
    /// At or after.
    pub since: Option<Timestamp>,
}

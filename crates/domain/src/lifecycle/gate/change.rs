//! What an allowed act does to its target.

/// What an allowed act does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// DEAD becomes PENDING with its attempts kept: from that, reading it knows that it has one
    /// attempt. Class, words, identity and mark stay as they are.
    Replay,
    /// A FAILED head is due now.
    TryNow,
    /// SKIPPED, with who and why as its reason, no class, no identity; owes a mark unless it was
    /// marked or its mark was given up before.
    Skip,
    /// The mark is owed again from now on. Past R that is one last try.
    OweMark,
    /// The mark is accounted for: who, when, why.
    Reconcile,
    /// PENDING, enqueued now.
    Admit,
    /// Left alone for good.
    Dismiss,
    /// PENDING with its old version, said to be late; refused once more it is DEAD again.
    SendLate,
    /// Given up for good.
    Discard,
}

impl Change {
    /// What the target is afterwards, for the audit log.
    pub fn as_words(self) -> &'static str {
        match self {
            Self::Replay => "PENDING, one attempt",
            Self::TryNow => "FAILED, due now",
            Self::Skip => "SKIPPED",
            Self::OweMark => "mark owed again",
            Self::Reconcile => "reconciled",
            Self::Admit => "PENDING",
            Self::Dismiss => "DISMISSED",
            Self::SendLate => "PENDING, late",
            Self::Discard => "DISCARDED",
        }
    }
}

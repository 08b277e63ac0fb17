//! What discovery tells about the mailbox as a whole: is it the one that was read, and what can it
//! prove?

use std::time::Duration;

use domain::mailbox::IdRange;
use metrics::{counter, gauge};
use tracing::{error, info, warn};

use super::catalogue::{GAPS_HELD, PREMISE, STOPPED};

/// The mailbox is not the one that was read (PRE-3): discovery is stopped.
pub struct ContinuityBroken {
    /// Which IDs, and what its owner must do.
    pub words: String,
}

impl ContinuityBroken {
    /// Tells it.
    pub fn emit(self) {
        gauge!(STOPPED).set(1.0);
        counter!(PREMISE, "premise" => "PRE-3").increment(1);
        error!("{}", self.words);
    }
}

/// The mailbox is the one that was read: found at the start, on a new connection, or again.
pub struct ContinuityRestored;

impl ContinuityRestored {
    /// Tells it.
    pub fn emit(self) {
        gauge!(STOPPED).set(0.0);
        info!("the mailbox is the one that was read: numbering and recent rows are as expected");
    }
}

/// A gap is as old as a commit may take, and a transaction that may own it is still open (DEC-5).
pub struct GapHeld {
    /// The missing IDs.
    pub range: IdRange,
    /// How many transactions.
    pub transactions: usize,
    /// Longest hold.
    pub hold_max: Duration,
}

impl GapHeld {
    /// Tells it.
    pub fn emit(self) {
        let Self { range: IdRange { first, last }, transactions, hold_max } = self;
        counter!(GAPS_HELD).increment(1);
        counter!(PREMISE, "premise" => "PRE-2").increment(1);
        error!(
            first = first.0,
            last = last.0,
            transactions,
            ?hold_max,
            "a gap is older than mailbox.max-commit-delay, and transactions that may own it are still open: it is \
             held until they end or mailbox.gap-hold-max has passed, and everything behind it waits"
        );
    }
}

/// Transactions prove nothing here: age decides.
pub struct EvidenceUnusable {
    /// Why.
    pub why: String,
}

impl EvidenceUnusable {
    /// Tells it.
    pub fn emit(self) {
        warn!("mailbox.gap-evidence = transactions can't be used, age decides instead: {}", self.why);
    }
}

//! Evidence of transactions (DEC-5, `mailbox.gap-evidence = transactions`): a missing ID is dead
//! when every transaction that was open once the gap had been seen has ended. Who began later owns
//! higher IDs.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::{IdRange, OpenGap};

/// Least time from a gap's first sight to the look that fixes its candidates, and from that to the
/// one that clears it: an ID is taken a moment before its transaction is seen to hold the table.
pub const LOOKS_APART: Duration = Duration::from_secs(1);

/// A transaction that is open on the mailbox's server and has touched a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenTransaction {
    /// The server's number of its connection; 0 for one without (a prepared XA transaction whose
    /// connection has ended).
    pub thread: u64,
    /// When it began, as the server writes it; compared, never read.
    pub started: String,
}

/// How long a gap may wait for transactions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// `mailbox.max-commit-delay`: a candidate alive then is worth an alarm.
    pub max_commit_delay: Duration,
    /// `mailbox.gap-hold-max`: then age decides.
    pub hold_max: Duration,
}

/// What the looks at open transactions have shown, over one connection to one server. Kept in
/// memory alone: whoever starts looks anew.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Witness {
    /// By the time the gap was first seen: parts of the ledger that came into view together have the
    /// same candidates, however they split later.
    cases: BTreeMap<Timestamp, Case>,
    /// The last look could not be had.
    blind: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Case {
    fixed_at: Timestamp,
    /// Candidates that a look has shown ever since; with none left after a second look the gap is dead.
    alive: Vec<OpenTransaction>,
    cleared: bool,
    alarmed: bool,
}

impl Witness {
    /// Takes a look into account that began and ended at these times of the own store.
    pub fn note(&mut self, open: &[OpenGap], seen: &[OpenTransaction], began: Timestamp, ended: Timestamp) {
        self.blind = false;
        self.cases.retain(|first_seen, _| open.iter().any(|gap| gap.first_seen == *first_seen));
        for gap in open {
            match self.cases.get_mut(&gap.first_seen) {
                None if late_enough(gap.first_seen, began) => {
                    let case = Case { fixed_at: ended, alive: seen.to_vec(), cleared: false, alarmed: false };
                    self.cases.insert(gap.first_seen, case);
                }
                Some(case) if late_enough(case.fixed_at, began) => {
                    case.alive.retain(|candidate| seen.iter().any(|other| candidate.may_be(other)));
                    case.cleared = case.alive.is_empty();
                }
                None | Some(_) => {}
            }
        }
    }

    /// Open transactions can't be seen: for gaps without candidates age decides.
    pub fn go_blind(&mut self) {
        self.blind = true;
    }

    /// Ranges whose verdict is complete: cleared, or so old that age decides. Ask before a poll.
    pub fn dead(&self, open: &[OpenGap], server: &str, now: Timestamp, patience: Patience) -> Vec<IdRange> {
        let dead = |gap: &&OpenGap| match self.cases.get(&gap.first_seen) {
            Some(case) if case.cleared => true,
            None if self.blind => is_old(gap, now, patience.max_commit_delay),
            Some(_) | None => is_old(gap, now, patience.hold_max.max(patience.max_commit_delay)),
        };
        open.iter().filter(|gap| gap.server == server).filter(dead).map(|gap| gap.range).collect()
    }

    /// Ranges that no open transaction can own any more.
    pub fn cleared(&self, open: &[OpenGap], server: &str) -> Vec<IdRange> {
        let cleared = |gap: &&OpenGap| self.cases.get(&gap.first_seen).is_some_and(|case| case.cleared);
        open.iter().filter(|gap| gap.server == server).filter(cleared).map(|gap| gap.range).collect()
    }

    /// Gaps whose candidates are alive after `max_commit_delay`, each once, with how many they are.
    pub fn overdue(&mut self, open: &[OpenGap], now: Timestamp, patience: Patience) -> Vec<(IdRange, usize)> {
        let delay = patience.max_commit_delay;
        let mut overdue = Vec::new();
        for gap in open.iter().filter(|gap| is_old(gap, now, delay)) {
            if let Some(case) = self.cases.get(&gap.first_seen)
                && !case.cleared
                && !case.alarmed
            {
                overdue.push((gap.range, case.alive.len()));
            }
        }
        for gap in open.iter().filter(|gap| is_old(gap, now, delay)) {
            self.cases.entry(gap.first_seen).and_modify(|case| case.alarmed = true);
        }
        overdue
    }
}

impl OpenTransaction {
    /// Is `other`, seen later, the same one? A prepared transaction loses its connection, not its
    /// beginning.
    fn may_be(&self, other: &Self) -> bool {
        self.started == other.started && (self.thread == other.thread || other.thread == 0)
    }
}

fn late_enough(after: Timestamp, began: Timestamp) -> bool {
    began.duration_since(after) >= signed(LOOKS_APART)
}

fn is_old(gap: &OpenGap, now: Timestamp, age: Duration) -> bool {
    now.duration_since(gap.first_seen) >= signed(age)
}

fn signed(duration: Duration) -> SignedDuration {
    SignedDuration::try_from(duration).unwrap_or(SignedDuration::MAX)
}

#[cfg(test)]
#[path = "evidence_tests.rs"]
mod tests;

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
mod tests {
    use super::*;
    use crate::MsgId;

    const PATIENCE: Patience =
        Patience { max_commit_delay: Duration::from_secs(300), hold_max: Duration::from_secs(1_800) };

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("small")
    }

    fn gap(id: i64, seen: i64) -> OpenGap {
        let range = IdRange { first: MsgId(id), last: MsgId(id) };
        OpenGap { range, first_seen: at(seen), server: "a".into() }
    }

    fn transactions(given: &[(u64, &str)]) -> Vec<OpenTransaction> {
        let one = |(thread, started): &(u64, &str)| OpenTransaction {
            thread: *thread,
            started: (*started).to_owned(),
        };
        given.iter().map(one).collect()
    }

    /// Looks at these seconds (each takes no time), and which gaps are dead then.
    fn dead_after(open: &[OpenGap], looks: &[(i64, &[(u64, &str)])]) -> Vec<i64> {
        let mut witness = Witness::default();
        for (second, seen) in looks {
            witness.note(open, &transactions(seen), at(*second), at(*second));
        }
        witness.cleared(open, "a").into_iter().map(|range| range.first.0).collect()
    }

    #[test]
    fn dec_05_a_gap_is_dead_when_a_later_look_shows_none_of_its_candidates() {
        let open = [gap(3, 100)];
        let (one, two): (&[(u64, &str)], &[(u64, &str)]) = (&[(7, "x")], &[(7, "x"), (8, "y")]);
        for (looks, expected) in [
            (vec![(101, one)], vec![]),                                  // the first only fixes
            (vec![(101, one), (102, one)], vec![]),                      // still open
            (vec![(101, one), (102, &[])], vec![3]),                     // has ended
            (vec![(101, &[]), (102, &[])], vec![3]),                     // nobody was there
            (vec![(100, &[]), (101, one), (102, one)], vec![]),          // the first came too early
            (vec![(101, one), (101, &[])], vec![]),                      // the second came too early
            (vec![(101, two), (102, one)], vec![]),                      // one of two is open
            (vec![(101, two), (102, one), (103, &[(8, "y")])], vec![3]), // what ended stays ended
            (vec![(101, one), (102, &[(9, "z")])], vec![3]),             // began later: owns higher IDs
            (vec![(101, one), (102, &[(7, "later")])], vec![3]),         // the same connection, another one
            (vec![(101, one), (102, &[(0, "x")])], vec![]), // prepared, and its connection is gone
            (vec![(101, &[(0, "x")]), (102, &[(0, "x")])], vec![]),
        ] {
            assert_eq!(dead_after(&open, &looks), expected, "{looks:?}");
        }
    }

    #[test]
    fn dec_05_each_gap_has_its_own_candidates_and_another_server_proves_nothing() {
        let elsewhere = OpenGap { server: "b".into(), ..gap(9, 100) };
        let open = [gap(3, 100), gap(5, 101), elsewhere];
        let long: &[(u64, &str)] = &[(7, "x")];
        assert_eq!(dead_after(&open, &[(101, &[]), (102, long), (103, long)]), [3]);
        let parts =
            [OpenGap { range: IdRange { first: MsgId(3), last: MsgId(4) }, ..gap(3, 100) }, gap(6, 100)];
        assert_eq!(dead_after(&parts, &[(101, &[]), (102, long)]), [3, 6]);
    }

    #[test]
    fn dec_05_age_decides_where_nothing_can_be_seen_and_after_the_longest_hold() {
        let open = [gap(3, 0)];
        let blind = |seen: Option<&[(u64, &str)]>| {
            let mut witness = Witness::default();
            if let Some(seen) = seen {
                witness.note(&open, &transactions(seen), at(1), at(1));
            }
            witness.go_blind();
            witness
        };
        let long: &[(u64, &str)] = &[(7, "x")];
        for (witness, second, is_dead) in [
            (Witness::default(), 1_799, false), // no look yet: one will come
            (Witness::default(), 1_800, true),
            (blind(None), 299, false),
            (blind(None), 300, true),
            (blind(Some(long)), 300, false), // was open when last seen
            (blind(Some(long)), 1_799, false),
            (blind(Some(long)), 1_800, true),
        ] {
            let dead = witness.dead(&open, "a", at(second), PATIENCE);
            assert_eq!(!dead.is_empty(), is_dead, "{second} {witness:?}");
            assert_eq!(witness.dead(&open, "b", at(second), PATIENCE), [], "another server");
        }
    }

    #[test]
    fn dec_05_a_candidate_alive_after_the_delay_is_told_once() {
        let open = [gap(3, 100), gap(4, 350)];
        let mut witness = Witness::default();
        let seen = transactions(&[(7, "x")]);
        witness.note(&open, &seen, at(351), at(351));
        assert_eq!(witness.overdue(&open, at(399), PATIENCE), []);
        assert_eq!(witness.overdue(&open, at(400), PATIENCE), [(gap(3, 0).range, 1)]);
        assert_eq!(witness.overdue(&open, at(401), PATIENCE), []);
        witness.note(&open, &[], at(402), at(402));
        assert_eq!(witness.overdue(&open, at(700), PATIENCE), [], "both have ended");
    }
}

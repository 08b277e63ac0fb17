//! Watermark and gaps as arithmetic (INV-2, DEC-5): which rows a poll may take up, how far
//! the watermark goes, and what the gap ledger says afterwards.

mod continuity;
mod evidence;
mod plan;
mod ranges;

use jiff::Timestamp;

use crate::MsgId;
pub use continuity::{Break, KeptBody, NEWEST, Shown, continuity};
pub use evidence::{LOOKS_APART, OpenTransaction, Patience, Witness};
pub use plan::{Look, Plan, dead, plan};
use ranges::RangeSet;
pub use ranges::missing;

/// An inclusive range of IDs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdRange {
    /// First ID.
    pub first: MsgId,
    /// Last ID, not below `first`.
    pub last: MsgId,
}

/// A hole above the watermark that has been seen and not yet decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenGap {
    /// The missing IDs.
    pub range: IdRange,
    /// When it was first in view, on the own store's clock; durable.
    pub first_seen: Timestamp,
    /// `@@server_id` that showed it: another server starts its window anew.
    pub server: String,
}

/// Why a range of the ledger is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GapVerdict {
    /// Released: first seen `max-commit-delay` ago (`gap-hold-max` where a transaction that may own
    /// it is still open) and still not there.
    ReleasedByAge,
    /// Released: every transaction that may have owned it has ended, and it is still not there.
    ReleasedByTransactions,
    /// Below the declared start position.
    BeforeStart,
    /// Not there at the first start, just below its position: a transaction that was open then may
    /// own it, so it is looked at again like a released gap.
    MissingAtStart,
}

impl GapVerdict {
    /// Every verdict.
    pub const ALL: [Self; 4] =
        [Self::ReleasedByAge, Self::ReleasedByTransactions, Self::BeforeStart, Self::MissingAtStart];

    /// May a row still appear in such a range that was never meant to be left out?
    pub fn is_audited(self) -> bool {
        match self {
            Self::ReleasedByAge | Self::ReleasedByTransactions | Self::MissingAtStart => true,
            Self::BeforeStart => false,
        }
    }

    /// Name in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReleasedByAge => "released:age",
            Self::ReleasedByTransactions => "released:transactions",
            Self::BeforeStart => "released:before-start",
            Self::MissingAtStart => "released:missing-at-start",
        }
    }

    /// The verdict of a stored name; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|verdict| verdict.as_str() == name)
    }
}

/// A closed range of the ledger, kept and re-read for late rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClosedGap {
    /// The IDs.
    pub range: IdRange,
    /// When it was first in view.
    pub first_seen: Timestamp,
    /// When it was closed.
    pub closed_at: Timestamp,
    /// Why.
    pub verdict: GapVerdict,
}

/// How many leading IDs of `visible` (ascending) a poll may take up: the consecutive ones after
/// `watermark`, passing over holes that lie wholly in `dead` (verdict complete before the poll
/// began), never over an existing row. Adapters use it to fetch the bodies of just these.
///
/// `step` is the declared distance between two IDs, at least 1: rows nearer to each other than
/// that have no hole between them.
pub fn takeable(watermark: MsgId, visible: &[MsgId], dead: &[IdRange], step: i64) -> usize {
    let dead = RangeSet::union(dead.iter().copied());
    let mut below = watermark;
    let mut count = 0;
    for id in visible {
        if hole(below, *id, step).is_some_and(|hole| !dead.covers(hole)) {
            break;
        }
        below = *id;
        count += 1;
    }
    count
}

/// The hole between two rows that follow each other, if the series has room for one: all IDs
/// between them, so that the audit for late rows also finds one outside the series.
fn hole(below: MsgId, above: MsgId, step: i64) -> Option<IdRange> {
    if above.0.saturating_sub(below.0) > step.max(1) { ranges::between(below, above) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(ids: &[i64]) -> Vec<MsgId> {
        ids.iter().copied().map(MsgId).collect()
    }

    #[test]
    fn inv_02_takes_consecutive_rows_and_passes_over_dead_holes_alone() {
        let dead =
            [(3, 4), (5, 5), (9, 9)].map(|(first, last)| IdRange { first: MsgId(first), last: MsgId(last) });
        for (watermark, visible, step, expected) in [
            (0, vec![], 1, 0),
            (0, vec![1, 2], 1, 2),
            (0, vec![2, 3], 1, 0),
            (2, vec![6, 7], 1, 2),     // a hole of two adjacent dead ranges
            (2, vec![6, 8, 10], 1, 1), // 7 isn't dead, though 9 is
            (2, vec![4, 5, 6], 1, 3),  // the filled part of a dead range is taken, not skipped
            (1, vec![6], 1, 0),        // 2 isn't dead
            (10, vec![12, 14, 18], 2, 2),
            (10, vec![11, 12, 14], 2, 3), // a row outside the series is never passed over
        ] {
            assert_eq!(
                takeable(MsgId(watermark), &ids(&visible), &dead, step),
                expected,
                "{watermark} {visible:?}"
            );
        }
    }
}

//! A set of IDs as ranges: a jump of a million is one of them.

use super::IdRange;
use crate::MsgId;

/// Ascending ranges that neither overlap nor touch.
#[derive(Debug, Default)]
pub(super) struct RangeSet(Vec<IdRange>);

impl RangeSet {
    /// The union of `ranges`, in any order.
    pub(super) fn union(ranges: impl IntoIterator<Item = IdRange>) -> Self {
        let mut sorted: Vec<IdRange> = ranges.into_iter().filter(|range| range.first <= range.last).collect();
        sorted.sort_unstable();
        let mut joined: Vec<IdRange> = Vec::with_capacity(sorted.len());
        for range in sorted {
            match joined.last_mut() {
                Some(last) if range.first.0 <= last.last.0.saturating_add(1) => {
                    last.last = last.last.max(range.last);
                }
                Some(_) | None => joined.push(range),
            }
        }
        Self(joined)
    }

    /// Is every ID of `wanted` in the set?
    pub(super) fn covers(&self, wanted: IdRange) -> bool {
        let after = self.0.partition_point(|range| range.first <= wanted.first);
        after > 0 && self.0[after - 1].last >= wanted.last
    }
}

impl IdRange {
    /// The IDs both ranges have; `None` if there are none.
    pub(super) fn overlap(self, other: Self) -> Option<Self> {
        let first = self.first.max(other.first);
        let last = self.last.min(other.last);
        (first <= last).then_some(Self { first, last })
    }
}

/// The range between two IDs, both left out; `None` if nothing lies between.
pub(super) fn between(below: MsgId, above: MsgId) -> Option<IdRange> {
    let first = MsgId(below.0.saturating_add(1));
    let last = MsgId(above.0.saturating_sub(1));
    (first <= last).then_some(IdRange { first, last })
}

/// What of `range` is not among `present` (ascending).
pub fn missing(range: IdRange, present: &[MsgId]) -> Vec<IdRange> {
    let below = MsgId(range.first.0.saturating_sub(1));
    let above = MsgId(range.last.0.saturating_add(1));
    let bounds: Vec<MsgId> = std::iter::once(below).chain(present.iter().copied()).chain([above]).collect();
    bounds.windows(2).filter_map(|pair| between(pair[0], pair[1])).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn range(first: i64, last: i64) -> IdRange {
        IdRange { first: MsgId(first), last: MsgId(last) }
    }

    #[test]
    fn what_is_missing_of_a_range_lies_between_what_is_there() {
        let ids = |ids: &[i64]| ids.iter().copied().map(MsgId).collect::<Vec<_>>();
        assert_eq!(missing(range(5, 9), &ids(&[])), [range(5, 9)]);
        assert_eq!(missing(range(5, 9), &ids(&[5, 7, 8])), [range(6, 6), range(9, 9)]);
        assert_eq!(missing(range(5, 6), &ids(&[5, 6])), []);
    }

    #[test]
    fn adjacent_ranges_cover_together() {
        let set = RangeSet::union([range(8, 9), range(1, 3), range(4, 5)]);
        for (wanted, covered) in [
            (range(1, 5), true),
            (range(2, 4), true),
            (range(5, 6), false),
            (range(8, 9), true),
            (range(4, 8), false),
            (range(0, 1), false),
        ] {
            assert_eq!(set.covers(wanted), covered, "{wanted:?}");
        }
    }
}

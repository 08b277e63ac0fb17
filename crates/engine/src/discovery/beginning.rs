//! Where a mailbox that was never read is begun, and what the ledger says of what lies below.

use domain::MsgId;
use domain::mailbox::{ClosedGap, GapVerdict, IdRange, missing};
use jiff::Timestamp;

use crate::settings::StartAt;

/// IDs below the smallest visible one that may belong to transactions still open when a mailbox is
/// first read. They are waited for like any gap; what lies deeper is taken as purged.
const IN_FLIGHT_IDS: i64 = 10_000;
/// The same as a number of rows.
pub(super) const IN_FLIGHT_MAX: usize = 10_000;

/// The watermark to begin with: one step below the first ID to take up, or for `earliest` so far
/// below it that a row committed after its successors is not lost.
pub(super) fn start(start_at: StartAt, first: Option<MsgId>, last: Option<MsgId>, step: i64) -> MsgId {
    let below = |id: MsgId| MsgId((id.0 - step.max(1)).max(0));
    match start_at {
        StartAt::Earliest => first.map_or(MsgId(0), |id| MsgId((below(id).0 - IN_FLIGHT_IDS).max(0))),
        StartAt::Latest => last.unwrap_or(MsgId(0)),
        StartAt::Id(id) => below(id),
    }
}

/// IDs at the start position whose absence is not final: `latest` and `<id>` pass over rows, but a
/// transaction that is open now may still own one of the holes between them.
pub(super) fn doubtful(start_at: StartAt, watermark: MsgId) -> Option<IdRange> {
    match start_at {
        StartAt::Earliest => None,
        StartAt::Latest | StartAt::Id(_) => {
            let first = MsgId((watermark.0 - IN_FLIGHT_IDS + 1).max(1));
            (first <= watermark).then_some(IdRange { first, last: watermark })
        }
    }
}

/// What the ledger says of the IDs up to the start position: all of them are before the start, and
/// the missing ones of the doubtful range stay under audit.
pub(super) fn closed_at_start(
    start_at: StartAt,
    watermark: MsgId,
    present: &[MsgId],
    at: Timestamp,
) -> Vec<ClosedGap> {
    if watermark < MsgId(1) {
        return Vec::new();
    }
    let close = |range, verdict| ClosedGap { range, first_seen: at, closed_at: at, verdict };
    let before = IdRange { first: MsgId(1), last: watermark };
    let holes = doubtful(start_at, watermark).map_or_else(Vec::new, |range| missing(range, present));
    let holes = holes.into_iter().map(|range| close(range, GapVerdict::MissingAtStart));
    std::iter::once(close(before, GapVerdict::BeforeStart)).chain(holes).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_start_begins_below_the_first_row_to_take_up() {
        let (first, last) = (Some(MsgId(20_101)), Some(MsgId(20_140)));
        for (start_at, first, last, step, watermark) in [
            (StartAt::Earliest, first, last, 1, 10_100),
            (StartAt::Earliest, first, last, 2, 10_099),
            (StartAt::Earliest, None, None, 1, 0),
            (StartAt::Earliest, Some(MsgId(52)), last, 1, 0),
            (StartAt::Latest, first, last, 1, 20_140),
            (StartAt::Latest, None, None, 1, 0),
            (StartAt::Id(MsgId(20_120)), first, last, 1, 20_119),
        ] {
            assert_eq!(start(start_at, first, last, step), MsgId(watermark), "{start_at:?} {step}");
        }
    }

    #[test]
    fn holes_just_below_the_start_stay_under_audit() {
        let at = Timestamp::UNIX_EPOCH;
        let ranges = |start_at, watermark, present: &[i64]| {
            let present: Vec<MsgId> = present.iter().copied().map(MsgId).collect();
            let closed = closed_at_start(start_at, MsgId(watermark), &present, at);
            closed.iter().map(|gap| (gap.range.first.0, gap.range.last.0, gap.verdict)).collect::<Vec<_>>()
        };
        let (before, hole) = (GapVerdict::BeforeStart, GapVerdict::MissingAtStart);
        assert_eq!(ranges(StartAt::Latest, 5, &[1, 2, 5]), [(1, 5, before), (3, 4, hole)]);
        assert_eq!(
            ranges(StartAt::Id(MsgId(20_001)), 20_000, &[]),
            [(1, 20_000, before), (10_001, 20_000, hole)]
        );
        assert_eq!(ranges(StartAt::Earliest, 5, &[]), [(1, 5, before)]);
        assert_eq!(ranges(StartAt::Latest, 0, &[]), []);
    }
}

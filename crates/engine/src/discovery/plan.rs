//! What to ask of the mailbox and what to write afterwards.

use domain::MsgId;
use domain::mailbox::{ClosedGap, GapVerdict, IdRange, Look, OpenGap, Plan, dead, missing, plan};
use jiff::Timestamp;

use crate::ports::{Enqueue, Ledger, Poll, PollRequest};
use crate::settings::{DiscoverySettings, StartAt};

/// What the store said last: W and the open ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) watermark: MsgId,
    pub(super) open: Vec<OpenGap>,
}

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

/// The next poll. Ask *before* it begins: `now` completes the verdicts it may rely on (DEC-5).
pub(super) fn request(
    known: &Known,
    server: Option<&str>,
    now: Timestamp,
    step: i64,
    settings: &DiscoverySettings,
) -> PollRequest {
    let verdict = |server| dead(&known.open, server, now, settings.max_commit_delay);
    PollRequest {
        after: known.watermark,
        dead: server.map_or_else(Vec::new, verdict),
        step,
        ids_max: settings.ids_max,
        rows_max: settings.rows_max,
        bodies: settings.bodies,
    }
}

/// What a poll leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// To be written; `None` when there is nothing.
    pub(super) enqueue: Option<Enqueue>,
    /// What the store says once it is written.
    pub(super) then: Known,
    /// Holes that came into view.
    pub(super) opened: Vec<IdRange>,
    /// Rows seen that stay above the watermark.
    pub(super) waiting: u64,
    /// A row outside the declared series was seen.
    pub(super) off_series: bool,
}

/// Compares the poll with what is known. `now` is read after the poll, so that no window counts
/// time before its gap was seen.
pub(super) fn found(known: &Known, poll: Poll, verdict: &[IdRange], now: Timestamp, step: i64) -> Found {
    let visible: Vec<MsgId> = poll.visible.iter().map(|row| row.id).collect();
    let taken: Vec<MsgId> = poll.landed.iter().map(|row| row.id).collect();
    let Plan { to, open, closed, changed, off_series } = plan(&Look {
        watermark: known.watermark,
        visible: &visible,
        taken: &taken,
        open: &known.open,
        dead: verdict,
        server: &poll.server,
        now,
        step,
    });
    assert!(to >= known.watermark, "the watermark never goes back (INV-2)");
    let rows = poll.landed.into_iter().filter(|row| row.id <= to).collect();
    let ledger_changed = open != known.open || !closed.is_empty();
    let opened = opened(&known.open, &open);
    Found {
        enqueue: changed.then(|| Enqueue {
            from: known.watermark,
            to,
            rows,
            ledger: ledger_changed.then(|| Ledger { open: open.clone(), closed }),
            at: now,
        }),
        opened,
        waiting: visible.iter().filter(|id| **id > to).count() as u64,
        then: Known { watermark: to, open },
        off_series,
    }
}

/// Open ranges that no range known before touches.
fn opened(before: &[OpenGap], after: &[OpenGap]) -> Vec<IdRange> {
    let known = |range: IdRange| {
        before.iter().any(|gap| gap.range.first <= range.last && range.first <= gap.range.last)
    };
    after.iter().map(|gap| gap.range).filter(|range| !known(*range)).collect()
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

    #[test]
    fn nothing_is_dead_before_the_server_is_known() {
        let seen = Timestamp::constant(1_000, 0);
        let range = IdRange { first: MsgId(3), last: MsgId(4) };
        let gap = OpenGap { range, first_seen: seen, server: "a".to_owned() };
        let known = Known { watermark: MsgId(2), open: vec![gap] };
        let settings = DiscoverySettings::default();
        let later = seen + settings.max_commit_delay;
        let dead = |server| request(&known, server, later, 1, &settings).dead;
        assert_eq!(dead(None), []);
        assert_eq!(dead(Some("b")), []);
        assert_eq!(dead(Some("a")), [range]);
    }
}

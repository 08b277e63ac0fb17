//! What to ask of the mailbox and what to write afterwards.

use domain::MsgId;
use domain::mailbox::{IdRange, Look, OpenGap, Plan, plan};
use jiff::Timestamp;

use super::evidence::Verdict;
use crate::ports::{Enqueue, Ledger, Poll, PollRequest};
use crate::settings::DiscoverySettings;

/// What the store said last: W and the open ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Known {
    pub(super) watermark: MsgId,
    pub(super) open: Vec<OpenGap>,
}

/// The next poll, which may rely on `verdict`: it is complete before the poll begins (DEC-5).
pub(super) fn request(
    known: &Known,
    verdict: &Verdict,
    step: i64,
    settings: &DiscoverySettings,
) -> PollRequest {
    PollRequest {
        after: known.watermark,
        dead: verdict.dead.clone(),
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
pub(super) fn found(known: &Known, poll: Poll, verdict: &Verdict, now: Timestamp, step: i64) -> Found {
    let visible: Vec<MsgId> = poll.visible.iter().map(|row| row.id).collect();
    let taken: Vec<MsgId> = poll.landed.iter().map(|row| row.id).collect();
    let Plan { to, open, closed, changed, off_series } = plan(&Look {
        watermark: known.watermark,
        visible: &visible,
        taken: &taken,
        open: &known.open,
        dead: &verdict.dead,
        cleared: &verdict.cleared,
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

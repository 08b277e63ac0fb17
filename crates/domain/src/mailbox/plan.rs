//! One poll against the ledger: how far the watermark goes, what stays open, what closes.

use std::time::Duration;

use jiff::{SignedDuration, Timestamp};

use super::ranges::{RangeSet, between};
use super::{ClosedGap, GapVerdict, IdRange, OpenGap, hole};
use crate::MsgId;

/// What one poll saw, beside what was known before it began.
#[derive(Debug, Clone, Copy)]
pub struct Look<'a> {
    /// The stored watermark.
    pub watermark: MsgId,
    /// Every row seen above it, ascending; may end early at `ids_max`.
    pub visible: &'a [MsgId],
    /// The rows whose bodies came with it: a prefix of what [`super::takeable`] allows.
    pub taken: &'a [MsgId],
    /// The open ledger, ascending, without overlap.
    pub open: &'a [OpenGap],
    /// What [`dead`] said before the poll began.
    pub dead: &'a [IdRange],
    /// Those of them that no open transaction can own any more; the others are dead by age.
    pub cleared: &'a [IdRange],
    /// Identity of the server that answered the poll.
    pub server: &'a str,
    /// Now, on the own store's clock.
    pub now: Timestamp,
    /// Declared distance between two IDs, at least 1.
    pub step: i64,
}

/// What the poll leads to. Rows of `taken` above `to` must not be enqueued: they come again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// The watermark afterwards, never below the one before (INV-2).
    pub to: MsgId,
    /// The whole open ledger afterwards, ascending.
    pub open: Vec<OpenGap>,
    /// Ranges the watermark passed over now.
    pub closed: Vec<ClosedGap>,
    /// Is there anything to write?
    pub changed: bool,
    /// A row outside the declared series was seen: alarm, and go on with step 1.
    pub off_series: bool,
}

/// Open ranges whose verdict is complete (DEC-5, evidence `age`): first seen at least
/// `max_commit_delay` ago, by the server that answers now. Ask before a poll, not after it: only
/// a poll that began later may pass over them.
pub fn dead(open: &[OpenGap], server: &str, now: Timestamp, max_commit_delay: Duration) -> Vec<IdRange> {
    let delay = SignedDuration::try_from(max_commit_delay).unwrap_or(SignedDuration::MAX);
    open.iter()
        .filter(|gap| gap.server == server && now.duration_since(gap.first_seen) >= delay)
        .map(|gap| gap.range)
        .collect()
}

/// Compares a poll with the ledger. The watermark moves over taken rows, passes a hole only if
/// all of it is dead by the verdict of this same server, and only together with the row behind
/// it; it stops at the first other hole. Every hole in view ages on its own, all at once.
pub fn plan(look: &Look<'_>) -> Plan {
    let holes = holes(look);
    let walk = walk(look, &holes);
    let mut open: Vec<OpenGap> = Vec::new();
    let mut closed: Vec<ClosedGap> = Vec::new();
    let cleared = RangeSet::union(look.cleared.iter().copied());
    for piece in holes.into_iter().flat_map(|hole| hole.pieces) {
        if piece.range.last < walk {
            closed.push(ClosedGap {
                range: piece.range,
                first_seen: piece.first_seen,
                closed_at: look.now,
                verdict: if cleared.covers(piece.range) {
                    GapVerdict::ReleasedByTransactions
                } else {
                    GapVerdict::ReleasedByAge
                },
            });
        } else {
            open.push(piece);
        }
    }
    open.extend(out_of_view(look));
    Plan {
        to: walk,
        changed: walk != look.watermark || !closed.is_empty() || open != look.open,
        open,
        closed,
        off_series: off_series(look),
    }
}

/// A hole in view, split where its parts were first seen at different times.
struct Hole {
    range: IdRange,
    pieces: Vec<OpenGap>,
}

fn holes(look: &Look<'_>) -> Vec<Hole> {
    let mut known = look.open;
    let mut below = look.watermark;
    let mut holes = Vec::new();
    for id in look.visible.iter().copied().filter(|id| *id > look.watermark) {
        if let Some(range) = hole(below, id, look.step) {
            let passed = known.partition_point(|gap| gap.range.last < range.first);
            known = &known[passed..];
            holes.push(Hole { range, pieces: pieces(look, range, known) });
        }
        below = id;
    }
    holes
}

/// The parts of a hole: known ones keep the time they were first seen, unless another server
/// showed them; the rest is seen now. Neighbours that don't differ are one.
fn pieces(look: &Look<'_>, hole: IdRange, known: &[OpenGap]) -> Vec<OpenGap> {
    let seen_now = |range| OpenGap { range, first_seen: look.now, server: look.server.to_owned() };
    let mut pieces: Vec<OpenGap> = Vec::new();
    let mut below = MsgId(hole.first.0 - 1);
    for gap in known.iter().take_while(|gap| gap.range.first <= hole.last) {
        let Some(range) = gap.range.overlap(hole) else { continue };
        add(&mut pieces, between(below, range.first).map(seen_now));
        let kept = gap.server == look.server;
        add(&mut pieces, Some(if kept { OpenGap { range, ..gap.clone() } } else { seen_now(range) }));
        below = range.last;
    }
    add(&mut pieces, between(below, MsgId(hole.last.0 + 1)).map(seen_now));
    pieces
}

fn add(pieces: &mut Vec<OpenGap>, piece: Option<OpenGap>) {
    let Some(piece) = piece else { return };
    match pieces.last_mut() {
        Some(last) if last.first_seen == piece.first_seen && last.server == piece.server => {
            last.range.last = piece.range.last;
        }
        Some(_) | None => pieces.push(piece),
    }
}

/// The watermark afterwards.
fn walk(look: &Look<'_>, holes: &[Hole]) -> MsgId {
    let confirmed = look.open.iter().filter(|gap| gap.server == look.server);
    let verdict = RangeSet::union(look.dead.iter().copied());
    let dead = RangeSet::union(confirmed.map(|gap| gap.range).filter(|range| verdict.covers(*range)));
    let mut holes = holes.iter().peekable();
    let mut to = look.watermark;
    let visible = look.visible.iter().filter(|id| **id > look.watermark);
    for (id, taken) in visible.zip(look.taken) {
        if id != taken {
            break;
        }
        if let Some(hole) = holes.next_if(|hole| hole.range.last < *id)
            && !dead.covers(hole.range)
        {
            break;
        }
        to = *id;
    }
    to
}

/// Parts of the ledger above the last row seen: the poll says nothing about them.
fn out_of_view<'a>(look: &Look<'a>) -> impl Iterator<Item = OpenGap> + use<'a> {
    let seen_to = look.visible.last().copied().unwrap_or(look.watermark).max(look.watermark);
    look.open.iter().filter(move |gap| gap.range.last > seen_to).map(move |gap| {
        let first = gap.range.first.max(MsgId(seen_to.0.saturating_add(1)));
        OpenGap { range: IdRange { first, last: gap.range.last }, ..gap.clone() }
    })
}

fn off_series(look: &Look<'_>) -> bool {
    let step = look.step.max(1);
    look.visible.iter().any(|id| (id.0 - look.watermark.0) % step != 0)
}

#[cfg(test)]
#[path = "plan_tests.rs"]
mod tests;

//! Watermark and gaps as arithmetic (INV-2, DEC-5): which rows a poll may take up, how far
//! the watermark goes, and what the gap ledger says afterwards.

use jiff::Timestamp;

use crate::MsgId;

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
    /// Released: first seen `max-commit-delay` ago and still not there.
    ReleasedByAge,
    /// Below the declared start position.
    BeforeStart,
}

impl GapVerdict {
    /// Name in the store.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::ReleasedByAge => "released:age",
            Self::BeforeStart => "released:before-start",
        }
    }

    /// The verdict of a stored name; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::ReleasedByAge, Self::BeforeStart].into_iter().find(|verdict| verdict.as_str() == name)
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

/// IDs a poll may take up: the consecutive ones after `watermark` in `visible` (ascending),
/// passing over the ranges in `dead` (verdict complete before the poll began) but never over
/// an existing row. Adapters use it to fetch the bodies of just these.
pub fn takeable(_watermark: MsgId, _visible: &[MsgId], _dead: &[IdRange], _step: i64) -> usize {
    0
}

//! Reconciliation: rows of the mailbox against what the own store says of the same IDs, so that nothing
//! is lost between the two (FC-17).

mod pictures;
mod tally;

use jiff::Timestamp;
pub use pictures::Pictures;
pub use tally::Tally;

use crate::MsgId;
use crate::message::State;

/// A row of the mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Seen {
    /// Its ID.
    pub msg_id: MsgId,
    /// Is the mark there?
    pub is_marked: bool,
}

/// What the own store keeps of one message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Account {
    /// The message.
    pub msg_id: MsgId,
    /// Its state, read through the archive; ARCHIVED where only the shadow is left.
    pub state: State,
    /// Its mark.
    pub mark: MarkKept,
    /// When it was enqueued.
    pub enqueued_at: Timestamp,
    /// Is there a row for its body?
    pub has_body: bool,
    /// Published steps of flights it led to that no event of its own tells.
    pub untold: u32,
}

/// What the own store says of a mark.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MarkKept {
    /// Not written and not given up.
    Open,
    /// Written, or found there.
    Written,
    /// Given up: the row is not there.
    RowMissing,
    /// Given up for another reason.
    GivenUp,
}

impl MarkKept {
    /// `reason` is that of the abandonment, where the mark was abandoned.
    pub fn of(is_written: bool, reason: Option<&str>) -> Self {
        match reason {
            _ if is_written => Self::Written,
            Some("MISSING_ROW") => Self::RowMissing,
            Some(_) => Self::GivenUp,
            None => Self::Open,
        }
    }
}

/// How mailbox and store disagree about a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Difference {
    /// A row at or below the watermark of which nothing is known.
    NeverTakenUp,
    /// A message whose row went, although the mailbox still has older ones.
    RowGone,
    /// The store says that the mark is written, the row says no.
    MarkMissing,
    /// The row is marked, and the message was never ended.
    MarkedByAnother,
    /// The body is not kept, although its time is not over.
    BodyMissing,
    /// A published step of a flight without its event.
    Untold,
}

impl Difference {
    /// Every kind.
    pub const ALL: [Self; 6] = [
        Self::NeverTakenUp,
        Self::RowGone,
        Self::MarkMissing,
        Self::MarkedByAnother,
        Self::BodyMissing,
        Self::Untold,
    ];

    /// Name on every surface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::NeverTakenUp => "never-taken-up",
            Self::RowGone => "row-gone",
            Self::MarkMissing => "mark-missing",
            Self::MarkedByAnother => "marked-by-another",
            Self::BodyMissing => "body-missing",
            Self::Untold => "untold",
        }
    }
}

#[cfg(test)]
mod tests;

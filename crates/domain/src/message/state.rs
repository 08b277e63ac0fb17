//! States of a message and the one way each ends.

use jiff::Timestamp;
use sis::Meta;

use crate::MsgId;
use crate::message::{ErrorClass, IdentityKey, text};

/// `proc_state.state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum State {
    /// Enqueued, not yet tried.
    Pending,
    /// Tried without success, will be tried again; holds its place (INV-3).
    Failed,
    /// Processed. Never changed again (INV-6).
    Succeeded,
    /// Ended by decision without effect.
    Skipped,
    /// Ended without success.
    Dead,
    /// A shadow row: the archive holds the rest.
    Archived,
}

impl State {
    /// Every state.
    pub const ALL: [Self; 6] =
        [Self::Pending, Self::Failed, Self::Succeeded, Self::Skipped, Self::Dead, Self::Archived];

    /// Name in the store and on every surface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Failed => "FAILED",
            Self::Succeeded => "SUCCEEDED",
            Self::Skipped => "SKIPPED",
            Self::Dead => "DEAD",
            Self::Archived => "ARCHIVED",
        }
    }

    /// The state of a stored name; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }

    /// Processed for good: only such rows owe a mark (INV-8).
    pub fn is_terminal(self) -> bool {
        match self {
            Self::Succeeded | Self::Skipped | Self::Dead => true,
            Self::Pending | Self::Failed | Self::Archived => false,
        }
    }
}

/// What META says, kept in columns for people to search by. Texts are cut to the columns.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Labels {
    /// TYPE.
    pub kind: Option<String>,
    /// STYP.
    pub subtype: Option<String>,
    /// SNDR.
    pub sender: Option<String>,
    /// SEQN.
    pub seqn: Option<String>,
    /// DTTM as sent.
    pub dttm: Option<String>,
}

impl Labels {
    /// The texts of `meta`, cut to their columns; `None` where empty.
    pub fn of(meta: &Meta) -> Self {
        let label = |sent: &str, chars_max| Some(text(sent, chars_max)).filter(|label| !label.is_empty());
        Self {
            kind: label(&meta.kind, 16),
            subtype: label(&meta.subtype, 32),
            sender: label(&meta.sender, 32),
            seqn: label(&meta.seqn, 32),
            dttm: label(&meta.dttm, 32),
        }
    }
}

/// How one try of a message ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Conclusion {
    /// SUCCEEDED.
    Succeeded,
    /// SKIPPED by decision; the reason goes to `last_error`, the class stays NULL.
    Skipped {
        /// Such as `duplicate-of:17`, `ignored:LDM-*`, `reference:GLST-DNLD`.
        reason: String,
    },
    /// DEAD.
    Dead {
        /// Class stored.
        class: ErrorClass,
        /// Words, at most 1,000 characters, free of NUL.
        error: String,
    },
    /// FAILED, to be tried again.
    Failed {
        /// Class stored.
        class: ErrorClass,
        /// Words, at most 1,000 characters, free of NUL.
        error: String,
        /// Not before.
        due: Timestamp,
    },
}

impl Conclusion {
    /// The state it leads to.
    pub fn state(&self) -> State {
        match self {
            Self::Succeeded => State::Succeeded,
            Self::Skipped { .. } => State::Skipped,
            Self::Dead { .. } => State::Dead,
            Self::Failed { .. } => State::Failed,
        }
    }
}

/// One message with the end of this try: what the store writes into its `proc_state` row,
/// conditional on the attempts seen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The message.
    pub msg_id: MsgId,
    /// `attempts` as it was read: the write applies only to a row that still has it and is
    /// PENDING or FAILED.
    pub attempts_seen: u32,
    /// `attempts` afterwards.
    pub attempts: u32,
    /// The end of this try.
    pub conclusion: Conclusion,
    /// The failure of this try itself, for `msg_attempt`: class and words before EXHAUSTED
    /// overwrote them. `None` when nothing failed.
    pub attempt_failure: Option<(ErrorClass, String)>,
    /// META texts.
    pub labels: Labels,
    /// Identity held from now on; `None` leaves the column NULL (ignored rows, duplicates).
    pub identity: Option<IdentityKey>,
    /// SHA-256 of the decoded content; `None` where it could not be read.
    pub content_hash: Option<[u8; 32]>,
    /// A DEAD holder that gives up the key in the same transaction.
    pub yields: Option<MsgId>,
}

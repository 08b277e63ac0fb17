//! One row for the mailbox, with what must come of it.

use jiff::civil;

use crate::dice::{Dice, Purpose};

/// A message on its way into the mailbox.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Letter {
    /// The row's text, always UTF-8; `None` for a NULL column.
    pub body: Option<Vec<u8>>,
    /// What becomes of the transaction that inserts it.
    pub fate: Fate,
    /// When it is sent, in simulated airport local time; never earlier than the letter before.
    /// It is the message's DTTM, except for a re-send, which keeps the first one's DTTM.
    pub sent_at: civil::DateTime,
    /// What it is, for people.
    pub label: &'static str,
    /// What a reader must make of it, if it appears at all (see [`Fate::lands`]).
    pub expect: Expect,
}

impl Letter {
    /// The same message, at least so many bytes long, for benchmarks whose size is agreed: a
    /// comment of digits, which compress no better than real text, before the end. Bodies that
    /// can't be read are left as they are.
    #[must_use]
    pub fn padded_to(mut self, bytes: usize) -> Self {
        const END: &[u8] = b"</MSG>\n";
        let readable = self.expect != Expect::Malformed;
        if let Some(body) = self.body.as_mut().filter(|body| readable && body.ends_with(END)) {
            let end = body.len() - END.len();
            let missing = bytes.saturating_sub(body.len());
            let number =
                body.iter().fold(0_u64, |sum, byte| sum.wrapping_mul(31).wrapping_add(u64::from(*byte)));
            let mut dice = Dice::new(0, Purpose::Padding, number);
            let frame = "<!--".len() + "-->".len();
            let digits = (frame..missing).map(|_| b'0' + dice.below(10) as u8);
            if missing > 0 {
                body.splice(end..end, b"<!--".iter().copied().chain(digits).chain(*b"-->"));
            }
        }
        self
    }
}

/// What becomes of the transaction that inserts a letter. Each letter takes the next ID,
/// whatever its fate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Commits at once.
    Commit,
    /// Rolled back: the ID is used up and no row appears. The next letter is the same again.
    RolledBack,
    /// Commits only when some later letters have committed.
    CommitLate {
        /// How many letters that follow it commit before it.
        after: u32,
    },
}

impl Fate {
    /// Does the row ever appear? Letters that don't must be left out of every count.
    pub fn lands(self) -> bool {
        match self {
            Self::Commit | Self::CommitLate { .. } => true,
            Self::RolledBack => false,
        }
    }
}

/// What a pipeline with the baseline dictionary and the baseline ignore rules must make of a
/// letter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expect {
    /// A schedule, a change or a deletion: processed.
    Succeeded,
    /// Skipped by an ignore rule.
    Ignored,
    /// Skipped as reference data.
    Reference,
    /// Skipped as the duplicate of an earlier letter that committed at once.
    Duplicate,
    /// Dead at once: it can't be read.
    Malformed,
    /// Well-formed, and no handler knows its TYPE: tried again, then dead.
    Unsupported,
}

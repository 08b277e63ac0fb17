//! The mailbox: a table that belongs to others. Read by ID, marked, inserted into by the
//! ingress and `msgx send`; never altered or deleted from (C-14).

use std::future::Future;

use domain::MsgId;
use domain::mailbox::IdRange;
use domain::message::StoredBody;
use jiff::Timestamp;

use super::{MailboxPast, MailboxRows};

/// The mailbox port. One instance is used by one pipeline; calls may overlap.
pub trait Mailbox: MailboxPast + MailboxRows + Send + Sync + 'static {
    /// One snapshot of the rows above `request.after`: IDs and lengths of at most
    /// `request.ids_max` rows in ID order, and the bodies of those that
    /// [`domain::mailbox::takeable`] allows, as many as fit. Takes no locks, writes nothing,
    /// never looks at marks (C-13, INV-5). Idempotent.
    fn poll(&self, request: &PollRequest) -> impl Future<Output = Result<Poll, MailboxError>> + Send;

    /// Which IDs of `ranges` exist now (late-row audit); at most `limit`, ascending.
    fn present(
        &self,
        ranges: &[IdRange],
        limit: usize,
    ) -> impl Future<Output = Result<Vec<MsgId>, MailboxError>> + Send;

    /// Smallest and largest ID, without scanning: what lies below the smallest has been purged.
    fn extent(&self) -> impl Future<Output = Result<Extent, MailboxError>> + Send;

    /// Writes the processed mark to rows whose mark is empty, in primary-key order, `at` as
    /// local wall time; classified by a plain read first. Never overwrites a mark (INV-7). One
    /// outcome per ID, in the order given. Idempotent: a second call says `AlreadyMarked`.
    fn mark(
        &self,
        ids: &[MsgId],
        at: Timestamp,
    ) -> impl Future<Output = Result<Vec<(MsgId, MarkOutcome)>, MailboxError>> + Send;

    /// Is it what the configuration says (table, columns, rights)? One line per finding; empty when
    /// all is well. For `msgx check`.
    fn check(&self) -> impl Future<Output = Vec<String>> + Send {
        async { Vec::new() }
    }

    /// Puts letters into the mailbox, in order, in one transaction; returns their IDs.
    fn insert(&self, letters: &[NewLetter]) -> impl Future<Output = Result<Vec<MsgId>, MailboxError>> + Send;
}

/// What a poll may read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PollRequest {
    /// The watermark.
    pub after: MsgId,
    /// Ranges whose verdict was complete before this poll: may be passed over if still empty.
    pub dead: Vec<IdRange>,
    /// Declared ID step, at least 1.
    pub step: i64,
    /// Most IDs to look at.
    pub ids_max: usize,
    /// Most rows to fetch bodies of.
    pub rows_max: usize,
    /// Limits on bodies.
    pub bodies: BodyLimits,
}

/// Limits on bodies, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BodyLimits {
    /// `mailbox.poll-bytes-max`: most bytes in one poll; one row always fits.
    pub poll_max: u64,
    /// `mailbox.max-body-bytes`: a longer body is not fetched.
    pub body_max: u64,
}

/// What one poll saw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Poll {
    /// Identity of the server asked (`@@server_id` with its UUID or host name).
    pub server: String,
    /// The server's number for the connection it came over ([`super::Session`]).
    pub connection: u64,
    /// Every row seen above the watermark, ascending.
    pub visible: Vec<Visible>,
    /// The rows with bodies: a prefix of what may be taken up, ascending.
    pub landed: Vec<Landed>,
}

/// A row seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Visible {
    /// Its ID.
    pub id: MsgId,
    /// Length of its body in bytes; `None` for NULL.
    pub length: Option<u64>,
}

/// A row read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Landed {
    /// Its ID.
    pub id: MsgId,
    /// `CMINMSGS_DATE_RECEIVED`; `None` where NULL or impossible.
    pub received_at: Option<Timestamp>,
    /// Its body.
    pub body: StoredBody,
}

/// The ends of the mailbox.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Extent {
    /// Smallest ID; `None` when empty.
    pub first: Option<MsgId>,
    /// Largest ID; `None` when empty.
    pub last: Option<MsgId>,
}

/// The four outcomes of a mark (INV-7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkOutcome {
    /// Written now.
    Written,
    /// Was there before; left as it is.
    AlreadyMarked,
    /// No such row.
    Missing,
    /// Could not be written now.
    Failed {
        /// What the server said.
        error: String,
        /// A refusal that waiting alone won't mend (privilege, type, constraint): alarm at once.
        needs_operator: bool,
    },
}

/// A letter to put in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewLetter {
    /// The body; `None` writes NULL.
    pub body: Option<Vec<u8>>,
    /// Receive time to write.
    pub received_at: Timestamp,
    /// An explicit ID (embedded demo: gaps); `None` lets the table number it.
    pub id: Option<MsgId>,
}

/// The mailbox can't be used now.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MailboxError {
    /// Connection, time-out, lock, server going away: wait and try again.
    #[error("mailbox unavailable: {0}")]
    Unavailable(String),
    /// The table isn't as declared, or a right is missing: an operator must act; still retried.
    #[error("mailbox refused: {0}")]
    Refused(String),
}

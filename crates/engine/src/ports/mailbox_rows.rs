//! Rows of the mailbox looked at again, long after they were taken up: for people and for the
//! comparison with the own store.

use std::future::Future;

use domain::MsgId;
use domain::mailbox::IdRange;
use jiff::Timestamp;

use super::MailboxError;

/// A second look at the mailbox. Part of [`super::Mailbox`].
pub trait MailboxRows: Send + Sync + 'static {
    /// The rows of `range`, ascending, at most `limit`, with their marks as anybody sees them. By
    /// primary key; takes no locks, writes nothing, reads no bodies.
    fn rows(
        &self,
        range: IdRange,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<MailboxRow>, MailboxError>> + Send;
}

/// A row with its mark.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailboxRow {
    /// Its ID.
    pub id: MsgId,
    /// Is the time of the mark there? It alone says so (INV-7).
    pub is_marked: bool,
    /// That time; `None` also for what is no time.
    pub marked_at: Option<Timestamp>,
    /// The status, where the site has one.
    pub status: Option<String>,
}

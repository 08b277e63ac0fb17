//! What discovery asks beside new rows: is the mailbox still the one that was read (PRE-3), and who
//! may still own an ID that is missing (DEC-5)?

use std::future::Future;

use domain::MsgId;
use domain::mailbox::{IdRange, KeptBody, OpenTransaction, Shown};

use super::{MailboxError, StoreError};

/// Who answered, over which connection. What two answers say may be compared only where this is
/// equal: behind one address there may be several servers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Session {
    /// The server: `@@server_id` with its UUID or host name.
    pub server: String,
    /// Its number for the connection.
    pub connection: u64,
}

/// The mailbox as witness of its own past. Part of [`super::Mailbox`]; calls go over the connection
/// that polls.
pub trait MailboxPast {
    /// The table's next number, read fresh, and which of `ids` (at most a few hundred) are there with
    /// what SHA-256 of the body: the same as of the body a poll fetches. Takes no locks, writes
    /// nothing.
    fn shown(&self, ids: &[MsgId]) -> impl Future<Output = Result<(Session, Shown), MailboxError>> + Send;

    /// Transactions open on the server now that have touched a table. The answer is as new as the
    /// call: never from a cache that is older.
    fn transactions(&self) -> impl Future<Output = Result<(Session, Transactions), MailboxError>> + Send;
}

/// Open transactions, or why they prove nothing here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Transactions {
    /// All of them.
    Open(Vec<OpenTransaction>),
    /// A row may come from elsewhere, or they can't be seen: in words for people.
    Unusable(String),
}

/// What the own store keeps of the mailbox's past. Part of [`super::Store`].
pub trait StorePast {
    /// The newest `limit` messages whose bodies are kept, newest first.
    fn newest_bodies(&self, limit: usize) -> impl Future<Output = Result<Vec<KeptBody>, StoreError>> + Send;

    /// Released ranges that end at or above `from`, ascending, at most `limit`: those a late row may
    /// lie in. What is before the start is none.
    fn released_gaps(
        &self,
        from: MsgId,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<IdRange>, StoreError>> + Send;
}

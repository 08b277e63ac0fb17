//! A message as the queue hands it over, and what is known of its identity.

use jiff::Timestamp;

use crate::MsgId;
use crate::message::{IdentityKey, State};

/// The body as it landed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredBody {
    /// The bytes of the column.
    Bytes(Vec<u8>),
    /// The column was NULL.
    Missing,
    /// Longer than `mailbox.max-body-bytes`: not fetched.
    Oversized {
        /// Length in bytes.
        length: u64,
        /// SHA-256 as the mailbox's server computed it.
        sha256: [u8; 32],
    },
}

/// A PENDING or FAILED message at or near the head of the queue (INV-3).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidate {
    /// The message.
    pub msg_id: MsgId,
    /// PENDING or FAILED.
    pub state: State,
    /// Failed attempts so far.
    pub attempts: u32,
    /// Not before; `None` for PENDING.
    pub due: Option<Timestamp>,
    /// When it was enqueued.
    pub enqueued_at: Timestamp,
    /// Its body.
    pub body: StoredBody,
}

impl Candidate {
    /// As it would be if an operator replayed it now.
    #[must_use]
    pub fn replayed(self) -> Self {
        Self { state: State::Pending, due: None, ..self }
    }
}

/// Who holds an identity key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Holder {
    /// The key.
    pub key: IdentityKey,
    /// The message that holds it.
    pub msg_id: MsgId,
    /// Its state; ARCHIVED for a shadow row.
    pub state: State,
    /// Its content hash; for a shadow row the archive's. `None` never proves a duplicate.
    pub content_hash: Option<[u8; 32]>,
}

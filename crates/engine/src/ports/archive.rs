//! The archive: messages that are over leave the queue's table for `proc_state_hst`. What stays is a
//! shadow that holds the identity, so that a later duplicate is still told (INV-9, D4).

use std::future::Future;

use domain::message::State;
use domain::{Epoch, MsgId};
use jiff::Timestamp;

use super::StoreError;

/// What a store does with messages that are over.
pub trait Archive: Send + Sync + 'static {
    /// Terminal messages whose mark is settled (written, or given up and reconciled) and that
    /// haven't changed since `before`, by time of the last change and ID, at most `limit`, those
    /// behind `after`. A message that owes a mark, or whose mark was given up and isn't reconciled
    /// (C-16), is none of them. Changes nothing, locks nothing.
    fn archivable(
        &self,
        before: Timestamp,
        after: Option<ArchivePlace>,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<Archivable>, StoreError>> + Send;

    /// Moves messages to the archive in one transaction: each is copied and becomes its shadow only
    /// if state and time of the last change are as seen; who changed meanwhile, or is held by
    /// somebody else, stays as it is. Returns how many moved. Never waits for a message.
    ///
    /// # Errors
    /// [`StoreError::Data`] when the archive refuses one: nothing moved.
    fn archive(
        &self,
        epoch: Epoch,
        seen: &[Archivable],
        at: Timestamp,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Brings dead letters back from the archive, as they were, in one transaction, and deletes them
    /// there. An identity that was given up meanwhile stays given up. Only those whose shadow and
    /// body are still kept; returns them, ascending. Needs no epoch: it is an operator's doing.
    fn restore(&self, ids: &[MsgId]) -> impl Future<Output = Result<Vec<MsgId>, StoreError>> + Send;

    /// Deletes archived messages, with their tries, that became so before `old.before` and whose
    /// row in the mailbox is gone (C-8, C-16), oldest first, at most `limit`. Returns how many.
    fn forget_archived(
        &self,
        epoch: Epoch,
        old: Old,
        limit: usize,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;

    /// Deletes shadows by the same rule: from then on an identity can be used anew (INV-9).
    fn forget_shadows(
        &self,
        epoch: Epoch,
        old: Old,
        limit: usize,
    ) -> impl Future<Output = Result<u64, StoreError>> + Send;
}

/// A message that may be archived, as it was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Archivable {
    /// The message.
    pub msg_id: MsgId,
    /// Its end.
    pub state: State,
    /// When it last changed.
    pub updated_at: Timestamp,
}

impl Archivable {
    /// Its place among its like.
    pub fn place(&self) -> ArchivePlace {
        ArchivePlace { at: self.updated_at, msg_id: self.msg_id }
    }
}

/// A place in the order of messages that may be archived.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ArchivePlace {
    /// Time of the last change.
    pub at: Timestamp,
    /// The message.
    pub msg_id: MsgId,
}

/// What may be forgotten: evidence lasts as long as the mailbox row it speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Old {
    /// Archived before.
    pub before: Timestamp,
    /// Smallest ID the mailbox holds; W + 1 where it holds none.
    pub below: MsgId,
}

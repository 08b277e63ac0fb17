//! What a process leaves behind for the one after it: whether it ended in an orderly way, and which
//! message it was trying alone when it didn't.

use std::future::Future;

use domain::{Epoch, MsgId};

use super::StoreError;

/// Durable notes about ends of processes. Part of [`super::Store`]. Every write re-checks the epoch in
/// its own transaction.
pub trait LoneTries: Send + Sync + 'static {
    /// Notes that the term of `epoch` is under way, and says whether the one before it was closed.
    /// Idempotent: asked again in the same term, the answer is the same.
    fn open_term(&self, epoch: Epoch) -> impl Future<Output = Result<LastEnd, StoreError>> + Send;

    /// Notes that the term of `epoch` has ended with the process in control: whatever was in hand is
    /// finished, no message is under suspicion.
    fn close_term(&self, epoch: Epoch) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// Notes, durably, that `msg_id` is about to be tried alone. Returns how often that was noted in a
    /// row without [`LoneTries::forget_lone_try`], this time included.
    fn note_lone_try(
        &self,
        epoch: Epoch,
        msg_id: MsgId,
    ) -> impl Future<Output = Result<u32, StoreError>> + Send;

    /// The message noted last, and how often in a row.
    fn lone_try(&self) -> impl Future<Output = Result<Option<(MsgId, u32)>, StoreError>> + Send;

    /// A lone try has ended and the process lives: nothing of it is held against the message.
    fn forget_lone_try(&self, epoch: Epoch) -> impl Future<Output = Result<(), StoreError>> + Send;
}

/// How the term before ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LastEnd {
    /// Orderly, or there was none.
    Clean,
    /// The process died, or was cut off, with work in hand.
    Unclean,
}

//! Is everything done? Asked by the demo, the benchmark and tests; never by the engine itself.

use crate::ports::{Mailbox, MailboxError, StoreError, Views};

/// Why it could not be told whether everything is done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DrainError {
    /// The mailbox.
    #[error(transparent)]
    Mailbox(#[from] MailboxError),
    /// The store.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Is everything done? Nothing in the mailbox above the watermark, no message unfinished, no mark
/// owed, no event waiting.
pub async fn drained<M: Mailbox, V: Views>(mailbox: &M, views: &V) -> Result<bool, DrainError> {
    let last = mailbox.extent().await?.last;
    let queue = views.queue().await?;
    let outbox = views.outbox().await?;
    let nothing_above = last.is_none_or(|last| queue.watermark.is_some_and(|watermark| last <= watermark));
    let unfinished = queue.pending + queue.failed + queue.unmarked;
    Ok(nothing_above && unfinished == 0 && outbox.iter().all(|target| target.pending == 0))
}

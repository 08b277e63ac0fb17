//! What ends a comparison without a verdict.

use crate::ports::{MailboxError, StoreError};

/// Neither side may be left out of a comparison.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ReconcileError {
    /// The mailbox can't be read.
    #[error(transparent)]
    Mailbox(#[from] MailboxError),
    /// The store can't be read.
    #[error(transparent)]
    Store(#[from] StoreError),
}

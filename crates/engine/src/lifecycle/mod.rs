//! Operator actions, step by step: plan, look ahead, freeze, carry out. Used by a process of its own
//! while another leads. Whatever is given again changes nothing more: what was frozen is done once.

mod ahead;
mod plan;
mod run;

use crate::ports::{MailboxError, StoreError};

pub use ahead::{AHEAD_MAX, look_ahead};
pub use plan::{Plan, SELECTION_MAX, freeze, plan};
pub use run::{Tools, carry_out};

/// Why an action came to no end. What is done stays done; given again, it goes on.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ActionError {
    /// The own store.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The mailbox.
    #[error(transparent)]
    Mailbox(#[from] MailboxError),
    /// A filter matches more than may be frozen at once.
    #[error("more than {SELECTION_MAX} match: narrow the filter, for example by --first and --last")]
    TooMany,
    /// The operation ID is taken.
    #[error("operation {id} is another one ({words}): choose another ID")]
    OtherOperation {
        /// The ID.
        id: String,
        /// What it was.
        words: String,
    },
    /// Targets stay locked by somebody else.
    #[error("{0} target(s) are held by another session and could not be had: give the command again")]
    Held(usize),
}

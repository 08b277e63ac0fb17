//! How a term ends.

use crate::ports::{Clock, Store};
use crate::term::Term;

/// Why a term ended although nobody asked the process to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// Another process holds the lease.
    Fenced,
    /// The lease could not be renewed in time.
    Expired,
}

/// Nothing of this process is in hand any longer: the next term need not be careful. Failing is
/// harmless, it will be.
pub(crate) async fn close<S: Store, C: Clock>(store: &S, term: &Term<C>) {
    if let Err(error) = store.close_term(term.epoch).await {
        tracing::debug!("the end of the term was not noted: {error}");
    }
}

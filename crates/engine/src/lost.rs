//! How a term is lost.

/// Why a term ended although nobody asked the process to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lost {
    /// Another process holds the lease.
    Fenced,
    /// The lease could not be renewed in time.
    Expired,
}

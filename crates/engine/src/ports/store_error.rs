//! Why a store could not do what it was asked, and who is to act on it.

use domain::Epoch;

/// Why the store could not do it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StoreError {
    /// Connection, shutdown, lock, serialisation, read-only, disk, memory: nobody's message is
    /// to blame; back off.
    #[error("store unavailable: {0}")]
    Unavailable(String),
    /// The answer to a commit was lost: look before going on ([`super::Store::settle_doubt`]).
    #[error("commit in doubt: {0}")]
    InDoubt(String),
    /// Another process holds the lease: stop.
    #[error("another process has taken over the pipeline (ours was epoch {0})")]
    Fenced(Epoch),
    /// What was read has changed meanwhile: read again.
    #[error("changed meanwhile: {0}")]
    Conflict(String),
    /// The data itself was refused (SQLSTATE 22, 23).
    #[error("data refused: {0}")]
    Data(String),
    /// A stored cell can't be read: never replaced by a default.
    #[error("corrupt value in {table}.{column}, row {row}: {text}")]
    Corrupt {
        /// Table.
        table: &'static str,
        /// Column.
        column: &'static str,
        /// Key of the row.
        row: String,
        /// What is wrong with it.
        text: String,
    },
}

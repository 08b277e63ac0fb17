//! What an error of SQLite means: who is to blame, and so who must act.

use engine::ports::{MailboxError, StoreError};
use sqlx::Error;

/// An error type that database errors can become.
pub(super) trait Failure {
    /// A statement failed, or no connection could be had.
    fn of(error: Error) -> Self;

    /// A commit failed: it is unknown whether it took effect.
    fn of_commit(error: Error) -> Self;
}

impl Failure for StoreError {
    fn of(error: Error) -> Self {
        match blame(&error) {
            Blame::Data => Self::Data(error.to_string()),
            Blame::World | Blame::Declaration => Self::Unavailable(error.to_string()),
        }
    }

    fn of_commit(error: Error) -> Self {
        Self::InDoubt(error.to_string())
    }
}

impl Failure for MailboxError {
    fn of(error: Error) -> Self {
        match blame(&error) {
            Blame::World => Self::Unavailable(error.to_string()),
            Blame::Data | Blame::Declaration => Self::Refused(error.to_string()),
        }
    }

    /// Every write to the mailbox may be repeated, so doubt is nothing but a failure.
    fn of_commit(error: Error) -> Self {
        Self::of(error)
    }
}

/// Whose fault an error is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Blame {
    /// The values given: constraint, too big, wrong type (SQLSTATE 22 and 23 elsewhere).
    Data,
    /// The file isn't what it should be, or may not be written: an operator must act.
    Declaration,
    /// Lock, disk, memory, a closed pool: try again later.
    World,
}

/// SQLite's primary result codes; the extended ones carry them in their lowest byte.
fn blame(error: &Error) -> Blame {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<i32>().ok());
    match code.map(|code| code & 0xff) {
        // TOOBIG, CONSTRAINT, MISMATCH
        Some(18..=20) => Blame::Data,
        // ERROR (no such table or column), PERM, READONLY, CORRUPT, AUTH, NOTADB
        Some(1 | 3 | 8 | 11 | 23 | 26) => Blame::Declaration,
        Some(_) | None => Blame::World,
    }
}

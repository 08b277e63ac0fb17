//! Plain in-memory adapters: the simplest thing that keeps every promise of the ports. They are
//! shared by cloning, so a test keeps a handle, and a "restarted" engine finds its data again.
//! Every call gives way to other tasks once before it acts, and acts as a whole.

mod faults;
mod harness;
mod keeping;
mod mailbox;
mod sink;
mod store;

pub use faults::Faults;
pub use harness::{MailboxSubject, SinkSubject, StoreSubject};
pub use mailbox::{Backup, Mailbox, MailboxVerb};
pub use sink::Sink;
pub use store::{Store, StoreVerb};

use std::sync::{Mutex, MutexGuard, PoisonError};

/// A test that failed while it held a lock must not hide its failure behind another.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

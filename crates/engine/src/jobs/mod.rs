//! Jobs: what keeps the tables small. Flights that are over become history (INV-18), and what is
//! older than its retention is forgotten.
//!
//! A file and a room per job. Each works in batches, so that the pump, which waits for the same
//! lock, never waits long.

mod history;
mod pace;
mod retention;

pub(crate) use history::History;
pub(crate) use retention::Retention;

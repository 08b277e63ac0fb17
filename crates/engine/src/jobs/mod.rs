//! Jobs: what keeps the tables small. Flights that are over become history (INV-18), messages that
//! are over go to the archive, and what is older than its retention is forgotten.
//!
//! A file and a room per job. They work in small batches, take turns and rest after each, so that neither
//! the pump nor the database is kept from anything else. Only the history sweep, which writes flights,
//! takes the pump's lock.

mod archive;
mod archive_retention;
mod comparison;
mod event_retention;
mod history;
mod night;
mod pace;
mod raw_retention;
mod retention;
mod turns;

pub(crate) use archive::Archiver;
pub(crate) use archive_retention::ArchiveRetention;
pub(crate) use comparison::Comparison;
pub(crate) use event_retention::EventRetention;
pub(crate) use history::History;
pub(crate) use raw_retention::RawRetention;
pub(crate) use retention::Retention;
pub(crate) use turns::Turns;

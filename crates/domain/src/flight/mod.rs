//! Flight state: what a flight is, and what a legal change of it is.

mod model;

pub use model::{EntryState, FieldState, Flight, Life, Stamped};

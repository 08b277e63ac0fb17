//! Every decision of msgexchange as a pure function: no I/O, no clock, no async.
//!
//! What happens to a message is decided here and made to happen by the `engine` crate. Time is always
//! an argument; a bad message is a value with its class, never an error.

pub mod backoff;
pub mod decide;
pub mod event;
pub mod flight;
mod ids;
pub mod lifecycle;
pub mod mailbox;
pub mod message;
pub mod reconcile;

pub use ids::{Epoch, EventId, Flid, MsgId};

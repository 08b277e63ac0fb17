//! What every store, mailbox and sink must do: test cases generic over the port, plain in-memory
//! adapters that pass them, and a clock that a test moves.
//!
//! An adapter's test module implements a harness ([`StoreHarness`], [`MailboxHarness`],
//! [`SinkHarness`]) and calls a suite macro once:
//!
//! ```ignore
//! mod postgres {
//!     contract::store_suite!(super::Harness);
//! }
//! mod sqlite {
//!     contract::store_suite!(super::Harness, without strict_text);
//! }
//! ```
//!
//! Each case becomes a test with its own name (`postgres::inv_07_…`). A capability an adapter
//! lacks leaves its cases behind as ignored tests that name the reason, so that gaps are seen.
//! A case is defined and registered by the same lines (macro `cases!`): none can be forgotten. The models are held to the same cases and are what `engine` is tested with.

#[macro_use]
mod suite;

pub mod clock;
mod harness;
mod keeping;
pub mod mailbox;
pub mod model;
pub mod sample;
pub mod sink;
pub mod store;

pub use harness::{
    Harness, MailboxHarness, Mark, OpenTransactions, RefusesRecords, SinkHarness, StoreHarness, Stored,
};
pub use keeping::{KeepingHarness, Shadow};

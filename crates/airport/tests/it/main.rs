//! What the invented traffic promises, seen from outside.
//!
//! All but `outcomes` look at the text alone, so that a fault of the reader can't hide one here.

#![expect(clippy::unwrap_used, reason = "a test that panics has found something")]

mod order;
mod outcomes;
mod same_again;
mod schedule;
mod text;
mod trouble;

//! Discovery: takes rows above the watermark up into the own store, in ID order, and waits before
//! holes until they are decided (INV-2, INV-4, INV-5, DEC-5).
//!
//! The arithmetic is [`domain::mailbox`]'s. This room keeps its order of effects: the verdict on a
//! gap is complete *before* the poll that may pass over it begins, and W in memory is what the
//! store said last, never a guess.

mod audit;
mod beginning;
mod continuity;
mod evidence;
mod first_start;
mod plan;
mod run;

pub(crate) use audit::Audit;
pub(crate) use run::Discovery;

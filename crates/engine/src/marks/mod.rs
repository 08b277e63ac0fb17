//! Marks: tells the mailbox's owner which rows are processed for good (INV-7, INV-8). Marks state
//! committed terminal states whoever writes them, are conditional, and are never taken back; their
//! failure changes nothing that is committed (INV-16).

mod plan;
mod run;

pub(crate) use run::Marks;

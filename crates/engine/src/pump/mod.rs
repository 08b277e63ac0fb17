//! The pump: processes messages at or below the watermark strictly in ID order (INV-3, INV-4), a
//! run of them in one transaction (INV-8, INV-17).
//!
//! `run` reads the head and what lies behind it, lets [`domain::decide`] turn the run into effects
//! in memory, and `commit` writes them once. `plan` decides how far a run may reach and what to try next
//! when the store refuses one, `careful` what is tried alone after a process has died.

mod careful;
mod commit;
mod plan;
mod run;

pub(crate) use run::Pump;

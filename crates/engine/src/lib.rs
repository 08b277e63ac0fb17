//! The loops that make decisions happen. Async, but it names no database, broker or protocol:
//! it speaks to [`ports`] alone.
//!
//! A room per system, each with a pure `plan` (what to do, decided in memory) and a `run` (the
//! effects): [`discovery`] takes rows up, [`pump`] processes them, [`delivery`] sends events,
//! [`marks`] writes marks back, [`jobs`] keep the tables small. Each works at its own pace on facts
//! the others committed, never on a call from them (INV-1, INV-5). [`service`] starts and stops them under one [`lease`].

pub mod service;
pub mod settings;

pub mod delivery;
pub mod discovery;
pub mod jobs;
pub mod lease;
pub mod lifecycle;
pub mod marks;
pub mod pump;

pub mod happened;
pub mod pulse;

pub mod ports;
pub mod reconcile;
pub mod self_check;
pub mod stop;
pub mod time;

mod bells;
mod drained;
mod ending;
mod pauses;
mod room;
mod term;

pub use bells::Bells;
pub use drained::{DrainError, drained};
pub use pulse::Pulse;
pub use service::{Ended, Engine};
pub use settings::Settings;
pub use stop::Stop;

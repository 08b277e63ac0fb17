//! Adapters of the engine's ports: the only crate that speaks SQL or Kafka.
//!
//! Own store: [`postgres`], [`sqlite`]. Mailbox: [`mysql`], [`sqlite`]. Sink: [`kafka`], [`file`].
//! Adapters don't import each other; what they share about the form of stored data is in [`mod@raw`].

pub mod file;
pub mod kafka;
pub mod mysql;
pub mod postgres;
mod raw;
pub mod sqlite;

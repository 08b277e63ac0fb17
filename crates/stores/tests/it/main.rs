//! Adapters against real servers and files: one test binary, a module per adapter.

mod file;
mod kafka;
mod mysql;
mod postgres;
mod sqlite;

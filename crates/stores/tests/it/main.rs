//! Adapters against real servers and files: one test binary, a module per adapter.

mod file;
mod postgres;
mod sqlite;

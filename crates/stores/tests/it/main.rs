//! Adapters against real servers and files: one test binary, a module per adapter.

mod postgres;

//! The own store on PostgreSQL 15 and later, one schema per pipeline.
//!
//! Each room of the port has a file of Rust and one of SQL by the same name. Every call is a fixed
//! number of statements however large the batch: rows travel as one array per column. Writes hold
//! the lease row, so that a take-over waits for them and later ones are refused (`transaction.rs`).
//! Sessions carry settings and statements: a pooler in between must pool sessions.

mod accounts;
mod actions;
mod archive;
mod arrivals;
mod cells;
mod connect;
mod discovery;
mod ends;
mod errors;
mod flight_views;
mod history;
mod leadership;
mod ledger;
mod marks;
mod message_rows;
mod messages;
mod numbers;
mod outbox;
mod past;
mod pump;
mod refusal;
mod retention;
mod rows;
mod schema;
mod session;
mod settle;
mod sql;
mod state;
mod store;
mod terms;
mod timeline;
mod times;
mod transaction;
mod view_rows;
mod views;

use sqlx::PgPool;
use sqlx::postgres::PgConnectOptions;

pub use refusal::SchemaError;
pub use sql::{Statement, statements};

/// The own store of one pipeline. Clones share its connections.
#[derive(Debug, Clone)]
pub struct PostgresStore {
    pool: PgPool,
    views: PgPool,
    options: PgConnectOptions,
    schema: String,
    lock_key: i64,
}

//! Embedded mode: own store and mailbox in SQLite files, behind the same ports as the servers.
//!
//! Durable (`synchronous=FULL`, write-ahead log), one writer at a time (`BEGIN IMMEDIATE`), any
//! number of readers. The rooms have the names they have in the other own store; the schema is
//! in `migrations/`, the statements of each room in `sql/`.

mod accounts;
mod actions;
mod archive;
mod bodies;
mod database;
mod discovery;
mod errors;
mod events;
mod flights;
mod gaps;
mod history;
mod leadership;
mod mailbox;
mod marks;
mod message_rows;
mod messages;
mod outbox;
mod past;
mod pump;
mod retention;
mod rows;
mod settle;
mod statement;
mod store;
mod terms;
mod text;
mod timeline;
mod views;
mod world;

use std::path::Path;

use engine::ports::StoreError;
use jiff::Timestamp;
use sqlx::migrate::Migrator;

use database::Database;

pub use mailbox::{SqliteMailbox, SqliteMailboxOptions};

static MIGRATIONS: Migrator = sqlx::migrate!("src/sqlite/migrations");

/// An own store in one file.
#[derive(Debug, Clone)]
pub struct SqliteStore {
    database: Database,
}

impl SqliteStore {
    /// Opens the file at `path` and brings its tables up to date; creates it if it isn't there.
    /// Any number of processes may do so at once.
    pub async fn open(path: &Path) -> Result<Self, StoreError> {
        let database = Database::open(path).await.map_err(|error| at_path(path, error))?;
        // One transaction around all of it: whoever comes second waits, and finds it done.
        let mut transaction = database.write::<StoreError>().await?;
        let migrated = MIGRATIONS.run_direct(None, &mut *transaction, false).await;
        let migrated = migrated.map_err(|error| at_path(path, sqlx::Error::Migrate(Box::new(error))));
        database::finish(transaction, migrated).await?;
        Ok(Self { database })
    }

    /// Closes the file. Calls after it answer [`StoreError::Unavailable`].
    pub async fn close(&self) {
        self.database.close().await;
    }
}

fn at_path(path: &Path, error: sqlx::Error) -> StoreError {
    StoreError::Unavailable(format!("own store {}: {error}", path.display()))
}

/// The store's clock: SQLite has none but the host's, which is read here with the microseconds
/// that its SQL functions lack.
#[expect(clippy::disallowed_methods, reason = "the clock of this adapter, which the engine asks for")]
fn now() -> Timestamp {
    let now = Timestamp::now();
    Timestamp::from_microsecond(now.as_microsecond()).unwrap_or(now)
}

/// A time as it is stored.
fn micros(time: Timestamp) -> i64 {
    time.as_microsecond()
}

/// A limit as SQLite takes it.
fn limit(most: usize) -> i64 {
    i64::try_from(most).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;

//! One database file: a single writing connection and a few reading ones.
//!
//! SQLite has one writer at a time. Writers of this process queue for the one connection;
//! another process is waited for at `BEGIN IMMEDIATE`, never in the middle of a transaction.

use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{ConnectOptions, Connection, Sqlite, Transaction};

use super::errors::Failure;

/// How long a writer waits for another process's transaction before it says "unavailable".
const LOCK_WAIT: Duration = Duration::from_secs(30);

/// Reading connections: the loops, the console and the command line read side by side.
const READERS: u32 = 4;

/// Bytes of write-ahead log kept on disk once it has been copied back.
const LOG_KEPT_BYTES: &str = "67108864";

/// Cache of the writing connection, in SQLite's notation for KiB: room for the pages that a run
/// touches all over the identity index.
const WRITER_CACHE: &str = "-16384";

/// A database file, open.
#[derive(Debug, Clone)]
pub(super) struct Database {
    writer: SqlitePool,
    readers: SqlitePool,
}

impl Database {
    /// Opens the file at `path`; creates it if it isn't there.
    pub(super) async fn open(path: &Path) -> Result<Self, sqlx::Error> {
        let _turn = turn(path).await?;
        let options = SqliteConnectOptions::new()
            .filename(path)
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full)
            .foreign_keys(true)
            .busy_timeout(LOCK_WAIT)
            .pragma("journal_size_limit", LOG_KEPT_BYTES)
            .disable_statement_logging();
        let writer = options.clone().pragma("cache_size", WRITER_CACHE);
        let writer = pool(1).connect_with(writer).await?;
        // `query_only` and not a read-only file handle: the latter can't create the shared
        // memory file that reading a write-ahead log needs.
        let readers = pool(READERS).connect_with(options.pragma("query_only", "ON")).await?;
        Ok(Self { writer, readers })
    }

    /// Begins a transaction that writes; holds the file's write lock from its first moment.
    pub(super) async fn write<E: Failure>(&self) -> Result<Transaction<'static, Sqlite>, E> {
        self.writer.begin_with("BEGIN IMMEDIATE").await.map_err(E::of)
    }

    /// Begins a transaction that reads: one snapshot from its first statement on.
    pub(super) async fn read<E: Failure>(&self) -> Result<Transaction<'static, Sqlite>, E> {
        self.readers.begin().await.map_err(E::of)
    }

    /// For single statements that read.
    pub(super) fn readers(&self) -> &SqlitePool {
        &self.readers
    }

    /// Closes every connection; the last one copies the write-ahead log back into the file.
    pub(super) async fn close(&self) {
        self.readers.close().await;
        self.writer.close().await;
    }
}

/// One process at a time while a file is opened: its switch to a write-ahead log fails at once,
/// without waiting, when two attempt it. The turn is a lock on the directory, and ends with it.
async fn turn(path: &Path) -> io::Result<File> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
    let directory = parent.unwrap_or(Path::new(".")).to_owned();
    let locked = tokio::task::spawn_blocking(move || {
        let directory = File::open(directory)?;
        directory.lock()?;
        Ok(directory)
    });
    locked.await.map_err(io::Error::other)?
}

/// Ends a transaction that writes: commits after success, rolls back after an error, which it
/// hands on.
pub(super) async fn finish<T, E: Failure>(
    transaction: Transaction<'static, Sqlite>,
    result: Result<T, E>,
) -> Result<T, E> {
    match result {
        Ok(value) => match transaction.commit().await {
            Ok(()) => Ok(value),
            Err(error) => Err(E::of_commit(error)),
        },
        Err(error) => {
            leave(transaction).await;
            Err(error)
        }
    }
}

/// Ends a transaction that has nothing to keep. SQLite has rolled back by itself after some
/// errors (disk full) and then refuses to; the pool drops a connection left in such a state.
pub(super) async fn leave(transaction: Transaction<'static, Sqlite>) {
    if let Err(refusal) = transaction.rollback().await {
        tracing::debug!(%refusal, "rollback refused");
    }
}

fn pool(connections: u32) -> SqlitePoolOptions {
    SqlitePoolOptions::new()
        .max_connections(connections)
        .idle_timeout(None)
        .max_lifetime(None)
        .acquire_timeout(LOCK_WAIT * 2)
        .test_before_acquire(false)
        .before_acquire(|connection, _| {
            let usable = !connection.is_in_transaction();
            Box::pin(async move { Ok(usable) })
        })
}

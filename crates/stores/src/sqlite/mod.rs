//! Embedded mode: own store and mailbox in SQLite files, behind the same ports as the servers.
//!
//! Durable (`synchronous=FULL`, write-ahead log), one writer at a time (`BEGIN IMMEDIATE`), any
//! number of readers. The rooms have the names they have in the other own store; the schema is
//! in `migrations/`, the statements of each room in `sql/`.

mod database;
mod discovery;
mod errors;
mod leadership;
mod mailbox;
mod marks;
mod outbox;
mod pump;
mod rows;
mod settle;
mod statement;
mod text;
mod views;

use std::path::Path;
use std::time::Duration;

use domain::decide::{Effects, World};
use domain::event::Target;
use domain::mailbox::{ClosedGap, OpenGap};
use domain::message::{Candidate, IdentityKey};
use domain::{Epoch, Flid, MsgId};
use engine::ports::{
    AttemptLog, Cursor, DueMark, Enqueue, EventSettled, LeaseState, MarkSettled, OutboxEvent, Store,
    StoreError,
};
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

impl Store for SqliteStore {
    async fn now(&self) -> Result<Timestamp, StoreError> {
        Ok(now())
    }

    async fn acquire_lease(&self, owner: &str, ttl: Duration) -> Result<Option<Epoch>, StoreError> {
        leadership::acquire(&self.database, owner, ttl).await
    }

    async fn renew_lease(&self, epoch: Epoch, ttl: Duration) -> Result<(), StoreError> {
        leadership::renew(&self.database, epoch, ttl).await
    }

    async fn release_lease(&self, epoch: Epoch) -> Result<(), StoreError> {
        leadership::release(&self.database, epoch).await
    }

    async fn lease(&self) -> Result<Option<LeaseState>, StoreError> {
        leadership::lease(&self.database).await
    }

    async fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        discovery::cursor(&self.database).await
    }

    async fn start_at(&self, epoch: Epoch, watermark: MsgId, at: Timestamp) -> Result<(), StoreError> {
        discovery::start_at(&self.database, epoch, watermark, at).await
    }

    async fn open_gaps(&self) -> Result<Vec<OpenGap>, StoreError> {
        discovery::open_gaps(&self.database).await
    }

    async fn closed_gaps(&self, since: Timestamp, limit: usize) -> Result<Vec<ClosedGap>, StoreError> {
        discovery::closed_gaps(&self.database, since, limit).await
    }

    async fn enqueue(&self, epoch: Epoch, enqueue: &Enqueue) -> Result<Vec<MsgId>, StoreError> {
        discovery::enqueue(&self.database, epoch, enqueue).await
    }

    async fn record_late(&self, ids: &[MsgId], at: Timestamp) -> Result<Vec<MsgId>, StoreError> {
        discovery::record_late(&self.database, ids, at).await
    }

    async fn head(&self, rows_max: usize, bytes_max: u64) -> Result<Vec<Candidate>, StoreError> {
        pump::head(&self.database, rows_max, bytes_max).await
    }

    async fn world(&self, keys: &[IdentityKey], flids: &[Flid]) -> Result<World, StoreError> {
        pump::world(&self.database, keys, flids).await
    }

    async fn commit_run(&self, epoch: Epoch, effects: &Effects, at: Timestamp) -> Result<(), StoreError> {
        settle::commit_run(&self.database, epoch, effects, at).await
    }

    async fn settle_doubt(&self) -> Result<(), StoreError> {
        pump::settle_doubt(&self.database).await
    }

    async fn attempts(&self, msg_id: MsgId) -> Result<Vec<AttemptLog>, StoreError> {
        pump::attempts(&self.database, msg_id).await
    }

    async fn due_events(
        &self,
        target: Target,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<OutboxEvent>, StoreError> {
        outbox::due_events(&self.database, target, now, limit).await
    }

    async fn settle_events(
        &self,
        epoch: Epoch,
        settled: &[EventSettled],
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        outbox::settle_events(&self.database, epoch, settled, at).await
    }

    async fn due_marks(&self, now: Timestamp, limit: usize) -> Result<Vec<DueMark>, StoreError> {
        marks::due_marks(&self.database, now, limit).await
    }

    async fn settle_marks(&self, settled: &[MarkSettled], at: Timestamp) -> Result<(), StoreError> {
        marks::settle_marks(&self.database, settled, at).await
    }
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

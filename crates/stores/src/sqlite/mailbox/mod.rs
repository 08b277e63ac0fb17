//! The mailbox of embedded mode: the table that others own elsewhere, here created by ourselves.
//!
//! Same names, same meaning and same order of questions as on a server: lengths before bodies,
//! a plain read before a mark, local wall time in both date columns.

mod mark;
mod past;
mod poll;
mod rows;
mod wall_time;

use std::path::Path;

use domain::MsgId;
use domain::mailbox::IdRange;
use engine::ports::{Extent, Mailbox, MailboxError, MarkOutcome, NewLetter, Poll, PollRequest};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sqlx::SqliteConnection;

use super::database::{Database, finish, leave};
use super::errors::Failure;
use super::limit;
use super::statement::named;

const FILE: &str = include_str!("../sql/mailbox.sql");
const CREATE: &str = named(FILE, "create");
const COLUMNS: &str = named(FILE, "columns");
const SERVER: &str = named(FILE, "server");
const PRESENT: &str = named(FILE, "present");
const EXTENT: &str = named(FILE, "extent");
const INSERT: &str = named(FILE, "insert");

/// What a mailbox must be told.
#[derive(Debug, Clone)]
pub struct SqliteMailboxOptions {
    /// `mailbox.time-zone`: zone of the date columns.
    pub zone: TimeZone,
    /// `mailbox.processed-value`: what a mark writes into `CMINMSGS_STATUS`.
    pub processed_value: String,
}

/// A mailbox in one file.
#[derive(Debug, Clone)]
pub struct SqliteMailbox {
    database: Database,
    options: SqliteMailboxOptions,
}

impl SqliteMailbox {
    /// Opens the file at `path`; creates file and table if they aren't there. Any number of
    /// processes may do so at once.
    pub async fn open(path: &Path, options: SqliteMailboxOptions) -> Result<Self, MailboxError> {
        let database = Database::open(path)
            .await
            .map_err(|error| MailboxError::Unavailable(format!("mailbox {}: {error}", path.display())))?;
        let mut transaction = database.write::<MailboxError>().await?;
        let created = sqlx::raw_sql(CREATE).execute(&mut *transaction).await.map_err(MailboxError::of);
        finish(transaction, created).await?;
        Ok(Self { database, options })
    }

    /// Closes the file. Calls after it answer [`MailboxError::Unavailable`].
    pub async fn close(&self) {
        self.database.close().await;
    }
}

impl Mailbox for SqliteMailbox {
    async fn poll(&self, request: &PollRequest) -> Result<Poll, MailboxError> {
        let mut transaction = self.database.read().await?;
        let result = poll::poll(&mut transaction, request, &self.options.zone).await;
        leave(transaction).await;
        result
    }

    async fn present(&self, ranges: &[IdRange], most: usize) -> Result<Vec<MsgId>, MailboxError> {
        let mut ascending = ranges.to_vec();
        ascending.sort_unstable();
        let (mut found, mut next) = (Vec::new(), MsgId(i64::MIN));
        for range in ascending {
            let ids: Vec<i64> = sqlx::query_scalar(PRESENT)
                .bind(range.first.max(next).0)
                .bind(range.last.0)
                .bind(limit(most - found.len()))
                .fetch_all(self.database.readers())
                .await
                .map_err(MailboxError::of)?;
            found.extend(ids.into_iter().map(MsgId));
            next = next.max(MsgId(range.last.0.saturating_add(1)));
        }
        Ok(found)
    }

    async fn extent(&self) -> Result<Extent, MailboxError> {
        let (first, last): (Option<i64>, Option<i64>) =
            sqlx::query_as(EXTENT).fetch_one(self.database.readers()).await.map_err(MailboxError::of)?;
        Ok(Extent { first: first.map(MsgId), last: last.map(MsgId) })
    }

    async fn mark(&self, ids: &[MsgId], at: Timestamp) -> Result<Vec<(MsgId, MarkOutcome)>, MailboxError> {
        mark::mark(&self.database, ids, &wall_time::write(at, &self.options.zone), &self.options).await
    }

    async fn check(&self) -> Vec<String> {
        let read = sqlx::query(COLUMNS).fetch_optional(self.database.readers()).await;
        read.err().map(|error| format!("table CMINMSGS: {error}")).into_iter().collect()
    }

    async fn insert(&self, letters: &[NewLetter]) -> Result<Vec<MsgId>, MailboxError> {
        let mut transaction = self.database.write().await?;
        let result = insert_all(&mut transaction, letters, &self.options.zone).await;
        finish(transaction, result).await
    }
}

async fn insert_all(
    connection: &mut SqliteConnection,
    letters: &[NewLetter],
    zone: &TimeZone,
) -> Result<Vec<MsgId>, MailboxError> {
    let mut ids = Vec::with_capacity(letters.len());
    for letter in letters {
        let inserted = sqlx::query(INSERT)
            .bind(letter.id.map(|id| id.0))
            .bind(wall_time::write(letter.received_at, zone))
            .bind(letter.body.as_deref())
            .execute(&mut *connection)
            .await
            .map_err(MailboxError::of)?;
        ids.push(MsgId(inserted.last_insert_rowid()));
    }
    Ok(ids)
}

#[cfg(test)]
mod tests;

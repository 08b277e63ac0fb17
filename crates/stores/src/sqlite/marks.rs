//! Which messages owe a mark, and what became of each (INV-7, INV-8).

use domain::MsgId;
use engine::ports::{DueMark, MarkSettled, MarkVerdict, StoreError};
use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::database::{Database, finish};
use super::errors::Failure;
use super::rows::Place;
use super::statement::named;
use super::text::{MARK_ERROR_MAX, cut};
use super::{limit, micros};

const FILE: &str = include_str!("sql/marks.sql");
pub(super) const DUE_MARKS: &str = named(FILE, "due_marks");
pub(super) const MARKS_DONE: &str = named(FILE, "marks_done");
pub(super) const MARK_RETRY: &str = named(FILE, "mark_retry");
pub(super) const MARK_ABANDONED: &str = named(FILE, "mark_abandoned");

#[derive(sqlx::FromRow)]
struct DueRow {
    msg_id: i64,
    enqueued_at: i64,
    backfill_attempts: i64,
}

impl TryFrom<DueRow> for DueMark {
    type Error = StoreError;

    fn try_from(row: DueRow) -> Result<Self, StoreError> {
        let place = Place::new("proc_state", row.msg_id);
        Ok(Self {
            msg_id: MsgId(row.msg_id),
            enqueued_at: place.time("enqueued_at", row.enqueued_at)?,
            attempts: place.count("backfill_attempts", row.backfill_attempts)?,
        })
    }
}

pub(super) async fn due_marks(
    database: &Database,
    now: Timestamp,
    most: usize,
) -> Result<Vec<DueMark>, StoreError> {
    let rows: Vec<DueRow> = sqlx::query_as(DUE_MARKS)
        .bind(micros(now))
        .bind(limit(most))
        .fetch_all(database.readers())
        .await
        .map_err(StoreError::of)?;
    rows.into_iter().map(DueMark::try_from).collect()
}

pub(super) async fn settle_marks(
    database: &Database,
    settled: &[MarkSettled],
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut transaction = database.write().await?;
    let result = settle_all(&mut transaction, settled, at).await;
    finish(transaction, result).await
}

async fn settle_all(
    connection: &mut SqliteConnection,
    settled: &[MarkSettled],
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut done = Vec::new();
    for mark in settled {
        match &mark.verdict {
            MarkVerdict::Done => done.push(mark.msg_id.0),
            MarkVerdict::Retry { error, attempts, due } => {
                sqlx::query(MARK_RETRY)
                    .bind(mark.msg_id.0)
                    .bind(*attempts)
                    .bind(micros(*due))
                    .bind(cut(error, MARK_ERROR_MAX))
                    .execute(&mut *connection)
                    .await
                    .map_err(StoreError::of)?;
            }
            MarkVerdict::Abandoned { reason, error } => {
                sqlx::query(MARK_ABANDONED)
                    .bind(mark.msg_id.0)
                    .bind(micros(at))
                    .bind(*reason)
                    .bind(cut(error, MARK_ERROR_MAX))
                    .execute(&mut *connection)
                    .await
                    .map_err(StoreError::of)?;
            }
        }
    }
    sqlx::query(MARKS_DONE)
        .bind(serde_json::json!(done).to_string())
        .bind(micros(at))
        .execute(connection)
        .await
        .map_err(StoreError::of)?;
    Ok(())
}

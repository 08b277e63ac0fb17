//! Marks owed to the mailbox.

use chrono::{DateTime, Utc};
use domain::MsgId;
use domain::message::text;
use engine::ports::{DueMark, MarkSettled, MarkVerdict, StoreError};
use jiff::Timestamp;
use sqlx::PgPool;
use sqlx::postgres::PgRow;

use super::cells::Cells;
use super::errors::failed;
use super::sql::named;
use super::times::stored;

const SQL: &str = include_str!("sql/marks.sql");
/// Longest `backfill_error`, in characters.
const ERROR_CHARS_MAX: usize = 512;

pub(super) async fn due_marks(
    pool: &PgPool,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<DueMark>, StoreError> {
    const DUE_MARKS: &str = named(SQL, "due_marks");
    let query = sqlx::query(DUE_MARKS).bind(stored(now)).bind(super::numbers::limit(limit));
    let rows = query.fetch_all(pool).await.map_err(failed)?;
    rows.iter().map(due_mark).collect()
}

fn due_mark(row: &PgRow) -> Result<DueMark, StoreError> {
    let cells = Cells::new(row, "proc_state", "msg_id");
    Ok(DueMark {
        msg_id: MsgId(cells.get("msg_id")?),
        enqueued_at: cells.time("enqueued_at")?,
        attempts: cells.small_count("backfill_attempts")?,
    })
}

/// One statement, its own transaction, and idempotent: a lost answer needs no looking up.
pub(super) async fn settle_marks(
    pool: &PgPool,
    settled: &[MarkSettled],
    at: Timestamp,
) -> Result<(), StoreError> {
    const SETTLE_MARKS: &str = named(SQL, "settle_marks");
    let mut columns = Columns::default();
    for one in settled {
        columns.push(one, stored(at));
    }
    let update = sqlx::query(SETTLE_MARKS)
        .bind(columns.ids)
        .bind(columns.marked_at)
        .bind(columns.next_at)
        .bind(columns.attempts)
        .bind(columns.errors)
        .bind(columns.abandoned_at)
        .bind(columns.reasons);
    update.execute(pool).await.map_err(failed)?;
    Ok(())
}

/// Outcomes, a vector per column.
#[derive(Default)]
struct Columns {
    ids: Vec<i64>,
    marked_at: Vec<Option<DateTime<Utc>>>,
    next_at: Vec<Option<DateTime<Utc>>>,
    attempts: Vec<Option<i32>>,
    errors: Vec<Option<String>>,
    abandoned_at: Vec<Option<DateTime<Utc>>>,
    reasons: Vec<Option<&'static str>>,
}

impl Columns {
    fn push(&mut self, one: &MarkSettled, at: DateTime<Utc>) {
        let (mut marked_at, mut next_at, mut tries) = (None, None, None);
        let (mut words, mut abandoned_at, mut abandoned_reason) = (None, None, None);
        match &one.verdict {
            MarkVerdict::Done => marked_at = Some(at),
            MarkVerdict::Retry { error, attempts, due } => {
                words = Some(text(error, ERROR_CHARS_MAX));
                tries = Some(super::numbers::small(*attempts));
                next_at = Some(stored(*due));
            }
            MarkVerdict::Abandoned { reason, error } => {
                words = Some(text(error, ERROR_CHARS_MAX)).filter(|words| !words.is_empty());
                abandoned_at = Some(at);
                abandoned_reason = Some(*reason);
            }
        }
        self.ids.push(one.msg_id.0);
        self.marked_at.push(marked_at);
        self.next_at.push(next_at);
        self.attempts.push(tries);
        self.errors.push(words);
        self.abandoned_at.push(abandoned_at);
        self.reasons.push(abandoned_reason);
    }
}

//! Watermark, gap ledger and the enqueueing of what has landed (INV-2).

use domain::mailbox::{ClosedGap, GapVerdict, IdRange, OpenGap};
use domain::message::StoredBody;
use domain::{Epoch, MsgId};
use engine::ports::{Cursor, Enqueue, Landed, Ledger, StoreError};
use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::database::{Database, finish};
use super::errors::Failure;
use super::leadership::fence;
use super::rows::Place;
use super::statement::named;
use super::{limit, micros};
use crate::raw;

const FILE: &str = include_str!("sql/discovery.sql");
pub(super) const CURSOR: &str = named(FILE, "cursor");
pub(super) const START_AT: &str = named(FILE, "start_at");
pub(super) const ADVANCE: &str = named(FILE, "advance");
pub(super) const INSERT_RAW: &str = named(FILE, "insert_raw");
pub(super) const RAW_IS: &str = named(FILE, "raw_is");
pub(super) const INSERT_PENDING: &str = named(FILE, "insert_pending");
pub(super) const OPEN_GAPS: &str = named(FILE, "open_gaps");
pub(super) const CLOSED_GAPS: &str = named(FILE, "closed_gaps");
pub(super) const FORGET_OPEN_GAPS: &str = named(FILE, "forget_open_gaps");
pub(super) const INSERT_OPEN_GAP: &str = named(FILE, "insert_open_gap");
pub(super) const INSERT_CLOSED_GAP: &str = named(FILE, "insert_closed_gap");
pub(super) const RECORD_LATE: &str = named(FILE, "record_late");

pub(super) async fn cursor(database: &Database) -> Result<Option<Cursor>, StoreError> {
    let watermark: Option<i64> =
        sqlx::query_scalar(CURSOR).fetch_optional(database.readers()).await.map_err(StoreError::of)?;
    Ok(watermark.map(|id| Cursor { watermark: MsgId(id) }))
}

pub(super) async fn start_at(
    database: &Database,
    epoch: Epoch,
    watermark: MsgId,
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut transaction = database.write().await?;
    let result = start(&mut transaction, epoch, watermark, at).await;
    finish(transaction, result).await
}

async fn start(
    connection: &mut SqliteConnection,
    epoch: Epoch,
    watermark: MsgId,
    at: Timestamp,
) -> Result<(), StoreError> {
    fence(connection, epoch).await?;
    let first = sqlx::query(START_AT)
        .bind(watermark.0)
        .bind(micros(at))
        .execute(&mut *connection)
        .await
        .map_err(StoreError::of)?;
    if first.rows_affected() == 0 || watermark.0 == 0 {
        return Ok(());
    }
    let range = IdRange { first: MsgId(1), last: watermark };
    close_gap(
        connection,
        &ClosedGap { range, first_seen: at, closed_at: at, verdict: GapVerdict::BeforeStart },
    )
    .await
}

/// Panics when `enqueue` would move the watermark back: that is a bug of the caller.
pub(super) async fn enqueue(
    database: &Database,
    epoch: Epoch,
    enqueue: &Enqueue,
) -> Result<Vec<MsgId>, StoreError> {
    assert!(enqueue.from <= enqueue.to, "the watermark never decreases ({} to {})", enqueue.from, enqueue.to);
    let mut transaction = database.write().await?;
    let result = take_up(&mut transaction, epoch, enqueue).await;
    finish(transaction, result).await
}

async fn take_up(
    connection: &mut SqliteConnection,
    epoch: Epoch,
    enqueue: &Enqueue,
) -> Result<Vec<MsgId>, StoreError> {
    fence(connection, epoch).await?;
    advance(connection, enqueue).await?;
    let mut different = Vec::new();
    for landed in &enqueue.rows {
        if !keep_raw(connection, landed).await? {
            different.push(landed.id);
        }
    }
    insert_pending(connection, &enqueue.rows, enqueue.at).await?;
    if let Some(ledger) = &enqueue.ledger {
        replace_ledger(connection, ledger).await?;
    }
    Ok(different)
}

async fn advance(connection: &mut SqliteConnection, enqueue: &Enqueue) -> Result<(), StoreError> {
    let moved = sqlx::query(ADVANCE)
        .bind(enqueue.from.0)
        .bind(enqueue.to.0)
        .bind(micros(enqueue.at))
        .execute(connection)
        .await
        .map_err(StoreError::of)?;
    if moved.rows_affected() == 1 {
        Ok(())
    } else {
        Err(StoreError::Conflict(format!("the watermark is no longer {}", enqueue.from)))
    }
}

/// Keeps a body; `false` if there is one already and it is another (PRE-3). A body that was
/// NULL has no hash, so it differs from an empty one.
async fn keep_raw(connection: &mut SqliteConnection, landed: &Landed) -> Result<bool, StoreError> {
    let (sha256, length, absence, body) = match &landed.body {
        StoredBody::Bytes(bytes) => {
            let packed = raw::pack(bytes).map_err(|error| {
                StoreError::Unavailable(format!("the body of message {} can't be packed: {error}", landed.id))
            })?;
            (Some(raw::digest(bytes)), bytes.len() as u64, None, Some(packed))
        }
        StoredBody::Missing => (None, 0, Some("MISSING"), None),
        StoredBody::Oversized { length, sha256 } => (Some(*sha256), *length, Some("OVERSIZED"), None),
    };
    let sha256 = sha256.map(Vec::from);
    let kept = sqlx::query(INSERT_RAW)
        .bind(landed.id.0)
        .bind(sha256.clone())
        .bind(i64::try_from(length).unwrap_or(i64::MAX))
        .bind(absence)
        .bind(body)
        .execute(&mut *connection)
        .await
        .map_err(StoreError::of)?;
    if kept.rows_affected() == 1 {
        return Ok(true);
    }
    sqlx::query_scalar(RAW_IS)
        .bind(landed.id.0)
        .bind(sha256)
        .fetch_one(connection)
        .await
        .map_err(StoreError::of)
}

async fn insert_pending(
    connection: &mut SqliteConnection,
    rows: &[Landed],
    at: Timestamp,
) -> Result<(), StoreError> {
    let rows: Vec<_> = rows.iter().map(|row| (row.id.0, row.received_at.map(micros))).collect();
    sqlx::query(INSERT_PENDING)
        .bind(serde_json::json!(rows).to_string())
        .bind(micros(at))
        .execute(connection)
        .await
        .map_err(StoreError::of)?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct GapRow {
    gap_id: i64,
    first_id: i64,
    last_id: i64,
    first_seen: i64,
    server_id: String,
    verdict: Option<String>,
    closed_at: Option<i64>,
}

impl GapRow {
    fn place(&self) -> Place<i64> {
        Place::new("inbox_gap", self.gap_id)
    }

    fn range(&self) -> IdRange {
        IdRange { first: MsgId(self.first_id), last: MsgId(self.last_id) }
    }

    fn open(self) -> Result<OpenGap, StoreError> {
        let first_seen = self.place().time("first_seen", self.first_seen)?;
        Ok(OpenGap { range: self.range(), first_seen, server: self.server_id })
    }

    fn closed(self) -> Result<ClosedGap, StoreError> {
        let place = self.place();
        let closed_at = self.closed_at.ok_or_else(|| place.corrupt("closed_at", "NULL in a closed gap"))?;
        let verdict = self.verdict.as_deref().unwrap_or("NULL");
        Ok(ClosedGap {
            range: self.range(),
            first_seen: place.time("first_seen", self.first_seen)?,
            closed_at: place.time("closed_at", closed_at)?,
            verdict: GapVerdict::parse(verdict).ok_or_else(|| place.unknown("verdict", verdict))?,
        })
    }
}

pub(super) async fn open_gaps(database: &Database) -> Result<Vec<OpenGap>, StoreError> {
    let rows: Vec<GapRow> =
        sqlx::query_as(OPEN_GAPS).fetch_all(database.readers()).await.map_err(StoreError::of)?;
    rows.into_iter().map(GapRow::open).collect()
}

pub(super) async fn closed_gaps(
    database: &Database,
    since: Timestamp,
    most: usize,
) -> Result<Vec<ClosedGap>, StoreError> {
    let rows: Vec<GapRow> = sqlx::query_as(CLOSED_GAPS)
        .bind(micros(since))
        .bind(limit(most))
        .fetch_all(database.readers())
        .await
        .map_err(StoreError::of)?;
    rows.into_iter().map(GapRow::closed).collect()
}

async fn replace_ledger(connection: &mut SqliteConnection, ledger: &Ledger) -> Result<(), StoreError> {
    sqlx::query(FORGET_OPEN_GAPS).execute(&mut *connection).await.map_err(StoreError::of)?;
    for gap in &ledger.open {
        sqlx::query(INSERT_OPEN_GAP)
            .bind(gap.range.first.0)
            .bind(gap.range.last.0)
            .bind(micros(gap.first_seen))
            .bind(gap.server.as_str())
            .execute(&mut *connection)
            .await
            .map_err(StoreError::of)?;
    }
    for gap in &ledger.closed {
        close_gap(connection, gap).await?;
    }
    Ok(())
}

async fn close_gap(connection: &mut SqliteConnection, gap: &ClosedGap) -> Result<(), StoreError> {
    sqlx::query(INSERT_CLOSED_GAP)
        .bind(gap.range.first.0)
        .bind(gap.range.last.0)
        .bind(micros(gap.first_seen))
        .bind(gap.verdict.as_str())
        .bind(micros(gap.closed_at))
        .execute(connection)
        .await
        .map_err(StoreError::of)?;
    Ok(())
}

pub(super) async fn record_late(
    database: &Database,
    ids: &[MsgId],
    at: Timestamp,
) -> Result<Vec<MsgId>, StoreError> {
    let mut transaction = database.write().await?;
    let result = note_late(&mut transaction, ids, at).await;
    finish(transaction, result).await
}

async fn note_late(
    connection: &mut SqliteConnection,
    ids: &[MsgId],
    at: Timestamp,
) -> Result<Vec<MsgId>, StoreError> {
    let mut fresh = Vec::new();
    for id in ids {
        let noted = sqlx::query(RECORD_LATE)
            .bind(id.0)
            .bind(micros(at))
            .execute(&mut *connection)
            .await
            .map_err(StoreError::of)?;
        if noted.rows_affected() == 1 {
            fresh.push(*id);
        }
    }
    Ok(fresh)
}

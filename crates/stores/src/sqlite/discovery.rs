//! The watermark and the enqueueing of what has landed (INV-2).

use domain::mailbox::ClosedGap;
use domain::{Epoch, MsgId};
use engine::ports::{Cursor, Enqueue, Landed, StoreError};
use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::bodies::keep_raw;
use super::database::{Database, finish};
use super::errors::Failure;
use super::gaps::{close_gap, replace_ledger};
use super::leadership::fence;
use super::micros;
use super::statement::named;

pub(super) const FILE: &str = include_str!("sql/discovery.sql");
pub(super) const CURSOR: &str = named(FILE, "cursor");
pub(super) const START_AT: &str = named(FILE, "start_at");
pub(super) const ADVANCE: &str = named(FILE, "advance");
pub(super) const INSERT_PENDING: &str = named(FILE, "insert_pending");

pub(super) async fn cursor(database: &Database) -> Result<Option<Cursor>, StoreError> {
    let watermark: Option<i64> =
        sqlx::query_scalar(CURSOR).fetch_optional(database.readers()).await.map_err(StoreError::of)?;
    Ok(watermark.map(|id| Cursor { watermark: MsgId(id) }))
}

pub(super) async fn start_at(
    database: &Database,
    epoch: Epoch,
    watermark: MsgId,
    closed: &[ClosedGap],
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut transaction = database.write().await?;
    let result = start(&mut transaction, epoch, watermark, closed, at).await;
    finish(transaction, result).await
}

async fn start(
    connection: &mut SqliteConnection,
    epoch: Epoch,
    watermark: MsgId,
    closed: &[ClosedGap],
    at: Timestamp,
) -> Result<(), StoreError> {
    fence(connection, epoch).await?;
    let first = sqlx::query(START_AT)
        .bind(watermark.0)
        .bind(micros(at))
        .execute(&mut *connection)
        .await
        .map_err(StoreError::of)?;
    if first.rows_affected() == 0 {
        return Ok(());
    }
    for gap in closed {
        close_gap(connection, gap).await?;
    }
    Ok(())
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
        if !keep_raw(connection, landed, enqueue.at).await? {
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

pub(super) async fn insert_pending(
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

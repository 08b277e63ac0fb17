//! The watermark, and what moves with it in one transaction (INV-2).

use domain::mailbox::ClosedGap;
use domain::{Epoch, MsgId};
use engine::ports::{Cursor, Enqueue, Ledger, StoreError};
use jiff::Timestamp;
use sqlx::{PgPool, PgTransaction};

use super::arrivals::{Arrivals, insert_arrivals};
use super::errors::failed;
use super::ledger;
use super::sql::named;
use super::times::stored;
use super::transaction::{begin, end, fence};

const SQL: &str = include_str!("sql/discovery.sql");

pub(super) async fn cursor(pool: &PgPool) -> Result<Option<Cursor>, StoreError> {
    const CURSOR: &str = named(SQL, "cursor");
    let watermark: Option<i64> = sqlx::query_scalar(CURSOR).fetch_optional(pool).await.map_err(failed)?;
    Ok(watermark.map(|watermark| Cursor { watermark: MsgId(watermark) }))
}

pub(super) async fn start_at(
    pool: &PgPool,
    epoch: Epoch,
    watermark: MsgId,
    closed: &[ClosedGap],
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut transaction = begin(pool).await?;
    let outcome = write_start(&mut transaction, epoch, watermark, closed, at).await;
    end(transaction, outcome).await
}

async fn write_start(
    transaction: &mut PgTransaction<'_>,
    epoch: Epoch,
    watermark: MsgId,
    closed: &[ClosedGap],
    at: Timestamp,
) -> Result<(), StoreError> {
    const START_AT: &str = named(SQL, "start_at");
    fence(transaction, epoch).await?;
    let start = sqlx::query(START_AT).bind(watermark.0).bind(stored(at));
    let is_first = start.execute(&mut **transaction).await.map_err(failed)?.rows_affected() == 1;
    if !is_first || closed.is_empty() {
        return Ok(());
    }
    ledger::insert_gaps(transaction, &Ledger { open: Vec::new(), closed: closed.to_vec() }).await
}

pub(super) async fn enqueue(
    pool: &PgPool,
    epoch: Epoch,
    enqueue: &Enqueue,
) -> Result<Vec<MsgId>, StoreError> {
    assert!(enqueue.to >= enqueue.from, "the watermark never goes back: {enqueue:?}");
    let arrivals = Arrivals::pack(&enqueue.rows)?;
    let mut transaction = begin(pool).await?;
    let outcome = write_arrivals(&mut transaction, epoch, enqueue, arrivals).await;
    end(transaction, outcome).await
}

async fn write_arrivals(
    transaction: &mut PgTransaction<'_>,
    epoch: Epoch,
    enqueue: &Enqueue,
    arrivals: Arrivals,
) -> Result<Vec<MsgId>, StoreError> {
    fence(transaction, epoch).await?;
    move_watermark(transaction, enqueue).await?;
    if let Some(ledger) = &enqueue.ledger {
        ledger::replace(transaction, ledger).await?;
    }
    insert_arrivals(transaction, enqueue, arrivals).await
}

async fn move_watermark(transaction: &mut PgTransaction<'_>, enqueue: &Enqueue) -> Result<(), StoreError> {
    const ADVANCE: &str = named(SQL, "advance");
    let moved = sqlx::query(ADVANCE).bind(enqueue.from.0).bind(enqueue.to.0).bind(stored(enqueue.at));
    if moved.execute(&mut **transaction).await.map_err(failed)?.rows_affected() == 1 {
        Ok(())
    } else {
        Err(StoreError::Conflict(format!("the watermark is no longer {}", enqueue.from)))
    }
}

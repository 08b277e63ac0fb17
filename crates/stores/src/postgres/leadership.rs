//! Lease, heartbeat and clock.

use std::time::Duration;

use domain::Epoch;
use engine::ports::{LeaseState, StoreError};
use jiff::Timestamp;
use sqlx::{PgPool, PgTransaction};

use super::cells::Cells;
use super::errors::failed;
use super::sql::named;
use super::transaction::{begin, end, lock_pipeline};

const SQL: &str = include_str!("sql/leadership.sql");
const LEASE_IS_FREE: &str = named(SQL, "lease_is_free");

pub(super) async fn now(pool: &PgPool) -> Result<Timestamp, StoreError> {
    const NOW: &str = named(SQL, "now");
    let row = sqlx::query(NOW).fetch_one(pool).await.map_err(failed)?;
    Cells::new(&row, "clock", "at").time("at")
}

pub(super) async fn acquire(pool: &PgPool, owner: &str, ttl: Duration) -> Result<Option<Epoch>, StoreError> {
    // A look without a lock first: those who wait for the lease must not slow its holder down.
    let looks_free: bool = sqlx::query_scalar(LEASE_IS_FREE).fetch_one(pool).await.map_err(failed)?;
    if !looks_free {
        return Ok(None);
    }
    let mut transaction = begin(pool).await?;
    let outcome = take_over(&mut transaction, owner, ttl).await;
    end(transaction, outcome).await
}

/// Locks the lease row, which waits for every fenced transaction to end, and looks again.
async fn take_over(
    transaction: &mut PgTransaction<'_>,
    owner: &str,
    ttl: Duration,
) -> Result<Option<Epoch>, StoreError> {
    const TAKE_LEASE: &str = named(SQL, "take_lease");
    lock_lease(transaction).await?;
    let is_free: bool =
        sqlx::query_scalar(LEASE_IS_FREE).fetch_one(&mut **transaction).await.map_err(failed)?;
    if !is_free {
        return Ok(None);
    }
    let taken = sqlx::query_scalar(TAKE_LEASE).bind(owner).bind(microseconds(ttl));
    let epoch: i64 = taken.fetch_one(&mut **transaction).await.map_err(failed)?;
    Ok(Some(Epoch(epoch)))
}

async fn lock_lease(transaction: &mut PgTransaction<'_>) -> Result<(), StoreError> {
    const LOCK_LEASE: &str = named(SQL, "lock_lease");
    sqlx::query(LOCK_LEASE).execute(&mut **transaction).await.map_err(failed)?;
    Ok(())
}

pub(super) async fn renew(pool: &PgPool, epoch: Epoch, ttl: Duration) -> Result<(), StoreError> {
    if beat(pool, epoch, ttl).await? { Ok(()) } else { Err(StoreError::Fenced(epoch)) }
}

pub(super) async fn release(pool: &PgPool, epoch: Epoch) -> Result<(), StoreError> {
    beat(pool, epoch, Duration::ZERO).await?;
    Ok(())
}

/// Moves the heartbeat; `false` when the epoch is no longer the lease's.
async fn beat(pool: &PgPool, epoch: Epoch, ahead: Duration) -> Result<bool, StoreError> {
    const BEAT: &str = named(SQL, "beat");
    let beat = sqlx::query(BEAT).bind(epoch.0).bind(microseconds(ahead));
    Ok(beat.execute(pool).await.map_err(failed)?.rows_affected() == 1)
}

pub(super) async fn lease(pool: &PgPool) -> Result<Option<LeaseState>, StoreError> {
    const LEASE: &str = named(SQL, "lease");
    let Some(row) = sqlx::query(LEASE).fetch_optional(pool).await.map_err(failed)? else { return Ok(None) };
    let cells = Cells::new(&row, "pipeline_lease", "epoch");
    Ok(Some(LeaseState {
        epoch: Epoch(cells.get("epoch")?),
        owner: cells.get("owner")?,
        expires_at: cells.time("expires_at")?,
    }))
}

/// Runs that touch no flight don't take `PIPELINE_LOCK`, but every one holds the lease row until it
/// ends: both together wait for all.
pub(super) async fn settle_doubt(pool: &PgPool, lock_key: i64) -> Result<(), StoreError> {
    let mut transaction = begin(pool).await?;
    let outcome = wait_for_all(&mut transaction, lock_key).await;
    end(transaction, outcome).await
}

async fn wait_for_all(transaction: &mut PgTransaction<'_>, lock_key: i64) -> Result<(), StoreError> {
    lock_pipeline(transaction, lock_key).await?;
    lock_lease(transaction).await
}

fn microseconds(duration: Duration) -> i64 {
    i64::try_from(duration.as_micros()).unwrap_or(i64::MAX)
}

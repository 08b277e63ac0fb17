//! Lease, fencing epoch and heartbeat: one process works at a time.

use std::time::Duration;

use domain::Epoch;
use engine::ports::{LeaseState, StoreError};
use jiff::{SignedDuration, Timestamp};
use sqlx::SqliteConnection;

use super::database::{Database, finish, leave};
use super::errors::Failure;
use super::rows::Place;
use super::statement::named;
use super::{micros, now};

const FILE: &str = include_str!("sql/leadership.sql");
pub(super) const LEASE: &str = named(FILE, "lease");
pub(super) const EPOCH: &str = named(FILE, "epoch");
pub(super) const TAKE_LEASE: &str = named(FILE, "take_lease");
pub(super) const BEAT: &str = named(FILE, "beat");

#[derive(sqlx::FromRow)]
struct LeaseRow {
    epoch: i64,
    owner: String,
    expires_at: i64,
}

pub(super) async fn acquire(
    database: &Database,
    owner: &str,
    ttl: Duration,
) -> Result<Option<Epoch>, StoreError> {
    let mut transaction = database.write().await?;
    let result = take(&mut transaction, owner, ttl).await;
    finish(transaction, result).await
}

/// Reads the clock under the write lock: waiting for it may have taken longer than a lease.
async fn take(
    connection: &mut SqliteConnection,
    owner: &str,
    ttl: Duration,
) -> Result<Option<Epoch>, StoreError> {
    let at = now();
    if holder(connection).await?.is_some_and(|lease| lease.expires_at > at) {
        return Ok(None);
    }
    let epoch: i64 = sqlx::query_scalar(TAKE_LEASE)
        .bind(owner)
        .fetch_one(&mut *connection)
        .await
        .map_err(StoreError::of)?;
    beat(connection, ahead(at, ttl)).await?;
    Ok(Some(Epoch(epoch)))
}

pub(super) async fn renew(database: &Database, epoch: Epoch, ttl: Duration) -> Result<(), StoreError> {
    let mut transaction = database.write().await?;
    let result = match fence(&mut transaction, epoch).await {
        Ok(()) => beat(&mut transaction, ahead(now(), ttl)).await,
        Err(error) => Err(error),
    };
    finish(transaction, result).await
}

pub(super) async fn release(database: &Database, epoch: Epoch) -> Result<(), StoreError> {
    let mut transaction = database.write().await?;
    let result = match fence(&mut transaction, epoch).await {
        Ok(()) => beat(&mut transaction, now()).await,
        // Another's heartbeat is left alone: there is nothing of ours to let go.
        Err(StoreError::Fenced(_)) => Ok(()),
        Err(error) => Err(error),
    };
    finish(transaction, result).await
}

pub(super) async fn lease(database: &Database) -> Result<Option<LeaseState>, StoreError> {
    let mut transaction = database.read().await?;
    let result = holder(&mut transaction).await;
    leave(transaction).await;
    result
}

/// Refuses to go on unless `epoch` is the lease's; to be called inside the transaction that
/// writes, whose lock keeps a take-over out until it ends.
pub(super) async fn fence(connection: &mut SqliteConnection, epoch: Epoch) -> Result<(), StoreError> {
    let stored: Option<i64> =
        sqlx::query_scalar(EPOCH).fetch_optional(connection).await.map_err(StoreError::of)?;
    if stored == Some(epoch.0) { Ok(()) } else { Err(StoreError::Fenced(epoch)) }
}

async fn holder(connection: &mut SqliteConnection) -> Result<Option<LeaseState>, StoreError> {
    let row: Option<LeaseRow> =
        sqlx::query_as(LEASE).fetch_optional(connection).await.map_err(StoreError::of)?;
    row.map(|row| {
        let expires_at = Place::new("pipeline_heartbeat", "pipeline").time("expires_at", row.expires_at)?;
        Ok(LeaseState { epoch: Epoch(row.epoch), owner: row.owner, expires_at })
    })
    .transpose()
}

async fn beat(connection: &mut SqliteConnection, expires_at: Timestamp) -> Result<(), StoreError> {
    sqlx::query(BEAT).bind(micros(expires_at)).execute(connection).await.map_err(StoreError::of)?;
    Ok(())
}

/// `at + ttl`; a lease without end where the calendar has none.
fn ahead(at: Timestamp, ttl: Duration) -> Timestamp {
    SignedDuration::try_from(ttl).ok().and_then(|ttl| at.checked_add(ttl).ok()).unwrap_or(Timestamp::MAX)
}

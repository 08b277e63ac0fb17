//! What is old enough is forgotten, batch by batch.

use domain::Epoch;
use engine::ports::{Old, Retention, StoreError};
use jiff::Timestamp;
use sqlx::{PgPool, PgTransaction};

use super::PostgresStore;
use super::errors::failed;
use super::sql::named;
use super::times::stored;
use super::transaction::{begin, end, fence};

const SQL: &str = include_str!("sql/retention.sql");

/// What a batch deletes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Forget {
    Events(Timestamp),
    Bodies(Timestamp),
    Archived(Old),
    Shadows(Old),
}

impl Retention for PostgresStore {
    async fn forget_events(&self, epoch: Epoch, before: Timestamp, limit: usize) -> Result<u64, StoreError> {
        forget(&self.pool, epoch, Forget::Events(before), limit).await
    }

    async fn forget_bodies(&self, epoch: Epoch, before: Timestamp, limit: usize) -> Result<u64, StoreError> {
        forget(&self.pool, epoch, Forget::Bodies(before), limit).await
    }
}

pub(super) async fn forget(
    pool: &PgPool,
    epoch: Epoch,
    what: Forget,
    limit: usize,
) -> Result<u64, StoreError> {
    let mut transaction = begin(pool).await?;
    let outcome = delete(&mut transaction, epoch, what, super::numbers::limit(limit)).await;
    end(transaction, outcome).await
}

async fn delete(
    transaction: &mut PgTransaction<'_>,
    epoch: Epoch,
    what: Forget,
    limit: i64,
) -> Result<u64, StoreError> {
    const FORGET_EVENTS: &str = named(SQL, "forget_events");
    const FORGET_DISCARDED: &str = named(SQL, "forget_discarded");
    const FORGET_BODIES: &str = named(SQL, "forget_bodies");
    const FORGET_ARCHIVED: &str = named(SQL, "forget_archived");
    const FORGET_SHADOWS: &str = named(SQL, "forget_shadows");
    fence(transaction, epoch).await?;
    match what {
        Forget::Events(before) => {
            let sent = by_age(transaction, FORGET_EVENTS, before, limit).await?;
            Ok(sent + by_age(transaction, FORGET_DISCARDED, before, limit).await?)
        }
        Forget::Bodies(before) => by_age(transaction, FORGET_BODIES, before, limit).await,
        Forget::Archived(old) => by_place(transaction, FORGET_ARCHIVED, old, limit).await,
        Forget::Shadows(old) => by_place(transaction, FORGET_SHADOWS, old, limit).await,
    }
}

async fn by_age(
    transaction: &mut PgTransaction<'_>,
    statement: &'static str,
    before: Timestamp,
    limit: i64,
) -> Result<u64, StoreError> {
    let delete = sqlx::query(statement).bind(stored(before)).bind(limit);
    Ok(delete.execute(&mut **transaction).await.map_err(failed)?.rows_affected())
}

async fn by_place(
    transaction: &mut PgTransaction<'_>,
    statement: &'static str,
    old: Old,
    limit: i64,
) -> Result<u64, StoreError> {
    let delete = sqlx::query(statement).bind(stored(old.before)).bind(old.below.0).bind(limit);
    Ok(delete.execute(&mut **transaction).await.map_err(failed)?.rows_affected())
}

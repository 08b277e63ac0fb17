//! What is old enough is forgotten, batch by batch.

use domain::Epoch;
use engine::ports::{Old, Retention, StoreError};
use jiff::Timestamp;
use serde_json::json;
use sqlx::SqliteConnection;

use super::database::{Database, finish};
use super::errors::Failure;
use super::leadership::fence;
use super::statement::named;
use super::{SqliteStore, limit, micros};

const FILE: &str = include_str!("sql/retention.sql");
pub(super) const FORGET_EVENTS: &str = named(FILE, "forget_events");
pub(super) const FORGET_DISCARDED: &str = named(FILE, "forget_discarded");
pub(super) const OLD_ARCHIVED: &str = named(FILE, "old_archived");
pub(super) const FORGET_ATTEMPTS: &str = named(FILE, "forget_attempts");
pub(super) const FORGET_ARCHIVED: &str = named(FILE, "forget_archived");
pub(super) const FORGET_SHADOWS: &str = named(FILE, "forget_shadows");
pub(super) const FORGET_BODIES: &str = named(FILE, "forget_bodies");

/// What a batch deletes.
#[derive(Debug, Clone, Copy)]
pub(super) enum Forget {
    Events(Timestamp),
    Bodies(Timestamp),
    Archived(Old),
    Shadows(Old),
}

impl Retention for SqliteStore {
    async fn forget_events(&self, epoch: Epoch, before: Timestamp, most: usize) -> Result<u64, StoreError> {
        forget(&self.database, epoch, Forget::Events(before), most).await
    }

    async fn forget_bodies(&self, epoch: Epoch, before: Timestamp, most: usize) -> Result<u64, StoreError> {
        forget(&self.database, epoch, Forget::Bodies(before), most).await
    }
}

pub(super) async fn forget(
    database: &Database,
    epoch: Epoch,
    what: Forget,
    most: usize,
) -> Result<u64, StoreError> {
    let mut transaction = database.write().await?;
    let result = match fence(&mut transaction, epoch).await {
        Ok(()) => delete(&mut transaction, what, limit(most)).await,
        Err(error) => Err(error),
    };
    finish(transaction, result).await
}

async fn delete(connection: &mut SqliteConnection, what: Forget, most: i64) -> Result<u64, StoreError> {
    match what {
        Forget::Events(before) => {
            let sent = by_age(connection, FORGET_EVENTS, before, most).await?;
            Ok(sent + by_age(connection, FORGET_DISCARDED, before, most).await?)
        }
        Forget::Bodies(before) => by_age(connection, FORGET_BODIES, before, most).await,
        Forget::Archived(old) => archived(connection, old, most).await,
        Forget::Shadows(old) => {
            let delete = sqlx::query(FORGET_SHADOWS).bind(micros(old.before)).bind(old.below.0).bind(most);
            Ok(delete.execute(connection).await.map_err(StoreError::of)?.rows_affected())
        }
    }
}

async fn by_age(
    connection: &mut SqliteConnection,
    statement: &'static str,
    before: Timestamp,
    most: i64,
) -> Result<u64, StoreError> {
    let delete = sqlx::query(statement).bind(micros(before)).bind(most).execute(connection);
    Ok(delete.await.map_err(StoreError::of)?.rows_affected())
}

/// With the tries of each.
async fn archived(connection: &mut SqliteConnection, old: Old, most: i64) -> Result<u64, StoreError> {
    let query = sqlx::query_scalar(OLD_ARCHIVED).bind(micros(old.before)).bind(old.below.0).bind(most);
    let ids: Vec<i64> = query.fetch_all(&mut *connection).await.map_err(StoreError::of)?;
    let ids = json!(ids).to_string();
    let tries = sqlx::query(FORGET_ATTEMPTS).bind(&ids);
    tries.execute(&mut *connection).await.map_err(StoreError::of)?;
    let delete = sqlx::query(FORGET_ARCHIVED).bind(ids);
    Ok(delete.execute(connection).await.map_err(StoreError::of)?.rows_affected())
}

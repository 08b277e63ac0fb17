//! Begin, fence, commit. A fence is a row that a take-over must wait for (INV-17); a lock alone
//! is none.

use domain::Epoch;
use engine::ports::StoreError;
use sqlx::{PgPool, PgTransaction};

use super::errors::{commit_failed, failed};
use super::sql::named;

const SQL: &str = include_str!("sql/leadership.sql");

pub(super) async fn begin(pool: &PgPool) -> Result<PgTransaction<'static>, StoreError> {
    pool.begin().await.map_err(failed)
}

/// Holds the lease row until the transaction ends, if `epoch` is still the lease's.
pub(super) async fn fence(transaction: &mut PgTransaction<'_>, epoch: Epoch) -> Result<(), StoreError> {
    const FENCE: &str = named(SQL, "fence");
    let current: Option<i64> =
        sqlx::query_scalar(FENCE).fetch_optional(&mut **transaction).await.map_err(failed)?;
    if current == Some(epoch.0) { Ok(()) } else { Err(StoreError::Fenced(epoch)) }
}

/// Takes `PIPELINE_LOCK` until the transaction ends.
pub(super) async fn lock_pipeline(transaction: &mut PgTransaction<'_>, key: i64) -> Result<(), StoreError> {
    const PIPELINE_LOCK: &str = named(SQL, "pipeline_lock");
    sqlx::query(PIPELINE_LOCK).bind(key).execute(&mut **transaction).await.map_err(failed)?;
    Ok(())
}

/// Commits what went well and undoes what didn't, so that no lock outlives the call.
pub(super) async fn end<T>(
    transaction: PgTransaction<'_>,
    outcome: Result<T, StoreError>,
) -> Result<T, StoreError> {
    match outcome {
        Ok(value) => transaction.commit().await.map(|()| value).map_err(commit_failed),
        Err(error) => {
            if let Err(rollback) = transaction.rollback().await {
                tracing::debug!(%rollback, "roll-back failed; the server undoes it when the connection ends");
            }
            Err(error)
        }
    }
}

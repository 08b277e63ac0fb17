//! What operators do: frozen selections, carried out under the file's write lock, with their audit.

mod carrying;
mod effects;
mod matching;
mod pauses;
mod rows;
mod select;
mod targets;

use domain::MsgId;
use domain::lifecycle::Act;
use domain::message::Candidate;
use engine::ports::{
    Actions, AuditEntry, AuditFilter, Batch, Done, FrozenTarget, Operation, Progress, Selected, Selection,
    StoreError,
};
use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::database::finish;
use super::errors::Failure;
use super::statement::named;
use super::{SqliteStore, limit, micros};
use carrying::{carry_out, write_audit};
use rows::{AuditRow, OperationRow};

pub(super) const FILE: &str = include_str!("../sql/actions.sql");
pub(super) const ADD_OPERATION: &str = named(FILE, "add_operation");
pub(super) const ADD_TARGETS: &str = named(FILE, "add_targets");
pub(super) const OPERATION: &str = named(FILE, "operation");
pub(super) const OPEN_TARGETS: &str = named(FILE, "open_targets");
pub(super) const SEEN: &str = named(FILE, "seen");
pub(super) const SETTLE_TARGETS: &str = named(FILE, "settle_targets");
pub(super) const NOTE: &str = named(FILE, "note");
pub(super) const AUDIT: &str = named(FILE, "audit");
#[cfg(test)]
pub(super) use effects::STATEMENTS as EFFECTS;
#[cfg(test)]
pub(super) use matching::STATEMENTS as MATCHING;
#[cfg(test)]
pub(super) use pauses::STATEMENTS as PAUSES;
#[cfg(test)]
pub(super) use select::STATEMENTS as SELECTIONS;

impl Actions for SqliteStore {
    async fn select(
        &self,
        act: Act,
        selection: &Selection,
        after: i64,
        most: usize,
    ) -> Result<Vec<Selected>, StoreError> {
        let mut connection = self.database.readers().acquire().await.map_err(StoreError::of)?;
        select::select(&mut connection, act, selection, after, most).await
    }

    async fn bodies(&self, ids: &[MsgId]) -> Result<Vec<Candidate>, StoreError> {
        select::bodies(&self.database, ids).await
    }

    async fn confirm(&self, operation: &Operation, targets: &[FrozenTarget]) -> Result<Progress, StoreError> {
        let mut transaction = self.database.write().await?;
        let result = freeze(&mut transaction, operation, targets).await;
        finish(transaction, result).await
    }

    async fn operation(&self, id: &str) -> Result<Option<Progress>, StoreError> {
        let mut connection = self.database.readers().acquire().await.map_err(StoreError::of)?;
        progress(&mut connection, id).await
    }

    async fn open_targets(&self, operation: &str, most: usize) -> Result<Vec<i64>, StoreError> {
        let query = sqlx::query_scalar(OPEN_TARGETS).bind(operation).bind(limit(most));
        query.fetch_all(self.database.readers()).await.map_err(StoreError::of)
    }

    async fn carry_out(&self, batch: &Batch) -> Result<Vec<Done>, StoreError> {
        let mut transaction = self.database.write().await?;
        let result = carry_out(&mut transaction, batch).await;
        finish(transaction, result).await
    }

    async fn audit(&self, filter: &AuditFilter, most: usize) -> Result<Vec<AuditEntry>, StoreError> {
        let (target, target_id) = filter.target.clone().unzip();
        let query = sqlx::query_as(AUDIT)
            .bind(target.map(domain::lifecycle::Target::as_str))
            .bind(target_id)
            .bind(filter.operation.clone())
            .bind(filter.by.clone())
            .bind(filter.since.map(micros))
            .bind(limit(most));
        let rows: Vec<AuditRow> = query.fetch_all(self.database.readers()).await.map_err(StoreError::of)?;
        rows.into_iter().map(AuditEntry::try_from).collect()
    }
}

/// Adds the operation with its targets, if there is none of that ID.
pub(super) async fn freeze(
    connection: &mut SqliteConnection,
    operation: &Operation,
    targets: &[FrozenTarget],
) -> Result<Progress, StoreError> {
    let added = sqlx::query(ADD_OPERATION)
        .bind(&operation.id)
        .bind(operation.act.as_str())
        .bind(&operation.by)
        .bind(&operation.reason)
        .bind(&operation.selection)
        .bind(micros(operation.at));
    let added = added.execute(&mut *connection).await.map_err(StoreError::of)?.rows_affected() == 1;
    if added && !targets.is_empty() {
        let rows: Vec<Value> = targets.iter().map(|target| json!([target.id, target.seen])).collect();
        let insert = sqlx::query(ADD_TARGETS).bind(&operation.id).bind(Value::from(rows).to_string());
        insert.execute(&mut *connection).await.map_err(StoreError::of)?;
    }
    let kept = progress(connection, &operation.id).await?;
    kept.ok_or_else(|| StoreError::Conflict(format!("operation {} is gone", operation.id)))
}

async fn progress(connection: &mut SqliteConnection, id: &str) -> Result<Option<Progress>, StoreError> {
    let row: Option<OperationRow> =
        sqlx::query_as(OPERATION).bind(id).fetch_optional(connection).await.map_err(StoreError::of)?;
    row.map(Progress::try_from).transpose()
}

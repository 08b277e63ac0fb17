//! A batch of frozen targets carried out, with progress and audit in the same transaction.

use domain::lifecycle::Change;
use engine::ports::{Batch, Done, Operation, Progress, Selected, Selection, StoreError};
use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::{NOTE, SEEN, SETTLE_TARGETS, effects, progress, select};
use crate::sqlite::errors::Failure;
use crate::sqlite::micros;
use crate::sqlite::text::without_nul;

pub(super) async fn carry_out(
    connection: &mut SqliteConnection,
    batch: &Batch,
) -> Result<Vec<Done>, StoreError> {
    let Some(Progress { operation, .. }) = progress(connection, &batch.operation).await? else {
        return Ok(Vec::new());
    };
    let open: Vec<(i64, String)> = sqlx::query_as(SEEN)
        .bind(&operation.id)
        .bind(json!(batch.ids).to_string())
        .fetch_all(&mut *connection)
        .await
        .map_err(StoreError::of)?;
    let ids = Selection::Ids(open.iter().map(|(id, _)| *id).collect());
    let selected = select::select(connection, operation.act, &ids, i64::MIN, usize::MAX).await?;
    let mut all_done = Vec::new();
    let mut changes: Vec<(Change, Selected)> = Vec::new();
    for ((id, seen), target) in open.into_iter().zip(selected) {
        debug_assert_eq!(id, target.id, "a selection by ID has every ID once, in order");
        let (change, done) = Done::judged(operation.act, id, &target.facts, &seen);
        changes.extend(change.map(|change| (change, target)));
        all_done.push(done);
    }
    for refused in effects::apply(connection, &operation, &changes, batch).await? {
        if let Some(done) = all_done.iter_mut().find(|done| done.id == refused.id) {
            *done = refused;
        }
    }
    note(connection, &operation, batch.at, &all_done).await?;
    Ok(all_done)
}

/// Progress and audit, in the transaction of the effect.
async fn note(
    connection: &mut SqliteConnection,
    operation: &Operation,
    at: jiff::Timestamp,
    all_done: &[Done],
) -> Result<(), StoreError> {
    let mut rows = Vec::with_capacity(all_done.len());
    for done in all_done {
        rows.push(json!([done.id, done.outcome.as_str(), without_nul(&done.detail)?]));
    }
    let rows = Value::from(rows).to_string();
    let settle = sqlx::query(SETTLE_TARGETS).bind(&operation.id).bind(&rows).bind(micros(at));
    settle.execute(&mut *connection).await.map_err(StoreError::of)?;
    write_audit(connection, operation, at, &rows).await
}

/// `rows`: a JSON array of `[target_id, outcome, detail]`.
pub(super) async fn write_audit(
    connection: &mut SqliteConnection,
    operation: &Operation,
    at: jiff::Timestamp,
    rows: &str,
) -> Result<(), StoreError> {
    let insert = sqlx::query(NOTE)
        .bind(micros(at))
        .bind(&operation.by)
        .bind(operation.act.as_str())
        .bind(operation.act.target().as_str())
        .bind(&operation.reason)
        .bind(&operation.id)
        .bind(rows);
    insert.execute(connection).await.map_err(StoreError::of)?;
    Ok(())
}

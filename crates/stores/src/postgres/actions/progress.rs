//! Operations, how far they have come, and the audit log.

use domain::lifecycle::{Act, Target};
use engine::ports::{AuditEntry, AuditFilter, Done, FrozenTarget, Operation, Outcome, Progress, StoreError};
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{PgExecutor, PgPool, PgTransaction};

use super::super::cells::Cells;
use super::super::errors::failed;
use super::super::sql::named;
use super::super::times::stored;
use super::SQL;

/// Adds the operation with its targets, if there is none of that ID.
pub(super) async fn freeze(
    transaction: &mut PgTransaction<'_>,
    operation: &Operation,
    targets: &[FrozenTarget],
) -> Result<Progress, StoreError> {
    const ADD_TARGETS: &str = named(SQL, "add_targets");
    if add(transaction, operation).await? && !targets.is_empty() {
        let insert = sqlx::query(ADD_TARGETS)
            .bind(&operation.id)
            .bind(targets.iter().map(|target| target.id).collect::<Vec<_>>())
            .bind(targets.iter().map(|target| target.seen.as_str()).collect::<Vec<_>>());
        insert.execute(&mut **transaction).await.map_err(failed)?;
    }
    let kept = progress(&mut **transaction, &operation.id).await?;
    kept.ok_or_else(|| StoreError::Conflict(format!("operation {} is gone", operation.id)))
}

/// `false` if there is one of that ID.
pub(super) async fn add(
    transaction: &mut PgTransaction<'_>,
    operation: &Operation,
) -> Result<bool, StoreError> {
    const ADD_OPERATION: &str = named(SQL, "add_operation");
    let insert = sqlx::query(ADD_OPERATION)
        .bind(&operation.id)
        .bind(operation.act.as_str())
        .bind(&operation.by)
        .bind(&operation.reason)
        .bind(&operation.selection)
        .bind(stored(operation.at));
    Ok(insert.execute(&mut **transaction).await.map_err(failed)?.rows_affected() == 1)
}

pub(super) async fn progress(
    executor: impl PgExecutor<'_>,
    id: &str,
) -> Result<Option<Progress>, StoreError> {
    const OPERATION: &str = named(SQL, "operation");
    let row = sqlx::query(OPERATION).bind(id).fetch_optional(executor).await.map_err(failed)?;
    row.as_ref().map(read_progress).transpose()
}

fn read_progress(row: &PgRow) -> Result<Progress, StoreError> {
    let cells = Cells::new(row, "operation", "operation");
    Ok(Progress {
        operation: Operation {
            id: cells.get("operation")?,
            act: cells.name("act", Act::parse)?,
            by: cells.get("actor")?,
            reason: cells.get("reason")?,
            selection: cells.get("selection")?,
            at: cells.time("created_at")?,
        },
        targets: cells.count("targets")?,
        done: cells.count("done")?,
        refused: cells.count("refused")?,
    })
}

/// Progress and audit, in the transaction of the effect.
pub(super) async fn note(
    transaction: &mut PgTransaction<'_>,
    operation: &Operation,
    at: Timestamp,
    all_done: &[Done],
) -> Result<(), StoreError> {
    const SETTLE_TARGETS: &str = named(SQL, "settle_targets");
    if all_done.is_empty() {
        return Ok(());
    }
    let settle = sqlx::query(SETTLE_TARGETS)
        .bind(&operation.id)
        .bind(all_done.iter().map(|done| done.id).collect::<Vec<_>>())
        .bind(all_done.iter().map(|done| done.outcome.as_str()).collect::<Vec<_>>())
        .bind(stored(at));
    settle.execute(&mut **transaction).await.map_err(failed)?;
    let entries = all_done.iter().map(|done| (done.id.to_string(), done.outcome, done.detail.as_str()));
    write_audit(transaction, operation, at, &entries.collect::<Vec<_>>()).await
}

/// `entries`: target, outcome, detail.
pub(super) async fn write_audit(
    transaction: &mut PgTransaction<'_>,
    operation: &Operation,
    at: Timestamp,
    entries: &[(String, Outcome, &str)],
) -> Result<(), StoreError> {
    const NOTE: &str = named(SQL, "note");
    let insert = sqlx::query(NOTE)
        .bind(stored(at))
        .bind(&operation.by)
        .bind(operation.act.as_str())
        .bind(operation.act.target().as_str())
        .bind(&operation.reason)
        .bind(&operation.id)
        .bind(entries.iter().map(|(target, ..)| target.as_str()).collect::<Vec<_>>())
        .bind(entries.iter().map(|(_, outcome, _)| outcome.as_str()).collect::<Vec<_>>())
        .bind(entries.iter().map(|(.., detail)| *detail).collect::<Vec<_>>());
    insert.execute(&mut **transaction).await.map_err(failed)?;
    Ok(())
}

pub(super) async fn audit(
    pool: &PgPool,
    filter: &AuditFilter,
    limit: usize,
) -> Result<Vec<AuditEntry>, StoreError> {
    const AUDIT: &str = named(SQL, "audit");
    let (target, target_id) = filter.target.clone().unzip();
    let query = sqlx::query(AUDIT)
        .bind(target.map(Target::as_str))
        .bind(target_id)
        .bind(filter.operation.as_deref())
        .bind(filter.by.as_deref())
        .bind(filter.since.map(stored))
        .bind(super::super::numbers::limit(limit));
    let rows = query.fetch_all(pool).await.map_err(failed)?;
    rows.iter().map(entry).collect()
}

fn entry(row: &PgRow) -> Result<AuditEntry, StoreError> {
    let cells = Cells::new(row, "audit_log", "audit_id");
    Ok(AuditEntry {
        at: cells.time("at")?,
        by: cells.get("actor")?,
        act: cells.name("act", Act::parse)?,
        target_id: cells.get("target_id")?,
        reason: cells.get("reason")?,
        operation: cells.get("operation")?,
        outcome: cells.name("outcome", Outcome::parse)?,
        detail: cells.get("detail")?,
    })
}

//! Rows of operations and of the audit log.

use domain::lifecycle::Act;
use engine::ports::{AuditEntry, Operation, Outcome, Progress, StoreError};

use super::super::rows::Place;

#[derive(sqlx::FromRow)]
pub(super) struct OperationRow {
    operation: String,
    act: String,
    actor: String,
    reason: String,
    selection: String,
    created_at: i64,
    targets: i64,
    done: i64,
    refused: i64,
}

impl TryFrom<OperationRow> for Progress {
    type Error = StoreError;

    fn try_from(row: OperationRow) -> Result<Self, StoreError> {
        let place = Place::new("operation", row.operation.clone());
        let operation = Operation {
            act: Act::parse(&row.act).ok_or_else(|| place.unknown("act", &row.act))?,
            at: place.time("created_at", row.created_at)?,
            id: row.operation,
            by: row.actor,
            reason: row.reason,
            selection: row.selection,
        };
        Ok(Self {
            operation,
            targets: place.count("operation", row.targets)?,
            done: place.count("operation", row.done)?,
            refused: place.count("operation", row.refused)?,
        })
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct AuditRow {
    audit_id: i64,
    at: i64,
    actor: String,
    act: String,
    target_id: String,
    reason: String,
    operation: String,
    outcome: String,
    detail: String,
}

impl TryFrom<AuditRow> for AuditEntry {
    type Error = StoreError;

    fn try_from(row: AuditRow) -> Result<Self, StoreError> {
        let place = Place::new("audit_log", row.audit_id);
        Ok(Self {
            at: place.time("at", row.at)?,
            by: row.actor,
            act: Act::parse(&row.act).ok_or_else(|| place.unknown("act", &row.act))?,
            target_id: row.target_id,
            reason: row.reason,
            operation: row.operation,
            outcome: Outcome::parse(&row.outcome).ok_or_else(|| place.unknown("outcome", &row.outcome))?,
            detail: row.detail,
        })
    }
}

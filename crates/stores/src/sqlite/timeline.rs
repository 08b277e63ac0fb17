//! Steps of timelines and ends by kind, written with the run they belong to (INV-17): one statement
//! each.

use domain::flight::FlightChange;
use domain::message::{ErrorClass, Settled};
use engine::ports::{KindCount, StoreError};
use jiff::Timestamp;
use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::errors::Failure;
use super::micros;
use super::pump::FILE;
use super::statement::named;
use super::text::{without_nul, without_nul_if_any};

pub(super) const APPEND_CHANGES: &str = named(FILE, "append_changes");
pub(super) const COUNT_KINDS: &str = named(FILE, "count_kinds");

pub(super) async fn append_changes(
    connection: &mut SqliteConnection,
    changes: &[FlightChange],
    at: Timestamp,
) -> Result<(), StoreError> {
    if changes.is_empty() {
        return Ok(());
    }
    let rows: Vec<Value> = changes.iter().map(change).collect::<Result<_, StoreError>>()?;
    let append = sqlx::query(APPEND_CHANGES).bind(Value::from(rows).to_string()).bind(micros(at));
    append.execute(connection).await.map_err(StoreError::of)?;
    Ok(())
}

fn change(change: &FlightChange) -> Result<Value, StoreError> {
    Ok(json!({
        "flid": change.flid.0,
        "state_version": change.state_version,
        "incarnation": change.incarnation,
        "life": change.life.as_str(),
        "msg_id": change.msg_id.0,
        "kind": without_nul_if_any(change.kind.as_deref())?,
        "subtype": without_nul_if_any(change.subtype.as_deref())?,
        "changes": without_nul(&change.changes)?,
    }))
}

pub(super) async fn count_kinds(
    connection: &mut SqliteConnection,
    settled: &[Settled],
    at: Timestamp,
) -> Result<(), StoreError> {
    let kinds = KindCount::of_run(settled, at);
    if kinds.is_empty() {
        return Ok(());
    }
    let rows: Vec<Value> = kinds.iter().map(kind).collect::<Result<_, StoreError>>()?;
    let count = sqlx::query(COUNT_KINDS).bind(Value::from(rows).to_string());
    count.execute(connection).await.map_err(StoreError::of)?;
    Ok(())
}

fn kind(kind: &KindCount) -> Result<Value, StoreError> {
    Ok(json!({
        "kind": without_nul(&kind.kind)?,
        "subtype": without_nul(&kind.subtype)?,
        "state": kind.state.as_str(),
        "class": kind.class.map_or("", ErrorClass::as_str),
        "count": kind.count,
        "first_at": micros(kind.first_at),
        "last_at": micros(kind.last_at),
        "first_msg_id": kind.first_msg_id.0,
        "last_msg_id": kind.last_msg_id.0,
    }))
}

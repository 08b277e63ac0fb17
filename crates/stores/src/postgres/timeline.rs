//! Steps of timelines and ends by kind, written with the run they belong to (INV-17): one statement
//! each.

use domain::flight::FlightChange;
use domain::message::{ErrorClass, Settled};
use engine::ports::{KindCount, StoreError};
use jiff::Timestamp;
use sqlx::PgTransaction;

use super::errors::failed;
use super::sql::named;
use super::times::stored;

const SQL: &str = include_str!("sql/pump.sql");

pub(super) async fn write_changes(
    transaction: &mut PgTransaction<'_>,
    changes: &[FlightChange],
    at: Timestamp,
) -> Result<(), StoreError> {
    const APPEND_CHANGES: &str = named(SQL, "append_changes");
    if changes.is_empty() {
        return Ok(());
    }
    let write = sqlx::query(APPEND_CHANGES)
        .bind(changes.iter().map(|change| change.flid.0).collect::<Vec<_>>())
        .bind(changes.iter().map(|change| change.state_version).collect::<Vec<_>>())
        .bind(changes.iter().map(|change| change.incarnation).collect::<Vec<_>>())
        .bind(changes.iter().map(|change| change.life.as_str()).collect::<Vec<_>>())
        .bind(changes.iter().map(|change| change.msg_id.0).collect::<Vec<_>>())
        .bind(changes.iter().map(|change| change.kind.as_deref()).collect::<Vec<_>>())
        .bind(changes.iter().map(|change| change.subtype.as_deref()).collect::<Vec<_>>())
        .bind(changes.iter().map(|change| change.changes.as_str()).collect::<Vec<_>>())
        .bind(stored(at));
    write.execute(&mut **transaction).await.map_err(failed)?;
    Ok(())
}

pub(super) async fn count_kinds(
    transaction: &mut PgTransaction<'_>,
    settled: &[Settled],
    at: Timestamp,
) -> Result<(), StoreError> {
    const COUNT_KINDS: &str = named(SQL, "count_kinds");
    let kinds = KindCount::of_run(settled, at);
    if kinds.is_empty() {
        return Ok(());
    }
    let count = |kind: &KindCount| i64::try_from(kind.count).unwrap_or(i64::MAX);
    let class = |kind: &KindCount| kind.class.map_or("", ErrorClass::as_str);
    let write = sqlx::query(COUNT_KINDS)
        .bind(kinds.iter().map(|kind| kind.kind.as_str()).collect::<Vec<_>>())
        .bind(kinds.iter().map(|kind| kind.subtype.as_str()).collect::<Vec<_>>())
        .bind(kinds.iter().map(|kind| kind.state.as_str()).collect::<Vec<_>>())
        .bind(kinds.iter().map(class).collect::<Vec<_>>())
        .bind(kinds.iter().map(count).collect::<Vec<_>>())
        .bind(kinds.iter().map(|kind| stored(kind.first_at)).collect::<Vec<_>>())
        .bind(kinds.iter().map(|kind| stored(kind.last_at)).collect::<Vec<_>>())
        .bind(kinds.iter().map(|kind| kind.first_msg_id.0).collect::<Vec<_>>())
        .bind(kinds.iter().map(|kind| kind.last_msg_id.0).collect::<Vec<_>>());
    write.execute(&mut **transaction).await.map_err(failed)?;
    Ok(())
}

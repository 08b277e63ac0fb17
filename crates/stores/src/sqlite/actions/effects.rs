//! What each allowed act writes.

use domain::MsgId;
use domain::lifecycle::{Change, LateState, skip_reason};
use domain::message::Settled;
use engine::ports::{Batch, Done, Operation, Selected, StoreError};
use jiff::Timestamp;
use serde_json::json;
use sqlx::SqliteConnection;

use super::super::archive::restore;
use super::super::bodies::keep_raw;
use super::super::discovery::insert_pending;
use super::super::errors::Failure;
use super::super::micros;
use super::super::settle::all_or_conflict;
use super::super::statement::named;
use super::super::timeline::count_kinds;
use super::{FILE, select};

const REPLAY: &str = named(FILE, "replay");
const TRY_NOW: &str = named(FILE, "try_now");
const SKIP: &str = named(FILE, "skip");
const OWE_MARK: &str = named(FILE, "owe_mark");
const RECONCILE: &str = named(FILE, "reconcile");
const DECIDE_LATE: &str = named(FILE, "decide_late");
const SEND_LATE: &str = named(FILE, "send_late");
const DISCARD: &str = named(FILE, "discard");

#[cfg(test)]
pub(in super::super) const STATEMENTS: [&str; 8] =
    [REPLAY, TRY_NOW, SKIP, OWE_MARK, RECONCILE, DECIDE_LATE, SEND_LATE, DISCARD];

/// Writes every change; returns those that only the writing itself found to be impossible.
pub(super) async fn apply(
    connection: &mut SqliteConnection,
    operation: &Operation,
    changes: &[(Change, Selected)],
    batch: &Batch,
) -> Result<Vec<Done>, StoreError> {
    let mut refused = Vec::new();
    bring_back(connection, changes).await?;
    let of = |wanted: Change| -> Vec<i64> {
        changes.iter().filter(|(change, _)| *change == wanted).map(|(_, target)| target.id).collect()
    };
    let (by, reason, at) = (&operation.by, &operation.reason, micros(batch.at));
    for (change, statement) in [
        (Change::Replay, REPLAY),
        (Change::TryNow, TRY_NOW),
        (Change::OweMark, OWE_MARK),
        (Change::SendLate, SEND_LATE),
        (Change::Discard, DISCARD),
    ] {
        let ids = of(change);
        let query = sqlx::query(statement).bind(json!(ids).to_string()).bind(at);
        run(connection, query, ids.len()).await?;
    }
    let skipped: Vec<&Selected> =
        changes.iter().filter(|(change, _)| *change == Change::Skip).map(|(_, target)| target).collect();
    skip(connection, operation, &skipped, batch.at).await?;
    let ids = of(Change::Reconcile);
    let query = sqlx::query(RECONCILE).bind(json!(ids).to_string()).bind(at).bind(by).bind(reason);
    run(connection, query, ids.len()).await?;
    decide_late(connection, operation, &of(Change::Dismiss), LateState::Dismissed, batch.at).await?;
    let mut admitted = Vec::new();
    for id in of(Change::Admit) {
        match admit(connection, id, batch).await? {
            Ok(()) => admitted.push(id),
            Err(words) => refused.push(Done::refused(id, words)),
        }
    }
    decide_late(connection, operation, &admitted, LateState::Admitted, batch.at).await?;
    Ok(refused)
}

/// Archived dead letters come back in the transaction of their replay.
async fn bring_back(
    connection: &mut SqliteConnection,
    changes: &[(Change, Selected)],
) -> Result<(), StoreError> {
    let archived: Vec<MsgId> =
        changes.iter().filter(|(_, target)| target.is_archived).map(|(_, target)| MsgId(target.id)).collect();
    if archived.is_empty() {
        return Ok(());
    }
    let back = restore(connection, &archived).await?;
    all_or_conflict(back.len() as u64, archived.len(), "dead letters are no longer in the archive")
}

type Query<'q> = sqlx::query::Query<'q, sqlx::Sqlite, <sqlx::Sqlite as sqlx::Database>::Arguments>;

async fn run(connection: &mut SqliteConnection, query: Query<'_>, rows: usize) -> Result<(), StoreError> {
    if rows == 0 {
        return Ok(());
    }
    let written = query.execute(connection).await.map_err(StoreError::of)?.rows_affected();
    all_or_conflict(written, rows, "targets are no longer as they were seen")
}

/// An end like any other: it owes a mark, and its kind is counted.
async fn skip(
    connection: &mut SqliteConnection,
    operation: &Operation,
    targets: &[&Selected],
    at: Timestamp,
) -> Result<(), StoreError> {
    let reason = skip_reason(&operation.by, &operation.reason);
    let ids: Vec<i64> = targets.iter().map(|target| target.id).collect();
    let query = sqlx::query(SKIP).bind(json!(ids).to_string()).bind(micros(at)).bind(&reason);
    run(connection, query, ids.len()).await?;
    let ends: Vec<Settled> = targets.iter().map(|target| target.skipped(&reason)).collect();
    count_kinds(connection, &ends, at).await
}

async fn admit(
    connection: &mut SqliteConnection,
    id: i64,
    batch: &Batch,
) -> Result<Result<(), &'static str>, StoreError> {
    if select::is_enqueued(connection, id).await? {
        return Ok(Err("it is enqueued already"));
    }
    let Some(landed) = batch.landed.iter().find(|landed| landed.id == MsgId(id)) else {
        return Ok(Err("the row is gone from the mailbox: dismiss it"));
    };
    if !keep_raw(connection, landed, batch.at).await? {
        return Ok(Err("another body is kept under its ID"));
    }
    insert_pending(connection, std::slice::from_ref(landed), batch.at).await?;
    Ok(Ok(()))
}

async fn decide_late(
    connection: &mut SqliteConnection,
    operation: &Operation,
    ids: &[i64],
    state: LateState,
    at: Timestamp,
) -> Result<(), StoreError> {
    let query = sqlx::query(DECIDE_LATE)
        .bind(json!(ids).to_string())
        .bind(state.as_str())
        .bind(micros(at))
        .bind(&operation.by)
        .bind(&operation.reason);
    run(connection, query, ids.len()).await
}

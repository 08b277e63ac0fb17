//! What each allowed act writes.

use domain::MsgId;
use domain::lifecycle::{Change, LateState, skip_reason};
use domain::message::Settled;
use engine::ports::{Batch, Done, Enqueue, Operation, Selected, StoreError};
use jiff::Timestamp;
use sqlx::postgres::PgArguments;
use sqlx::{PgTransaction, Postgres};

use super::super::archive::restore;
use super::super::arrivals::{Arrivals, insert_arrivals};
use super::super::errors::failed;
use super::super::settle::all_or_conflict;
use super::super::sql::named;
use super::super::timeline::count_kinds;
use super::super::times::stored;
use super::{SQL, select};

const REPLAY: &str = named(SQL, "replay");
const TRY_NOW: &str = named(SQL, "try_now");
const SKIP: &str = named(SQL, "skip");
const OWE_MARK: &str = named(SQL, "owe_mark");
const RECONCILE: &str = named(SQL, "reconcile");
const DECIDE_LATE: &str = named(SQL, "decide_late");
const SEND_LATE: &str = named(SQL, "send_late");
const DISCARD: &str = named(SQL, "discard");

/// Writes every change; returns those that only the writing itself found to be impossible.
pub(super) async fn apply(
    transaction: &mut PgTransaction<'_>,
    operation: &Operation,
    changes: &[(Change, Selected)],
    batch: &Batch,
) -> Result<Vec<Done>, StoreError> {
    let of = |wanted: Change| -> Vec<i64> {
        changes.iter().filter(|(change, _)| *change == wanted).map(|(_, target)| target.id).collect()
    };
    let at = stored(batch.at);
    bring_back(transaction, changes).await?;
    for (change, statement) in [
        (Change::Replay, REPLAY),
        (Change::TryNow, TRY_NOW),
        (Change::OweMark, OWE_MARK),
        (Change::SendLate, SEND_LATE),
        (Change::Discard, DISCARD),
    ] {
        let ids = of(change);
        run(transaction, sqlx::query(statement).bind(&ids).bind(at), ids.len()).await?;
    }
    let skipped: Vec<&Selected> =
        changes.iter().filter(|(change, _)| *change == Change::Skip).map(|(_, target)| target).collect();
    skip(transaction, operation, &skipped, batch.at).await?;
    let ids = of(Change::Reconcile);
    let query = sqlx::query(RECONCILE).bind(&ids).bind(at).bind(&operation.by).bind(&operation.reason);
    run(transaction, query, ids.len()).await?;
    decide_late(transaction, operation, &of(Change::Dismiss), LateState::Dismissed, batch.at).await?;
    admit(transaction, operation, &of(Change::Admit), batch).await
}

/// Archived dead letters come back in the transaction of their replay.
async fn bring_back(
    transaction: &mut PgTransaction<'_>,
    changes: &[(Change, Selected)],
) -> Result<(), StoreError> {
    let archived: Vec<MsgId> =
        changes.iter().filter(|(_, target)| target.is_archived).map(|(_, target)| MsgId(target.id)).collect();
    if archived.is_empty() {
        return Ok(());
    }
    let back = restore(transaction, &archived).await?;
    all_or_conflict(back.len() as u64, archived.len(), "dead letters are no longer in the archive")
}

type Query<'q> = sqlx::query::Query<'q, Postgres, PgArguments>;

async fn run(transaction: &mut PgTransaction<'_>, query: Query<'_>, rows: usize) -> Result<(), StoreError> {
    if rows == 0 {
        return Ok(());
    }
    let written = query.execute(&mut **transaction).await.map_err(failed)?.rows_affected();
    all_or_conflict(written, rows, "targets are no longer as they were seen")
}

/// An end like any other: it owes a mark, and its kind is counted.
async fn skip(
    transaction: &mut PgTransaction<'_>,
    operation: &Operation,
    targets: &[&Selected],
    at: Timestamp,
) -> Result<(), StoreError> {
    if targets.is_empty() {
        return Ok(());
    }
    let reason = skip_reason(&operation.by, &operation.reason);
    let ids: Vec<i64> = targets.iter().map(|target| target.id).collect();
    run(transaction, sqlx::query(SKIP).bind(&ids).bind(stored(at)).bind(&reason), ids.len()).await?;
    let ends: Vec<Settled> = targets.iter().map(|target| target.skipped(&reason)).collect();
    count_kinds(transaction, &ends, at).await
}

/// Bodies and rows as discovery writes them, once each.
async fn admit(
    transaction: &mut PgTransaction<'_>,
    operation: &Operation,
    ids: &[i64],
    batch: &Batch,
) -> Result<Vec<Done>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let enqueued = select::enqueued(transaction, ids).await?;
    let (mut refused, mut rows) = (Vec::new(), Vec::new());
    for id in ids {
        match batch.landed.iter().find(|landed| landed.id == MsgId(*id)) {
            _ if enqueued.contains_key(id) => refused.push(Done::refused(*id, "it is enqueued already")),
            None => refused.push(Done::refused(*id, "the row is gone from the mailbox: dismiss it")),
            Some(landed) => rows.push(landed.clone()),
        }
    }
    let admitted: Vec<i64> = rows.iter().map(|row| row.id.0).collect();
    let arrivals = Arrivals::pack(&rows)?;
    // Both ends are no watermark here: only the rows and their time are written.
    let enqueue = Enqueue { from: MsgId(0), to: MsgId(0), rows, ledger: None, at: batch.at };
    let different = insert_arrivals(transaction, &enqueue, arrivals).await?;
    if let Some(id) = different.first() {
        return Err(StoreError::Conflict(format!("another body is kept under the ID {id}")));
    }
    decide_late(transaction, operation, &admitted, LateState::Admitted, batch.at).await?;
    Ok(refused)
}

async fn decide_late(
    transaction: &mut PgTransaction<'_>,
    operation: &Operation,
    ids: &[i64],
    state: LateState,
    at: Timestamp,
) -> Result<(), StoreError> {
    let query = sqlx::query(DECIDE_LATE)
        .bind(ids)
        .bind(state.as_str())
        .bind(stored(at))
        .bind(&operation.by)
        .bind(&operation.reason);
    run(transaction, query, ids.len()).await
}

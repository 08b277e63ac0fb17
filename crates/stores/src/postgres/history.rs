//! Flights that become history, and what is forgotten (INV-18).

use domain::Epoch;
use domain::flight::{DueFlight, HistoryDue, Life, PastFlight};
use domain::{Flid, MsgId};
use engine::ports::StoreError;
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, PgTransaction};

use super::cells::Cells;
use super::errors::failed;
use super::sql::named;
use super::state::write_events;
use super::times::{stored, stored_day};
use super::transaction::{begin, end, fence, lock_pipeline};

const SQL: &str = include_str!("sql/history.sql");

/// A delete that a site's retention asks for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Forget {
    History,
    Changes,
}

/// The newest life in history of each flight.
pub(super) async fn past(pool: &PgPool, flids: &[i64]) -> Result<Vec<PastFlight>, StoreError> {
    const PAST: &str = named(SQL, "past");
    let rows = sqlx::query(PAST).bind(flids).fetch_all(pool).await.map_err(failed)?;
    rows.iter().map(past_flight).collect()
}

fn past_flight(row: &PgRow) -> Result<PastFlight, StoreError> {
    let cells = Cells::new(row, "flight_hist", "flid");
    Ok(PastFlight {
        flid: Flid(cells.get("flid")?),
        state_version: cells.get("state_version")?,
        incarnation: cells.get("incarnation")?,
        last_by: MsgId(cells.get("last_msg_id")?),
    })
}

pub(super) async fn sweep(
    pool: &PgPool,
    lock_key: i64,
    epoch: Epoch,
    due: HistoryDue,
    limit: usize,
    at: Timestamp,
) -> Result<u64, StoreError> {
    let mut transaction = begin(pool).await?;
    let outcome = match lock_pipeline(&mut transaction, lock_key).await {
        Ok(()) => move_flights(&mut transaction, epoch, due, limit, at).await,
        Err(error) => Err(error),
    };
    end(transaction, outcome).await
}

/// Chosen under the lock: what is due can't change before it is moved.
async fn move_flights(
    transaction: &mut PgTransaction<'_>,
    epoch: Epoch,
    due: HistoryDue,
    limit: usize,
    at: Timestamp,
) -> Result<u64, StoreError> {
    const DUE_FLIGHTS: &str = named(SQL, "due_flights");
    const KEEP_IN_HISTORY: &str = named(SQL, "keep_in_history");
    const END_FLIGHTS: &str = named(SQL, "end_flights");
    fence(transaction, epoch).await?;
    let query = sqlx::query(DUE_FLIGHTS)
        .bind(stored_day(due.day))
        .bind(stored(due.silent_since))
        .bind(super::numbers::limit(limit));
    let rows = query.fetch_all(&mut **transaction).await.map_err(failed)?;
    let flights: Vec<DueFlight> = rows.iter().map(due_flight).collect::<Result<_, _>>()?;
    if flights.is_empty() {
        return Ok(0);
    }
    let flids: Vec<i64> = flights.iter().map(|flight| flight.flid.0).collect();
    let keep = sqlx::query(KEEP_IN_HISTORY).bind(&flids).bind(stored(at));
    keep.execute(&mut **transaction).await.map_err(failed)?;
    let end = sqlx::query(END_FLIGHTS).bind(flids);
    end.execute(&mut **transaction).await.map_err(failed)?;
    let tombstones: Vec<_> = flights.iter().filter_map(DueFlight::tombstone).collect();
    write_events(transaction, &tombstones, at).await?;
    Ok(flights.len() as u64)
}

fn due_flight(row: &PgRow) -> Result<DueFlight, StoreError> {
    let cells = Cells::new(row, "flight_schd", "flid");
    Ok(DueFlight {
        flid: Flid(cells.get("flid")?),
        life: cells.name("life", Life::parse)?,
        state_version: cells.get("state_version")?,
        last_by: MsgId(cells.get("last_msg_id")?),
    })
}

pub(super) async fn forget(
    pool: &PgPool,
    what: Forget,
    epoch: Epoch,
    before: Timestamp,
    limit: usize,
) -> Result<u64, StoreError> {
    let mut transaction = begin(pool).await?;
    let outcome = delete(&mut transaction, what, epoch, before, limit).await;
    end(transaction, outcome).await
}

async fn delete(
    transaction: &mut PgTransaction<'_>,
    what: Forget,
    epoch: Epoch,
    before: Timestamp,
    limit: usize,
) -> Result<u64, StoreError> {
    const FORGET_HISTORY: &str = named(SQL, "forget_history");
    const FORGET_CHANGES: &str = named(SQL, "forget_changes");
    fence(transaction, epoch).await?;
    let statement = match what {
        Forget::History => FORGET_HISTORY,
        Forget::Changes => FORGET_CHANGES,
    };
    let delete = sqlx::query(statement).bind(stored(before)).bind(super::numbers::limit(limit));
    Ok(delete.execute(&mut **transaction).await.map_err(failed)?.rows_affected())
}

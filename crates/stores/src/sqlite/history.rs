//! Flights that become history, and what is forgotten (INV-18).

use domain::flight::{DueFlight, HistoryDue, Life, PastFlight};
use domain::{Epoch, Flid, MsgId};
use engine::ports::StoreError;
use jiff::Timestamp;
use serde_json::json;
use sqlx::SqliteConnection;

use super::database::{Database, finish};
use super::errors::Failure;
use super::leadership::fence;
use super::rows::Place;
use super::statement::named;
use super::{events, limit, micros};

const FILE: &str = include_str!("sql/history.sql");
pub(super) const PAST: &str = named(FILE, "past");
pub(super) const DUE_FLIGHTS: &str = named(FILE, "due_flights");
pub(super) const KEEP_IN_HISTORY: &str = named(FILE, "keep_in_history");
pub(super) const END_FLIGHTS: &str = named(FILE, "end_flights");
pub(super) const FORGET_HISTORY: &str = named(FILE, "forget_history");
pub(super) const FORGET_CHANGES: &str = named(FILE, "forget_changes");

/// A delete that a site's retention asks for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Forget {
    History,
    Changes,
}

#[derive(sqlx::FromRow)]
struct PastRow {
    flid: i64,
    state_version: i64,
    incarnation: i64,
    last_msg_id: i64,
}

/// The newest life in history of each flight.
pub(super) async fn past(
    connection: &mut SqliteConnection,
    flids: &[i64],
) -> Result<Vec<PastFlight>, StoreError> {
    if flids.is_empty() {
        return Ok(Vec::new());
    }
    let query = sqlx::query_as(PAST).bind(json!(flids).to_string());
    let rows: Vec<PastRow> = query.fetch_all(connection).await.map_err(StoreError::of)?;
    let flight = |row: PastRow| {
        Ok(PastFlight {
            flid: Flid(row.flid),
            state_version: row.state_version,
            incarnation: Place::new("flight_hist", row.flid).count("incarnation", row.incarnation)?,
            last_by: MsgId(row.last_msg_id),
        })
    };
    rows.into_iter().map(flight).collect()
}

/// SQLite's write lock is the `PIPELINE_LOCK`: whoever writes at all holds it.
pub(super) async fn sweep(
    database: &Database,
    epoch: Epoch,
    due: HistoryDue,
    most: usize,
    at: Timestamp,
) -> Result<u64, StoreError> {
    let mut transaction = database.write().await?;
    let result = move_flights(&mut transaction, epoch, due, most, at).await;
    finish(transaction, result).await
}

async fn move_flights(
    connection: &mut SqliteConnection,
    epoch: Epoch,
    due: HistoryDue,
    most: usize,
    at: Timestamp,
) -> Result<u64, StoreError> {
    fence(connection, epoch).await?;
    let query = sqlx::query_as(DUE_FLIGHTS)
        .bind(due.day.to_string())
        .bind(micros(due.silent_since))
        .bind(limit(most));
    let rows: Vec<DueRow> = query.fetch_all(&mut *connection).await.map_err(StoreError::of)?;
    let flights: Vec<DueFlight> = rows.into_iter().map(DueFlight::try_from).collect::<Result<_, _>>()?;
    let flids: Vec<i64> = flights.iter().map(|flight| flight.flid.0).collect();
    let flids = json!(flids).to_string();
    let keep = sqlx::query(KEEP_IN_HISTORY).bind(&flids).bind(micros(at));
    keep.execute(&mut *connection).await.map_err(StoreError::of)?;
    let end = sqlx::query(END_FLIGHTS).bind(&flids);
    end.execute(&mut *connection).await.map_err(StoreError::of)?;
    let tombstones: Vec<_> = flights.iter().filter_map(DueFlight::tombstone).collect();
    events::insert(connection, &tombstones, at).await?;
    Ok(flights.len() as u64)
}

#[derive(sqlx::FromRow)]
struct DueRow {
    flid: i64,
    life: String,
    state_version: i64,
    last_msg_id: i64,
}

impl TryFrom<DueRow> for DueFlight {
    type Error = StoreError;

    fn try_from(row: DueRow) -> Result<Self, StoreError> {
        let place = Place::new("flight_schd", row.flid);
        Ok(Self {
            flid: Flid(row.flid),
            life: Life::parse(&row.life).ok_or_else(|| place.unknown("life", &row.life))?,
            state_version: row.state_version,
            last_by: MsgId(row.last_msg_id),
        })
    }
}

pub(super) async fn forget(
    database: &Database,
    what: Forget,
    epoch: Epoch,
    before: Timestamp,
    most: usize,
) -> Result<u64, StoreError> {
    let mut transaction = database.write().await?;
    let result = match fence(&mut transaction, epoch).await {
        Ok(()) => delete(&mut transaction, what, before, most).await,
        Err(error) => Err(error),
    };
    finish(transaction, result).await
}

async fn delete(
    connection: &mut SqliteConnection,
    what: Forget,
    before: Timestamp,
    most: usize,
) -> Result<u64, StoreError> {
    let statement = match what {
        Forget::History => FORGET_HISTORY,
        Forget::Changes => FORGET_CHANGES,
    };
    let delete = sqlx::query(statement).bind(micros(before)).bind(limit(most));
    Ok(delete.execute(connection).await.map_err(StoreError::of)?.rows_affected())
}

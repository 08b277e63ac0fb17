//! Paused rooms.

use domain::lifecycle::{Pausable, Pause};
use engine::ports::{Operation, Outcome, PauseOrder, Pauses, StoreError};
use serde_json::json;
use sqlx::SqliteConnection;

use super::super::database::finish;
use super::super::errors::Failure;
use super::super::rows::Place;
use super::super::statement::named;
use super::super::{SqliteStore, micros};
use super::{ADD_OPERATION, FILE, write_audit};

const PAUSES: &str = named(FILE, "pauses");
const PAUSE: &str = named(FILE, "pause");
const RESUME: &str = named(FILE, "resume");

#[cfg(test)]
pub(in super::super) const STATEMENTS: [&str; 3] = [PAUSES, PAUSE, RESUME];

impl Pauses for SqliteStore {
    async fn pauses(&self) -> Result<Vec<Pause>, StoreError> {
        let rows: Vec<PauseRow> =
            sqlx::query_as(PAUSES).fetch_all(self.database.readers()).await.map_err(StoreError::of)?;
        rows.into_iter().map(Pause::try_from).collect()
    }

    async fn set_pause(&self, order: &PauseOrder) -> Result<bool, StoreError> {
        let mut transaction = self.database.write().await?;
        let result = set(&mut transaction, order).await;
        finish(transaction, result).await
    }
}

async fn set(connection: &mut SqliteConnection, order: &PauseOrder) -> Result<bool, StoreError> {
    let operation = order.operation();
    if !add(connection, &operation).await? {
        return Ok(true);
    }
    let rows: Vec<PauseRow> =
        sqlx::query_as(PAUSES).fetch_all(&mut *connection).await.map_err(StoreError::of)?;
    let pauses = rows.into_iter().map(Pause::try_from).collect::<Result<Vec<_>, _>>()?;
    let is_paused = pauses.iter().any(|pause| pause.room == order.room && pause.holds(order.at));
    let (outcome, detail) = order.outcome(is_paused);
    let query = match order.pause() {
        Some(pause) => sqlx::query(PAUSE)
            .bind(pause.room.as_str())
            .bind(micros(pause.at))
            .bind(pause.by)
            .bind(pause.reason)
            .bind(pause.until.map(micros)),
        None => sqlx::query(RESUME).bind(order.room.as_str()),
    };
    query.execute(&mut *connection).await.map_err(StoreError::of)?;
    let row = json!([[order.room.as_str(), outcome.as_str(), detail]]).to_string();
    write_audit(connection, &operation, order.at, &row).await?;
    Ok(outcome == Outcome::Done)
}

/// `false` if there is one of that ID.
async fn add(connection: &mut SqliteConnection, operation: &Operation) -> Result<bool, StoreError> {
    let insert = sqlx::query(ADD_OPERATION)
        .bind(&operation.id)
        .bind(operation.act.as_str())
        .bind(&operation.by)
        .bind(&operation.reason)
        .bind(&operation.selection)
        .bind(micros(operation.at));
    Ok(insert.execute(connection).await.map_err(StoreError::of)?.rows_affected() == 1)
}

#[derive(sqlx::FromRow)]
struct PauseRow {
    room: String,
    paused_at: i64,
    paused_by: String,
    reason: String,
    until: Option<i64>,
}

impl TryFrom<PauseRow> for Pause {
    type Error = StoreError;

    fn try_from(row: PauseRow) -> Result<Self, StoreError> {
        let place = Place::new("room_pause", row.room.clone());
        Ok(Self {
            room: Pausable::parse(&row.room).ok_or_else(|| place.unknown("room", &row.room))?,
            at: place.time("paused_at", row.paused_at)?,
            until: place.time_if_any("until", row.until)?,
            by: row.paused_by,
            reason: row.reason,
        })
    }
}

//! Paused rooms.

use domain::lifecycle::{Pausable, Pause};
use engine::ports::{Outcome, PauseOrder, Pauses, StoreError};
use sqlx::PgTransaction;
use sqlx::postgres::PgRow;

use super::super::PostgresStore;
use super::super::cells::Cells;
use super::super::errors::failed;
use super::super::sql::named;
use super::super::times::stored;
use super::super::transaction::{begin, end};
use super::{SQL, progress};

impl Pauses for PostgresStore {
    async fn pauses(&self) -> Result<Vec<Pause>, StoreError> {
        const PAUSES: &str = named(SQL, "pauses");
        let rows = sqlx::query(PAUSES).fetch_all(&self.pool).await.map_err(failed)?;
        rows.iter().map(pause).collect()
    }

    async fn set_pause(&self, order: &PauseOrder) -> Result<bool, StoreError> {
        let mut transaction = begin(&self.pool).await?;
        let outcome = set(&mut transaction, order).await;
        end(transaction, outcome).await
    }
}

fn pause(row: &PgRow) -> Result<Pause, StoreError> {
    let cells = Cells::new(row, "room_pause", "room");
    Ok(Pause {
        room: cells.name("room", Pausable::parse)?,
        by: cells.get("paused_by")?,
        reason: cells.get("reason")?,
        at: cells.time("paused_at")?,
        until: cells.maybe_time("until")?,
    })
}

/// Nobody in the pipeline locks these rows: the only ones waited for are those of another operator.
async fn set(transaction: &mut PgTransaction<'_>, order: &PauseOrder) -> Result<bool, StoreError> {
    const HOLD_PAUSE: &str = named(SQL, "hold_pause");
    const PAUSE: &str = named(SQL, "pause");
    const RESUME: &str = named(SQL, "resume");
    let operation = order.operation();
    if !progress::add(transaction, &operation).await? {
        return Ok(true);
    }
    let room = order.room.as_str();
    let row = sqlx::query(HOLD_PAUSE).bind(room).fetch_optional(&mut **transaction).await.map_err(failed)?;
    let was = row.as_ref().map(pause).transpose()?;
    let (outcome, detail) = order.outcome(was.is_some_and(|pause| pause.holds(order.at)));
    let query = match order.pause() {
        Some(pause) => sqlx::query(PAUSE)
            .bind(room)
            .bind(stored(pause.at))
            .bind(pause.by)
            .bind(pause.reason)
            .bind(pause.until.map(stored)),
        None => sqlx::query(RESUME).bind(room),
    };
    query.execute(&mut **transaction).await.map_err(failed)?;
    progress::write_audit(transaction, &operation, order.at, &[(room.to_owned(), outcome, &detail)]).await?;
    Ok(outcome == Outcome::Done)
}

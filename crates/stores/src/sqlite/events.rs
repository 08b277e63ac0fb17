//! Events written with the state they speak of (INV-17).

use domain::event::{NewEvent, Target};
use engine::ports::StoreError;
use jiff::Timestamp;
use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::errors::Failure;
use super::micros;
use super::outbox::FILE;
use super::statement::named;
use super::text::without_nul;

pub(super) const INSERT_CHANGE: &str = named(FILE, "insert_change");
pub(super) const REPLACE_STATE: &str = named(FILE, "replace_state");

/// Writes events inside the run's transaction (INV-17).
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    events: &[NewEvent],
    at: Timestamp,
) -> Result<(), StoreError> {
    for target in Target::ALL {
        let statement = match target {
            Target::Msg => INSERT_CHANGE,
            Target::Schd => REPLACE_STATE,
        };
        let rows = events.iter().filter(|event| event.target == target).map(cells);
        let rows: Vec<Value> = rows.collect::<Result<_, StoreError>>()?;
        if rows.is_empty() {
            continue;
        }
        sqlx::query(statement)
            .bind(Value::from(rows).to_string())
            .bind(micros(at))
            .execute(&mut *connection)
            .await
            .map_err(StoreError::of)?;
    }
    Ok(())
}

fn cells(event: &NewEvent) -> Result<Value, StoreError> {
    Ok(json!({
        "target": event.target.as_str(),
        "key": event.flid.to_string(),
        "event_type": event.event_type.as_str(),
        "state_version": event.state_version,
        "payload": without_nul(&event.payload)?,
        "msg_id": event.msg_id.0,
    }))
}

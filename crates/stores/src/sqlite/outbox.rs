//! The outbox: events written with the state they speak of, and what became of each.

use domain::event::{NewEvent, Target};
use domain::{Epoch, EventId, Flid, MsgId};
use engine::ports::{EventSettled, EventVerdict, OutboxEvent, StoreError};
use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::database::{Database, finish};
use super::errors::Failure;
use super::leadership::fence;
use super::rows::Place;
use super::statement::named;
use super::text::{ERROR_MAX, cut};
use super::{limit, micros};

const FILE: &str = include_str!("sql/outbox.sql");
pub(super) const INSERT_CHANGE: &str = named(FILE, "insert_change");
pub(super) const REPLACE_STATE: &str = named(FILE, "replace_state");
pub(super) const DUE_EVENTS: &str = named(FILE, "due_events");
pub(super) const EVENT_SENT: &str = named(FILE, "event_sent");
pub(super) const EVENT_FAILED: &str = named(FILE, "event_failed");
pub(super) const EVENT_DEAD: &str = named(FILE, "event_dead");

/// Writes an event inside the run's transaction (INV-17).
pub(super) async fn insert(
    connection: &mut SqliteConnection,
    event: &NewEvent,
    at: Timestamp,
) -> Result<(), StoreError> {
    let statement = match event.target {
        Target::Msg => INSERT_CHANGE,
        Target::Schd => REPLACE_STATE,
    };
    sqlx::query(statement)
        .bind(event.target.as_str())
        .bind(event.flid.to_string())
        .bind(event.event_type.as_str())
        .bind(event.state_version)
        .bind(event.payload.as_str())
        .bind(micros(at))
        .bind(event.msg_id.0)
        .execute(connection)
        .await
        .map_err(StoreError::of)?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct EventRow {
    event_id: i64,
    partition_key: String,
    event_type: String,
    state_version: i64,
    payload_json: String,
    msg_id: i64,
    attempts: i64,
    created_at: i64,
}

impl EventRow {
    fn event(self, target: Target) -> Result<OutboxEvent, StoreError> {
        let place = Place::new("msg_event", self.event_id);
        let flid = self.partition_key.parse().map_err(|error| place.corrupt("partition_key", error));
        Ok(OutboxEvent {
            event_id: EventId(self.event_id),
            target,
            flid: Flid(flid?),
            event_type: place.event_type(&self.event_type)?,
            state_version: self.state_version,
            payload: self.payload_json,
            msg_id: MsgId(self.msg_id),
            attempts: place.count("attempts", self.attempts)?,
            created_at: place.time("created_at", self.created_at)?,
        })
    }
}

pub(super) async fn due_events(
    database: &Database,
    target: Target,
    now: Timestamp,
    most: usize,
) -> Result<Vec<OutboxEvent>, StoreError> {
    let rows: Vec<EventRow> = sqlx::query_as(DUE_EVENTS)
        .bind(target.as_str())
        .bind(micros(now))
        .bind(limit(most))
        .fetch_all(database.readers())
        .await
        .map_err(StoreError::of)?;
    rows.into_iter().map(|row| row.event(target)).collect()
}

pub(super) async fn settle_events(
    database: &Database,
    epoch: Epoch,
    settled: &[EventSettled],
    at: Timestamp,
) -> Result<u64, StoreError> {
    let mut transaction = database.write().await?;
    let result = settle_all(&mut transaction, epoch, settled, at).await;
    finish(transaction, result).await
}

async fn settle_all(
    connection: &mut SqliteConnection,
    epoch: Epoch,
    settled: &[EventSettled],
    at: Timestamp,
) -> Result<u64, StoreError> {
    fence(connection, epoch).await?;
    let mut applied = 0;
    for event in settled {
        applied += settle(connection, event, at).await?;
    }
    Ok(applied)
}

async fn settle(
    connection: &mut SqliteConnection,
    settled: &EventSettled,
    at: Timestamp,
) -> Result<u64, StoreError> {
    let query = match &settled.verdict {
        EventVerdict::Sent { .. } => sqlx::query(EVENT_SENT),
        EventVerdict::Failed { .. } => sqlx::query(EVENT_FAILED),
        EventVerdict::Dead { .. } => sqlx::query(EVENT_DEAD),
    };
    let query = query.bind(settled.event_id.0).bind(settled.state_version);
    let query = match &settled.verdict {
        EventVerdict::Sent { topic, partition, offset } => {
            query.bind(micros(at)).bind(topic.as_str()).bind(*partition).bind(*offset)
        }
        EventVerdict::Failed { error, attempts, due } => {
            query.bind(*attempts).bind(micros(*due)).bind(cut(error, ERROR_MAX))
        }
        EventVerdict::Dead { error, attempts } => query.bind(*attempts).bind(cut(error, ERROR_MAX)),
    };
    let done = query.execute(connection).await.map_err(StoreError::of)?;
    Ok(done.rows_affected())
}

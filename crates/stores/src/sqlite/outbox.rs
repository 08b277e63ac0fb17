//! The outbox: which events are due, and what became of each.

use domain::event::Target;
use domain::{Epoch, EventId, Flid, MsgId};
use engine::ports::{EventSettled, EventVerdict, OutboxEvent, StoreError};
use jiff::Timestamp;
use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::database::{Database, finish};
use super::errors::Failure;
use super::leadership::fence;
use super::rows::Place;
use super::statement::named;
use super::text::{ERROR_MAX, TOPIC_MAX, cut};
use super::{limit, micros};

pub(super) const FILE: &str = include_str!("sql/outbox.sql");
pub(super) const DUE_EVENTS: &str = named(FILE, "due_events");
pub(super) const EVENTS_SENT: &str = named(FILE, "events_sent");
pub(super) const EVENT_FAILED: &str = named(FILE, "event_failed");
pub(super) const EVENT_DEAD: &str = named(FILE, "event_dead");

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
    is_late: bool,
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
            is_late: self.is_late,
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
    let (mut applied, mut sent) = (0, Vec::new());
    for event in settled {
        let (event_id, state_version) = (event.event_id.0, event.state_version);
        let refused = match &event.verdict {
            EventVerdict::Sent { topic, partition, offset } => {
                sent.push(json!({
                    "event_id": event_id,
                    "state_version": state_version,
                    "topic": cut(topic, TOPIC_MAX),
                    "partition": partition,
                    "offset": offset,
                }));
                continue;
            }
            EventVerdict::Failed { error, attempts, due } => sqlx::query(EVENT_FAILED)
                .bind(event_id)
                .bind(state_version)
                .bind(*attempts)
                .bind(cut(error, ERROR_MAX))
                .bind(micros(*due)),
            EventVerdict::Dead { error, attempts } => sqlx::query(EVENT_DEAD)
                .bind(event_id)
                .bind(state_version)
                .bind(*attempts)
                .bind(cut(error, ERROR_MAX)),
        };
        applied += refused.execute(&mut *connection).await.map_err(StoreError::of)?.rows_affected();
    }
    if !sent.is_empty() {
        let query = sqlx::query(EVENTS_SENT).bind(Value::from(sent).to_string()).bind(micros(at));
        applied += query.execute(connection).await.map_err(StoreError::of)?.rows_affected();
    }
    Ok(applied)
}

//! Events due to be sent and what became of them.

use chrono::{DateTime, Utc};
use domain::event::{EventType, Target};
use domain::message::{ERROR_CHARS_MAX, ErrorClass, text};
use domain::{Epoch, EventId, Flid, MsgId};
use engine::ports::{EventSettled, EventVerdict, OutboxEvent, StoreError};
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, PgTransaction};

use super::cells::Cells;
use super::errors::failed;
use super::sql::named;
use super::times::stored;
use super::transaction::{begin, end, fence};

const SQL: &str = include_str!("sql/outbox.sql");

pub(super) async fn due_events(
    pool: &PgPool,
    target: Target,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<OutboxEvent>, StoreError> {
    const DUE_EVENTS: &str = named(SQL, "due_events");
    let query =
        sqlx::query(DUE_EVENTS).bind(target.as_str()).bind(stored(now)).bind(super::numbers::limit(limit));
    let rows = query.fetch_all(pool).await.map_err(failed)?;
    rows.iter().map(outbox_event).collect()
}

fn outbox_event(row: &PgRow) -> Result<OutboxEvent, StoreError> {
    let cells = Cells::new(row, "msg_event", "event_id");
    let flid = cells.name("partition_key", |key| key.parse().ok().map(Flid))?;
    Ok(OutboxEvent {
        event_id: EventId(cells.get("event_id")?),
        target: cells.name("target", Target::parse)?,
        flid,
        event_type: cells.name("event_type", EventType::parse)?,
        state_version: cells.get("state_version")?,
        payload: cells.get("payload_json")?,
        msg_id: MsgId(cells.get("msg_id")?),
        attempts: cells.small_count("attempts")?,
        created_at: cells.time("created_at")?,
        is_late: cells.get("is_late")?,
    })
}

pub(super) async fn settle_events(
    pool: &PgPool,
    epoch: Epoch,
    settled: &[EventSettled],
    at: Timestamp,
) -> Result<u64, StoreError> {
    let mut transaction = begin(pool).await?;
    let outcome = write_outcomes(&mut transaction, epoch, settled, at).await;
    end(transaction, outcome).await
}

async fn write_outcomes(
    transaction: &mut PgTransaction<'_>,
    epoch: Epoch,
    settled: &[EventSettled],
    at: Timestamp,
) -> Result<u64, StoreError> {
    const SETTLE_EVENTS: &str = named(SQL, "settle_events");
    fence(transaction, epoch).await?;
    let mut columns = Columns::default();
    // In event order, as replace_state locks them.
    let mut settled: Vec<&EventSettled> = settled.iter().collect();
    settled.sort_by_key(|one| one.event_id);
    for one in settled {
        columns.push(one, stored(at));
    }
    let update = sqlx::query(SETTLE_EVENTS)
        .bind(columns.ids)
        .bind(columns.versions)
        .bind(columns.states)
        .bind(columns.attempts)
        .bind(columns.due)
        .bind(columns.classes)
        .bind(columns.errors)
        .bind(columns.sent_at)
        .bind(columns.topics)
        .bind(columns.partitions)
        .bind(columns.offsets);
    Ok(update.execute(&mut **transaction).await.map_err(failed)?.rows_affected())
}

/// Outcomes, a vector per column.
#[derive(Default)]
struct Columns {
    ids: Vec<i64>,
    versions: Vec<i64>,
    states: Vec<&'static str>,
    attempts: Vec<Option<i32>>,
    due: Vec<Option<DateTime<Utc>>>,
    classes: Vec<Option<&'static str>>,
    errors: Vec<Option<String>>,
    sent_at: Vec<Option<DateTime<Utc>>>,
    topics: Vec<Option<String>>,
    partitions: Vec<Option<i32>>,
    offsets: Vec<Option<i64>>,
}

impl Columns {
    fn push(&mut self, one: &EventSettled, at: DateTime<Utc>) {
        self.ids.push(one.event_id.0);
        self.versions.push(one.state_version);
        match &one.verdict {
            EventVerdict::Sent { topic, partition, offset } => {
                self.push_sent(at, topic, *partition, *offset);
            }
            EventVerdict::Failed { error, attempts, due } => {
                self.push_refused("PENDING", ErrorClass::Infra, error, *attempts, Some(stored(*due)));
            }
            EventVerdict::Dead { error, attempts } => {
                self.push_refused("DEAD", ErrorClass::Exhausted, error, *attempts, None);
            }
        }
    }

    fn push_sent(&mut self, at: DateTime<Utc>, topic: &str, partition: i32, offset: i64) {
        self.states.push("SENT");
        self.attempts.push(None);
        self.due.push(None);
        self.classes.push(None);
        self.errors.push(None);
        self.sent_at.push(Some(at));
        self.topics.push(Some(topic.to_owned()));
        self.partitions.push(Some(partition));
        self.offsets.push(Some(offset));
    }

    fn push_refused(
        &mut self,
        state: &'static str,
        class: ErrorClass,
        error: &str,
        attempts: u32,
        due: Option<DateTime<Utc>>,
    ) {
        self.states.push(state);
        self.attempts.push(Some(super::numbers::small(attempts)));
        self.due.push(due);
        self.classes.push(Some(class.as_str()));
        self.errors.push(Some(text(error, ERROR_CHARS_MAX)));
        self.sent_at.push(None);
        self.topics.push(None);
        self.partitions.push(None);
        self.offsets.push(None);
    }
}

//! Rows of messages for people: the record, its body, its events.

use domain::lifecycle::EventState;
use domain::message::IdentityKey;
use domain::{EventId, Flid};
use engine::ports::{EventView, MarkView, MessageRecord, RawBody, StoreError};

use super::pump::BodyCells;
use super::rows::Place;
use super::views::MessageRow;

#[derive(sqlx::FromRow)]
pub(super) struct RecordRow {
    #[sqlx(flatten)]
    message: MessageRow,
    identity_key: Option<String>,
    next_attempt_at: Option<i64>,
    content_hash: Option<Vec<u8>>,
    backfill_next_at: Option<i64>,
    backfill_attempts: i64,
    backfill_error: Option<String>,
    backfill_abandoned_at: Option<i64>,
    reconciled_at: Option<i64>,
    reconciled_by: Option<String>,
    reconcile_note: Option<String>,
    archived_at: Option<i64>,
    first_class: Option<String>,
    first_error: Option<String>,
}

impl TryFrom<RecordRow> for MessageRecord {
    type Error = StoreError;

    fn try_from(row: RecordRow) -> Result<Self, StoreError> {
        let place = Place::new("proc_state", row.message.msg_id);
        let (by, note) = (row.reconciled_by.unwrap_or_default(), row.reconcile_note.unwrap_or_default());
        let first = place.class_if_any(row.first_class.as_deref())?;
        Ok(Self {
            identity: row.identity_key.map(IdentityKey),
            content_hash: place.hash_if_any("content_hash", row.content_hash.as_deref())?,
            due: place.time_if_any("next_attempt_at", row.next_attempt_at)?,
            mark: MarkView {
                due: place.time_if_any("backfill_next_at", row.backfill_next_at)?,
                attempts: place.count("backfill_attempts", row.backfill_attempts)?,
                error: row.backfill_error,
                abandoned_at: place.time_if_any("backfill_abandoned_at", row.backfill_abandoned_at)?,
                reconciled: place.time_if_any("reconciled_at", row.reconciled_at)?.map(|at| (at, by, note)),
            },
            archived_at: place.time_if_any("archived_at", row.archived_at)?,
            first_failure: first.map(|class| (class, row.first_error.unwrap_or_default())),
            message: row.message.try_into()?,
        })
    }
}

/// A row of `msg_raw`.
#[derive(sqlx::FromRow)]
pub(super) struct RawRow {
    msg_id: i64,
    #[sqlx(flatten)]
    cells: BodyCells,
}

impl TryFrom<RawRow> for RawBody {
    type Error = StoreError;

    fn try_from(row: RawRow) -> Result<Self, StoreError> {
        let place = Place::new("msg_raw", row.msg_id);
        Ok(Self {
            body: row.cells.body(&place)?,
            sha256: place.hash_if_any("sha256", row.cells.sha256.as_deref())?,
            length: place.count("length", row.cells.length.unwrap_or_default())?,
        })
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct EventRow {
    event_id: i64,
    target: String,
    partition_key: String,
    event_type: String,
    state_version: i64,
    state: String,
    attempts: i64,
    next_attempt_at: Option<i64>,
    last_error: Option<String>,
    created_at: i64,
    sent_at: Option<i64>,
    topic: Option<String>,
    kafka_partition: Option<i64>,
    kafka_offset: Option<i64>,
    discarded_at: Option<i64>,
}

impl TryFrom<EventRow> for EventView {
    type Error = StoreError;

    fn try_from(row: EventRow) -> Result<Self, StoreError> {
        let place = Place::new("msg_event", row.event_id);
        let flid = row.partition_key.parse().map_err(|error| place.corrupt("partition_key", error))?;
        let receipt = match (row.topic, row.kafka_partition, row.kafka_offset) {
            (Some(topic), Some(partition), Some(offset)) => {
                Some((topic, place.count("kafka_partition", partition)?, offset))
            }
            (None, ..) | (Some(_), None, _) | (Some(_), Some(_), None) => None,
        };
        Ok(Self {
            event_id: EventId(row.event_id),
            target: place.target(&row.target)?,
            flid: Flid(flid),
            event_type: place.event_type(&row.event_type)?,
            state_version: row.state_version,
            state: EventState::of(&row.state, place.time_if_any("discarded_at", row.discarded_at)?)
                .ok_or_else(|| place.unknown("state", &row.state))?,
            attempts: place.count("attempts", row.attempts)?,
            due: place.time_if_any("next_attempt_at", row.next_attempt_at)?,
            last_error: row.last_error,
            created_at: place.time("created_at", row.created_at)?,
            sent_at: place.time_if_any("sent_at", row.sent_at)?,
            receipt,
        })
    }
}

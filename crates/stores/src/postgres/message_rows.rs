//! Rows of messages for people: the record, its body, its events.

use domain::event::{EventType, Target};
use domain::lifecycle::EventState;
use domain::message::{ErrorClass, IdentityKey};
use domain::{EventId, Flid};
use engine::ports::{EventView, MarkView, MessageRecord, RawBody, StoreError};
use sqlx::postgres::PgRow;

use super::cells::Cells;
use super::rows;
use super::view_rows::message_view;

pub(super) fn record(row: &PgRow) -> Result<MessageRecord, StoreError> {
    let cells = Cells::new(row, "proc_state", "msg_id");
    let reconciled = cells.maybe_time("reconciled_at")?.map(|at| {
        let text = |column| cells.get::<Option<String>>(column).map(Option::unwrap_or_default);
        Ok((at, text("reconciled_by")?, text("reconcile_note")?))
    });
    let first = cells.maybe_name("first_class", ErrorClass::parse)?;
    Ok(MessageRecord {
        message: message_view(row)?,
        identity: cells.get::<Option<String>>("identity_key")?.map(IdentityKey),
        content_hash: cells.maybe_hash("content_hash")?,
        due: cells.maybe_time("next_attempt_at")?,
        mark: MarkView {
            due: cells.maybe_time("backfill_next_at")?,
            attempts: cells.small_count("backfill_attempts")?,
            error: cells.get("backfill_error")?,
            abandoned_at: cells.maybe_time("backfill_abandoned_at")?,
            reconciled: reconciled.transpose()?,
        },
        archived_at: cells.maybe_time("archived_at")?,
        first_failure: first.map(|class| Ok((class, cells.get("first_error")?))).transpose()?,
    })
}

/// A row of `msg_raw`.
pub(super) fn raw_body(row: &PgRow) -> Result<RawBody, StoreError> {
    let cells = Cells::new(row, "msg_raw", "msg_id");
    Ok(RawBody {
        body: rows::body(&cells)?,
        sha256: cells.maybe_hash("sha256")?,
        length: cells.count("length")?,
    })
}

pub(super) fn event(row: &PgRow) -> Result<EventView, StoreError> {
    let cells = Cells::new(row, "msg_event", "event_id");
    let (key, state): (&str, &str) = (cells.get("partition_key")?, cells.get("state")?);
    let flid = key.parse().map_err(|error| cells.corrupt("partition_key", format!("{key:?}: {error}")))?;
    let state = EventState::of(state, cells.maybe_time("discarded_at")?)
        .ok_or_else(|| cells.corrupt("state", format!("unknown name {state:?}")))?;
    let receipt = match cells.get::<Option<String>>("topic")? {
        Some(topic) => Some((topic, cells.get("kafka_partition")?, cells.get("kafka_offset")?)),
        None => None,
    };
    Ok(EventView {
        event_id: EventId(cells.get("event_id")?),
        target: cells.name("target", Target::parse)?,
        flid: Flid(flid),
        event_type: cells.name("event_type", EventType::parse)?,
        state_version: cells.get("state_version")?,
        state,
        attempts: cells.small_count("attempts")?,
        due: cells.maybe_time("next_attempt_at")?,
        last_error: cells.get("last_error")?,
        created_at: cells.time("created_at")?,
        sent_at: cells.maybe_time("sent_at")?,
        receipt,
    })
}

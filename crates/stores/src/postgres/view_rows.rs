//! Rows of the views.

use domain::MsgId;
use domain::event::Target;
use domain::message::{ErrorClass, Labels, State};
use engine::ports::{HeadView, MessageView, OutboxCount, OutcomeCount, StoreError};
use sqlx::postgres::PgRow;

use super::cells::Cells;

pub(super) fn outcome(row: &PgRow) -> Result<OutcomeCount, StoreError> {
    let cells = Cells::new(row, "proc_state", "msg_type");
    Ok(OutcomeCount {
        kind: cells.get("msg_type")?,
        subtype: cells.get("msg_styp")?,
        state: cells.name("state", State::parse)?,
        class: cells.maybe_name("error_class", ErrorClass::parse)?,
        count: cells.count("messages")?,
    })
}

pub(super) fn head_view(row: &PgRow) -> Result<HeadView, StoreError> {
    let cells = Cells::new(row, "proc_state", "msg_id");
    Ok(HeadView {
        msg_id: MsgId(cells.get("msg_id")?),
        state: cells.name("state", State::parse)?,
        attempts: cells.small_count("attempts")?,
        due: cells.maybe_time("next_attempt_at")?,
        class: cells.maybe_name("error_class", ErrorClass::parse)?,
        error: cells.get("last_error")?,
        enqueued_at: cells.time("enqueued_at")?,
    })
}

pub(super) fn outbox_count(row: &PgRow) -> Result<OutboxCount, StoreError> {
    let cells = Cells::new(row, "msg_event", "target");
    Ok(OutboxCount {
        target: cells.name("target", Target::parse)?,
        pending: cells.count("pending")?,
        dead: cells.count("dead")?,
        oldest: cells.maybe_time("oldest")?,
    })
}

pub(super) fn message_view(row: &PgRow) -> Result<MessageView, StoreError> {
    let cells = Cells::new(row, "proc_state", "msg_id");
    Ok(MessageView {
        msg_id: MsgId(cells.get("msg_id")?),
        state: cells.name("state", State::parse)?,
        labels: Labels {
            kind: cells.get("msg_type")?,
            subtype: cells.get("msg_styp")?,
            sender: cells.get("sender")?,
            seqn: cells.get("seqn")?,
            dttm: cells.get("dttm")?,
        },
        attempts: cells.small_count("attempts")?,
        class: cells.maybe_name("error_class", ErrorClass::parse)?,
        last_error: cells.get("last_error")?,
        received_at: cells.maybe_time("received_at")?,
        enqueued_at: cells.time("enqueued_at")?,
        updated_at: cells.time("updated_at")?,
        marked_at: cells.maybe_time("backfill_at")?,
        abandoned_reason: cells.get("backfill_abandoned_reason")?,
    })
}

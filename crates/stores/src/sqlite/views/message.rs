//! One message with its facts.

use domain::MsgId;
use domain::message::Labels;
use engine::ports::{MessageView, StoreError};

use super::super::rows::Place;

#[derive(sqlx::FromRow)]
pub(in super::super) struct MessageRow {
    pub(in super::super) msg_id: i64,
    state: String,
    msg_type: Option<String>,
    msg_styp: Option<String>,
    sender: Option<String>,
    seqn: Option<String>,
    dttm: Option<String>,
    attempts: i64,
    error_class: Option<String>,
    last_error: Option<String>,
    received_at: Option<i64>,
    enqueued_at: i64,
    updated_at: i64,
    backfill_at: Option<i64>,
    backfill_abandoned_reason: Option<String>,
}

impl TryFrom<MessageRow> for MessageView {
    type Error = StoreError;

    fn try_from(row: MessageRow) -> Result<Self, StoreError> {
        let place = Place::new("proc_state", row.msg_id);
        Ok(Self {
            msg_id: MsgId(row.msg_id),
            state: place.state(&row.state)?,
            attempts: place.count("attempts", row.attempts)?,
            class: place.class_if_any(row.error_class.as_deref())?,
            received_at: place.time_if_any("received_at", row.received_at)?,
            enqueued_at: place.time("enqueued_at", row.enqueued_at)?,
            updated_at: place.time("updated_at", row.updated_at)?,
            marked_at: place.time_if_any("backfill_at", row.backfill_at)?,
            labels: Labels {
                kind: row.msg_type,
                subtype: row.msg_styp,
                sender: row.sender,
                seqn: row.seqn,
                dttm: row.dttm,
            },
            last_error: row.last_error,
            abandoned_reason: row.backfill_abandoned_reason,
        })
    }
}

//! Rows that an act meets, as the gate wants to know them.

use domain::event::Target as Topic;
use domain::lifecycle::{
    Abandonment, BodyFacts, EventFacts, EventState, Facts, LateState, MarkFacts, MessageFacts,
};
use engine::ports::{Selected, StoreError};

use super::super::rows::Place;

#[derive(sqlx::FromRow)]
pub(super) struct MessageRow {
    msg_id: i64,
    state: String,
    error_class: Option<String>,
    attempts: i64,
    backfill_at: Option<i64>,
    backfill_abandoned_at: Option<i64>,
    backfill_abandoned_reason: Option<String>,
    reconciled_at: Option<i64>,
    msg_type: Option<String>,
    msg_styp: Option<String>,
    last_error: Option<String>,
    has_body: bool,
}

impl TryFrom<MessageRow> for Selected {
    type Error = StoreError;

    fn try_from(row: MessageRow) -> Result<Self, StoreError> {
        let place = Place::new("proc_state", row.msg_id);
        let abandoned = place.time_if_any("backfill_abandoned_at", row.backfill_abandoned_at)?;
        let mark = match (row.backfill_at, abandoned, row.reconciled_at) {
            (Some(_), _, _) => MarkFacts::Done,
            (None, Some(_), Some(_)) => MarkFacts::Reconciled,
            (None, Some(at), None) => MarkFacts::Abandoned(Abandonment {
                reason: row.backfill_abandoned_reason.unwrap_or_default(),
                at,
            }),
            (None, None, _) => MarkFacts::Open,
        };
        Ok(Self {
            id: row.msg_id,
            facts: Facts::Message(MessageFacts {
                state: place.state(&row.state)?,
                class: place.class_if_any(row.error_class.as_deref())?,
                attempts: place.count("attempts", row.attempts)?,
                mark,
                body: if row.has_body { BodyFacts::Kept } else { BodyFacts::Forgotten },
            }),
            kind: row.msg_type,
            subtype: row.msg_styp,
            error: row.last_error,
            is_archived: false,
        })
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct LateRow {
    msg_id: i64,
    state: String,
}

impl TryFrom<LateRow> for Selected {
    type Error = StoreError;

    fn try_from(row: LateRow) -> Result<Self, StoreError> {
        let place = Place::new("inbox_late", row.msg_id);
        let state = LateState::parse(&row.state).ok_or_else(|| place.unknown("state", &row.state))?;
        Ok(Self { facts: Facts::Late(state), ..Selected::missing(row.msg_id) })
    }
}

#[derive(sqlx::FromRow)]
pub(super) struct EventRow {
    event_id: i64,
    target: String,
    partition_key: String,
    state: String,
    attempts: i64,
    discarded_at: Option<i64>,
    last_error: Option<String>,
}

impl TryFrom<EventRow> for Selected {
    type Error = StoreError;

    fn try_from(row: EventRow) -> Result<Self, StoreError> {
        let place = Place::new("msg_event", row.event_id);
        let discarded = place.time_if_any("discarded_at", row.discarded_at)?;
        let state =
            EventState::of(&row.state, discarded).ok_or_else(|| place.unknown("state", &row.state))?;
        let topic: Topic = place.target(&row.target)?;
        Ok(Self {
            id: row.event_id,
            facts: Facts::Event(EventFacts { state, attempts: place.count("attempts", row.attempts)? }),
            kind: Some(topic.as_str().to_owned()),
            subtype: Some(row.partition_key),
            error: row.last_error,
            is_archived: false,
        })
    }
}

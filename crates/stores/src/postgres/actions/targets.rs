//! Rows that an act meets, as the gate wants to know them.

use domain::event::Target as Topic;
use domain::lifecycle::{
    Abandonment, BodyFacts, EventFacts, EventState, Facts, LateState, MarkFacts, MessageFacts,
};
use domain::message::{ErrorClass, State};
use engine::ports::{Selected, StoreError};
use sqlx::postgres::PgRow;

use super::super::cells::Cells;

pub(super) fn message(row: &PgRow) -> Result<Selected, StoreError> {
    let cells = Cells::new(row, "proc_state", "msg_id");
    let abandoned = cells.maybe_time("backfill_abandoned_at")?;
    let mark = match (cells.maybe_time("backfill_at")?, abandoned, cells.maybe_time("reconciled_at")?) {
        (Some(_), _, _) => MarkFacts::Done,
        (None, Some(_), Some(_)) => MarkFacts::Reconciled,
        (None, Some(at), None) => {
            let reason: Option<String> = cells.get("backfill_abandoned_reason")?;
            MarkFacts::Abandoned(Abandonment { reason: reason.unwrap_or_default(), at })
        }
        (None, None, _) => MarkFacts::Open,
    };
    Ok(Selected {
        id: cells.get("msg_id")?,
        facts: Facts::Message(MessageFacts {
            state: cells.name("state", State::parse)?,
            class: cells.maybe_name("error_class", ErrorClass::parse)?,
            attempts: cells.small_count("attempts")?,
            mark,
            body: if cells.get("has_body")? { BodyFacts::Kept } else { BodyFacts::Forgotten },
        }),
        kind: cells.get("msg_type")?,
        subtype: cells.get("msg_styp")?,
        error: cells.get("last_error")?,
        is_archived: false,
    })
}

pub(super) fn late_row(row: &PgRow) -> Result<Selected, StoreError> {
    let cells = Cells::new(row, "inbox_late", "msg_id");
    Ok(Selected {
        facts: Facts::Late(cells.name("state", LateState::parse)?),
        ..Selected::missing(cells.get("msg_id")?)
    })
}

pub(super) fn event(row: &PgRow) -> Result<Selected, StoreError> {
    let cells = Cells::new(row, "msg_event", "event_id");
    let (name, discarded): (&str, _) = (cells.get("state")?, cells.maybe_time("discarded_at")?);
    let unknown = || cells.corrupt("state", format!("unknown name {name:?}"));
    let state = EventState::of(name, discarded).ok_or_else(unknown)?;
    let topic = cells.name("target", Topic::parse)?;
    Ok(Selected {
        id: cells.get("event_id")?,
        facts: Facts::Event(EventFacts { state, attempts: cells.small_count("attempts")? }),
        kind: Some(topic.as_str().to_owned()),
        subtype: cells.get("partition_key")?,
        error: cells.get("last_error")?,
        is_archived: false,
    })
}

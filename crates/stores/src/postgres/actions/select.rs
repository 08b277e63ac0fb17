//! What a selection means, which targets can be had now, and the bodies for a look ahead.

use std::collections::BTreeMap;

use domain::MsgId;
use domain::event::Target as Topic;
use domain::lifecycle::{
    Abandonment, Act, EventFacts, EventState, Facts, LateState, MarkFacts, MessageFacts, Target,
};
use domain::message::{Candidate, ErrorClass, State};
use engine::ports::{Filter, Selected, Selection, StoreError};
use sqlx::postgres::PgRow;
use sqlx::{PgExecutor, PgPool, PgTransaction};

use super::super::cells::Cells;
use super::super::errors::failed;
use super::super::numbers;
use super::super::rows;
use super::super::sql::named;
use super::super::times::stored;
use super::SQL;

const MESSAGES_BY_ID: &str = named(SQL, "messages_by_id");
const LATE_BY_ID: &str = named(SQL, "late_by_id");
const EVENTS_BY_ID: &str = named(SQL, "events_by_id");

pub(super) async fn select(
    pool: &PgPool,
    act: Act,
    selection: &Selection,
    after: i64,
    limit: usize,
) -> Result<Vec<Selected>, StoreError> {
    match selection {
        Selection::Ids(ids) => {
            let mut ids: Vec<i64> = ids.iter().copied().filter(|id| *id > after).collect();
            ids.sort_unstable();
            ids.dedup();
            ids.truncate(limit);
            let mut found = by_id(pool, act.target(), &ids).await?;
            if act == Act::Replay {
                let shadows = shadows(&found);
                found.extend(archived(pool, &shadows).await?);
            }
            Ok(ids.into_iter().map(|id| found.remove(&id).unwrap_or_else(|| Selected::missing(id))).collect())
        }
        Selection::Filter(filter) => match act.target() {
            Target::Message if act == Act::Replay => dead_letters(pool, filter, after, limit).await,
            Target::Message => messages(pool, act, filter, after, limit).await,
            Target::LateRow => late_rows(pool, filter, after, limit).await,
            Target::Event => events(pool, filter, after, limit).await,
            Target::Room => Ok(Vec::new()),
        },
    }
}

/// Those whose rest lies in the archive.
fn shadows(found: &BTreeMap<i64, Selected>) -> Vec<i64> {
    let is_shadow = |selected: &&Selected| match &selected.facts {
        Facts::Message(message) => message.state == State::Archived,
        Facts::Late(_) | Facts::Event(_) | Facts::Missing => false,
    };
    found.values().filter(is_shadow).map(|selected| selected.id).collect()
}

/// Of these shadows, the dead letters as the archive has them.
async fn archived(
    executor: impl PgExecutor<'_>,
    shadows: &[i64],
) -> Result<BTreeMap<i64, Selected>, StoreError> {
    const ARCHIVED_BY_ID: &str = named(SQL, "archived_by_id");
    if shadows.is_empty() {
        return Ok(BTreeMap::new());
    }
    let mut found = fetch(executor, Target::Message, ARCHIVED_BY_ID, shadows).await?;
    found.values_mut().for_each(|selected| selected.is_archived = true);
    Ok(found)
}

/// Dead letters of both tables.
async fn dead_letters(
    pool: &PgPool,
    filter: &Filter,
    after: i64,
    limit: usize,
) -> Result<Vec<Selected>, StoreError> {
    const ARCHIVED_MATCHING: &str = named(SQL, "archived_matching");
    let mut found = messages(pool, Act::Replay, filter, after, limit).await?;
    if filter.state.is_none_or(|state| state == State::Dead) {
        let archived = matching(pool, ARCHIVED_MATCHING, filter, after, limit).await?;
        found.extend(archived.into_iter().map(|selected| Selected { is_archived: true, ..selected }));
        found.sort_by_key(|selected| selected.id);
        found.truncate(limit);
    }
    Ok(found)
}

/// The targets that nobody else holds, locked; those that aren't there at all come too.
pub(super) async fn hold(
    transaction: &mut PgTransaction<'_>,
    act: Act,
    ids: &[i64],
) -> Result<BTreeMap<i64, Selected>, StoreError> {
    const HOLD_MESSAGES: &str = named(SQL, "hold_messages");
    const HOLD_LATE: &str = named(SQL, "hold_late");
    const HOLD_EVENTS: &str = named(SQL, "hold_events");
    let target = act.target();
    let statement = match target {
        Target::Message => HOLD_MESSAGES,
        Target::LateRow => HOLD_LATE,
        Target::Event => HOLD_EVENTS,
        Target::Room => return Ok(BTreeMap::new()),
    };
    let mut held = fetch(&mut **transaction, target, statement, ids).await?;
    let others: Vec<i64> = ids.iter().copied().filter(|id| !held.contains_key(id)).collect();
    if !others.is_empty() {
        let there = by_id(&mut **transaction, target, &others).await?;
        let gone = others.into_iter().filter(|id| !there.contains_key(id));
        held.extend(gone.map(|id| (id, Selected::missing(id))));
    }
    if act == Act::Replay {
        let shadows = shadows(&held);
        held.extend(archived(&mut **transaction, &shadows).await?);
    }
    Ok(held)
}

async fn by_id(
    executor: impl PgExecutor<'_>,
    target: Target,
    ids: &[i64],
) -> Result<BTreeMap<i64, Selected>, StoreError> {
    let statement = match target {
        Target::Message => MESSAGES_BY_ID,
        Target::LateRow => LATE_BY_ID,
        Target::Event => EVENTS_BY_ID,
        Target::Room => return Ok(BTreeMap::new()),
    };
    fetch(executor, target, statement, ids).await
}

async fn fetch(
    executor: impl PgExecutor<'_>,
    target: Target,
    statement: &'static str,
    ids: &[i64],
) -> Result<BTreeMap<i64, Selected>, StoreError> {
    let rows = sqlx::query(statement).bind(ids).fetch_all(executor).await.map_err(failed)?;
    let read = match target {
        Target::Message => message,
        Target::LateRow => late_row,
        Target::Event | Target::Room => event,
    };
    rows.iter().map(|row| read(row).map(|selected| (selected.id, selected))).collect()
}

async fn messages(
    pool: &PgPool,
    act: Act,
    filter: &Filter,
    after: i64,
    limit: usize,
) -> Result<Vec<Selected>, StoreError> {
    const DEAD_MATCHING: &str = named(SQL, "dead_matching");
    const FAILED_MATCHING: &str = named(SQL, "failed_matching");
    const ABANDONED_MATCHING: &str = named(SQL, "abandoned_matching");
    let statement = match (act, filter.state) {
        (Act::RetryMark | Act::Reconcile, _) => ABANDONED_MATCHING,
        (_, None | Some(State::Dead)) => DEAD_MATCHING,
        (_, Some(State::Failed)) => FAILED_MATCHING,
        (_, Some(State::Pending | State::Succeeded | State::Skipped | State::Archived)) => {
            return Ok(Vec::new());
        }
    };
    matching(pool, statement, filter, after, limit).await
}

async fn matching(
    pool: &PgPool,
    statement: &'static str,
    filter: &Filter,
    after: i64,
    limit: usize,
) -> Result<Vec<Selected>, StoreError> {
    let query = sqlx::query(statement)
        .bind(after)
        .bind(filter.first)
        .bind(filter.last)
        .bind(filter.class.map(ErrorClass::as_str))
        .bind(filter.kind.as_deref())
        .bind(filter.subtype.as_deref())
        .bind(filter.sender.as_deref())
        .bind(filter.since.map(stored))
        .bind(filter.until.map(stored))
        .bind(filter.reason_like.as_deref())
        .bind(numbers::limit(limit));
    query.fetch_all(pool).await.map_err(failed)?.iter().map(message).collect()
}

async fn late_rows(
    pool: &PgPool,
    filter: &Filter,
    after: i64,
    limit: usize,
) -> Result<Vec<Selected>, StoreError> {
    const LATE_MATCHING: &str = named(SQL, "late_matching");
    let query = sqlx::query(LATE_MATCHING)
        .bind(after)
        .bind(filter.first)
        .bind(filter.last)
        .bind(filter.since.map(stored))
        .bind(filter.until.map(stored))
        .bind(numbers::limit(limit));
    query.fetch_all(pool).await.map_err(failed)?.iter().map(late_row).collect()
}

async fn events(
    pool: &PgPool,
    filter: &Filter,
    after: i64,
    limit: usize,
) -> Result<Vec<Selected>, StoreError> {
    const EVENTS_MATCHING: &str = named(SQL, "events_matching");
    let query = sqlx::query(EVENTS_MATCHING)
        .bind(after)
        .bind(filter.first)
        .bind(filter.last)
        .bind(filter.kind.as_deref())
        .bind(filter.since.map(stored))
        .bind(filter.until.map(stored))
        .bind(filter.reason_like.as_deref())
        .bind(numbers::limit(limit));
    query.fetch_all(pool).await.map_err(failed)?.iter().map(event).collect()
}

pub(super) async fn bodies(pool: &PgPool, ids: &[MsgId]) -> Result<Vec<Candidate>, StoreError> {
    const BODIES: &str = named(SQL, "bodies");
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let found = sqlx::query(BODIES).bind(ids).fetch_all(pool).await.map_err(failed)?;
    found.iter().map(rows::candidate).collect()
}

fn message(row: &PgRow) -> Result<Selected, StoreError> {
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
        }),
        kind: cells.get("msg_type")?,
        subtype: cells.get("msg_styp")?,
        error: cells.get("last_error")?,
        is_archived: false,
    })
}

fn late_row(row: &PgRow) -> Result<Selected, StoreError> {
    let cells = Cells::new(row, "inbox_late", "msg_id");
    Ok(Selected {
        facts: Facts::Late(cells.name("state", LateState::parse)?),
        ..Selected::missing(cells.get("msg_id")?)
    })
}

fn event(row: &PgRow) -> Result<Selected, StoreError> {
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

/// Which of these are in `proc_state`.
pub(super) async fn enqueued(
    transaction: &mut PgTransaction<'_>,
    ids: &[i64],
) -> Result<BTreeMap<i64, Selected>, StoreError> {
    by_id(&mut **transaction, Target::Message, ids).await
}

//! What a selection means, and the bodies for a look ahead.

use std::collections::BTreeMap;

use domain::MsgId;
use domain::event::Target as Topic;
use domain::lifecycle::{
    Abandonment, Act, EventFacts, EventState, Facts, LateState, MarkFacts, MessageFacts, Target,
};
use domain::message::{Candidate, ErrorClass, State};
use engine::ports::{Filter, Selected, Selection, StoreError};
use serde_json::json;
use sqlx::SqliteConnection;

use super::super::database::Database;
use super::super::errors::Failure;
use super::super::pump::CandidateRow;
use super::super::rows::Place;
use super::super::statement::named;
use super::super::{limit, micros};
use super::FILE;

const DEAD_MATCHING: &str = named(FILE, "dead_matching");
const ARCHIVED_MATCHING: &str = named(FILE, "archived_matching");
const ARCHIVED_BY_ID: &str = named(FILE, "archived_by_id");
const FAILED_MATCHING: &str = named(FILE, "failed_matching");
const ABANDONED_MATCHING: &str = named(FILE, "abandoned_matching");
const MESSAGES_BY_ID: &str = named(FILE, "messages_by_id");
const LATE_MATCHING: &str = named(FILE, "late_matching");
const LATE_BY_ID: &str = named(FILE, "late_by_id");
const EVENTS_MATCHING: &str = named(FILE, "events_matching");
const EVENTS_BY_ID: &str = named(FILE, "events_by_id");
const BODIES: &str = named(FILE, "bodies");

#[cfg(test)]
pub(in super::super) const STATEMENTS: [&str; 11] = [
    DEAD_MATCHING,
    ARCHIVED_MATCHING,
    ARCHIVED_BY_ID,
    FAILED_MATCHING,
    ABANDONED_MATCHING,
    MESSAGES_BY_ID,
    LATE_MATCHING,
    LATE_BY_ID,
    EVENTS_MATCHING,
    EVENTS_BY_ID,
    BODIES,
];

pub(super) async fn select(
    connection: &mut SqliteConnection,
    act: Act,
    selection: &Selection,
    after: i64,
    most: usize,
) -> Result<Vec<Selected>, StoreError> {
    match selection {
        Selection::Ids(ids) => by_id(connection, act, ids, after, most).await,
        Selection::Filter(filter) => match act.target() {
            Target::Message if act == Act::Replay => dead_letters(connection, filter, after, most).await,
            Target::Message => messages(connection, act, filter, after, most).await,
            Target::LateRow => late_rows(connection, filter, after, most).await,
            Target::Event => events(connection, filter, after, most).await,
            Target::Room => Ok(Vec::new()),
        },
    }
}

/// Every ID once, in order, those that aren't there too.
async fn by_id(
    connection: &mut SqliteConnection,
    act: Act,
    ids: &[i64],
    after: i64,
    most: usize,
) -> Result<Vec<Selected>, StoreError> {
    let mut wanted: BTreeMap<i64, Selected> =
        ids.iter().filter(|id| **id > after).map(|id| (*id, Selected::missing(*id))).collect();
    if let Some(first) = wanted.keys().nth(most).copied() {
        wanted.split_off(&first);
    }
    let given = json!(wanted.keys().collect::<Vec<_>>()).to_string();
    let found = match act.target() {
        Target::Message => {
            let rows: Vec<MessageRow> = read(sqlx::query_as(MESSAGES_BY_ID).bind(given), connection).await?;
            rows.into_iter().map(Selected::try_from).collect::<Result<Vec<_>, _>>()?
        }
        Target::LateRow => {
            let rows: Vec<LateRow> = read(sqlx::query_as(LATE_BY_ID).bind(given), connection).await?;
            rows.into_iter().map(Selected::try_from).collect::<Result<Vec<_>, _>>()?
        }
        Target::Event => {
            let rows: Vec<EventRow> = read(sqlx::query_as(EVENTS_BY_ID).bind(given), connection).await?;
            rows.into_iter().map(Selected::try_from).collect::<Result<Vec<_>, _>>()?
        }
        Target::Room => Vec::new(),
    };
    wanted.extend(found.into_iter().map(|selected| (selected.id, selected)));
    if act == Act::Replay {
        let archived = archived(connection, &wanted).await?;
        wanted.extend(archived.into_iter().map(|selected| (selected.id, selected)));
    }
    Ok(wanted.into_values().collect())
}

/// Of those whose rest lies in the archive, the dead letters as the archive has them.
async fn archived(
    connection: &mut SqliteConnection,
    found: &BTreeMap<i64, Selected>,
) -> Result<Vec<Selected>, StoreError> {
    let is_shadow = |selected: &&Selected| match &selected.facts {
        Facts::Message(message) => message.state == State::Archived,
        Facts::Late(_) | Facts::Event(_) | Facts::Missing => false,
    };
    let shadows: Vec<i64> = found.values().filter(is_shadow).map(|selected| selected.id).collect();
    if shadows.is_empty() {
        return Ok(Vec::new());
    }
    let query = sqlx::query_as(ARCHIVED_BY_ID).bind(json!(shadows).to_string());
    let rows: Vec<MessageRow> = read(query, connection).await?;
    rows.into_iter().map(in_archive).collect()
}

fn in_archive(row: MessageRow) -> Result<Selected, StoreError> {
    Selected::try_from(row).map(|selected| Selected { is_archived: true, ..selected })
}

/// Dead letters of both tables.
async fn dead_letters(
    connection: &mut SqliteConnection,
    filter: &Filter,
    after: i64,
    most: usize,
) -> Result<Vec<Selected>, StoreError> {
    let mut found = messages(connection, Act::Replay, filter, after, most).await?;
    if filter.state.is_none_or(|state| state == State::Dead) {
        let archived = matching(connection, ARCHIVED_MATCHING, filter, after, most).await?;
        found.extend(archived.into_iter().map(in_archive).collect::<Result<Vec<_>, _>>()?);
        found.sort_by_key(|selected| selected.id);
        found.truncate(most);
    }
    Ok(found)
}

type Query<'q, R> = sqlx::query::QueryAs<'q, sqlx::Sqlite, R, <sqlx::Sqlite as sqlx::Database>::Arguments>;

async fn read<R>(query: Query<'_, R>, connection: &mut SqliteConnection) -> Result<Vec<R>, StoreError>
where
    R: for<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow> + Send + Unpin,
{
    query.fetch_all(connection).await.map_err(StoreError::of)
}

async fn messages(
    connection: &mut SqliteConnection,
    act: Act,
    filter: &Filter,
    after: i64,
    most: usize,
) -> Result<Vec<Selected>, StoreError> {
    let statement = match (act, filter.state) {
        (Act::RetryMark | Act::Reconcile, _) => ABANDONED_MATCHING,
        (_, None | Some(State::Dead)) => DEAD_MATCHING,
        (_, Some(State::Failed)) => FAILED_MATCHING,
        (_, Some(State::Pending | State::Succeeded | State::Skipped | State::Archived)) => {
            return Ok(Vec::new());
        }
    };
    let rows = matching(connection, statement, filter, after, most).await?;
    rows.into_iter().map(Selected::try_from).collect()
}

async fn matching(
    connection: &mut SqliteConnection,
    statement: &'static str,
    filter: &Filter,
    after: i64,
    most: usize,
) -> Result<Vec<MessageRow>, StoreError> {
    let query = sqlx::query_as(statement)
        .bind(after)
        .bind(filter.first)
        .bind(filter.last)
        .bind(filter.class.map(ErrorClass::as_str))
        .bind(filter.kind.clone())
        .bind(filter.subtype.clone())
        .bind(filter.sender.clone())
        .bind(filter.since.map(micros))
        .bind(filter.until.map(micros))
        .bind(filter.reason_like.clone())
        .bind(limit(most));
    read(query, connection).await
}

async fn late_rows(
    connection: &mut SqliteConnection,
    filter: &Filter,
    after: i64,
    most: usize,
) -> Result<Vec<Selected>, StoreError> {
    let query = sqlx::query_as(LATE_MATCHING)
        .bind(after)
        .bind(filter.first)
        .bind(filter.last)
        .bind(filter.since.map(micros))
        .bind(filter.until.map(micros))
        .bind(limit(most));
    let rows: Vec<LateRow> = read(query, connection).await?;
    rows.into_iter().map(Selected::try_from).collect()
}

async fn events(
    connection: &mut SqliteConnection,
    filter: &Filter,
    after: i64,
    most: usize,
) -> Result<Vec<Selected>, StoreError> {
    let query = sqlx::query_as(EVENTS_MATCHING)
        .bind(after)
        .bind(filter.first)
        .bind(filter.last)
        .bind(filter.kind.clone())
        .bind(filter.since.map(micros))
        .bind(filter.until.map(micros))
        .bind(filter.reason_like.clone())
        .bind(limit(most));
    let rows: Vec<EventRow> = read(query, connection).await?;
    rows.into_iter().map(Selected::try_from).collect()
}

pub(super) async fn bodies(database: &Database, ids: &[MsgId]) -> Result<Vec<Candidate>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let query = sqlx::query_as(BODIES).bind(json!(ids).to_string());
    let rows: Vec<CandidateRow> = query.fetch_all(database.readers()).await.map_err(StoreError::of)?;
    rows.into_iter().map(Candidate::try_from).collect()
}

#[derive(sqlx::FromRow)]
struct MessageRow {
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
            }),
            kind: row.msg_type,
            subtype: row.msg_styp,
            error: row.last_error,
            is_archived: false,
        })
    }
}

#[derive(sqlx::FromRow)]
struct LateRow {
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
struct EventRow {
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

pub(super) async fn is_enqueued(connection: &mut SqliteConnection, id: i64) -> Result<bool, StoreError> {
    let rows: Vec<MessageRow> =
        read(sqlx::query_as(MESSAGES_BY_ID).bind(json!([id]).to_string()), connection).await?;
    Ok(!rows.is_empty())
}

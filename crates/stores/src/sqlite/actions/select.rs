//! What a selection means, and the bodies for a look ahead.

use std::collections::BTreeMap;

use domain::MsgId;
use domain::lifecycle::{Act, Facts, Target};
use domain::message::{Candidate, State};
use engine::ports::{Selected, Selection, StoreError};
use serde_json::json;
use sqlx::SqliteConnection;

use super::super::database::Database;
use super::super::errors::Failure;
use super::super::pump::CandidateRow;
use super::super::statement::named;
use super::FILE;
use super::matching::{dead_letters, events, in_archive, late_rows, messages, read};
use super::targets::{EventRow, LateRow, MessageRow};

const ARCHIVED_BY_ID: &str = named(FILE, "archived_by_id");
const MESSAGES_BY_ID: &str = named(FILE, "messages_by_id");
const LATE_BY_ID: &str = named(FILE, "late_by_id");
const EVENTS_BY_ID: &str = named(FILE, "events_by_id");
const BODIES: &str = named(FILE, "bodies");

#[cfg(test)]
pub(in super::super) const STATEMENTS: [&str; 5] =
    [ARCHIVED_BY_ID, MESSAGES_BY_ID, LATE_BY_ID, EVENTS_BY_ID, BODIES];

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

pub(super) async fn bodies(database: &Database, ids: &[MsgId]) -> Result<Vec<Candidate>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let query = sqlx::query_as(BODIES).bind(json!(ids).to_string());
    let rows: Vec<CandidateRow> = query.fetch_all(database.readers()).await.map_err(StoreError::of)?;
    rows.into_iter().map(Candidate::try_from).collect()
}

pub(super) async fn is_enqueued(connection: &mut SqliteConnection, id: i64) -> Result<bool, StoreError> {
    let rows: Vec<MessageRow> =
        read(sqlx::query_as(MESSAGES_BY_ID).bind(json!([id]).to_string()), connection).await?;
    Ok(!rows.is_empty())
}

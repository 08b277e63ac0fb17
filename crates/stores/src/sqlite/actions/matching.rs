//! What a filter matches, by index whatever else is asked for.

use domain::lifecycle::Act;
use domain::message::{ErrorClass, State};
use engine::ports::{Filter, Selected, StoreError};
use sqlx::SqliteConnection;

use super::super::errors::Failure;
use super::super::statement::named;
use super::super::{limit, micros};
use super::FILE;
use super::targets::{EventRow, LateRow, MessageRow};

const DEAD_MATCHING: &str = named(FILE, "dead_matching");
const ARCHIVED_MATCHING: &str = named(FILE, "archived_matching");
const FAILED_MATCHING: &str = named(FILE, "failed_matching");
const ABANDONED_MATCHING: &str = named(FILE, "abandoned_matching");
const LATE_MATCHING: &str = named(FILE, "late_matching");
const EVENTS_MATCHING: &str = named(FILE, "events_matching");

#[cfg(test)]
pub(in super::super) const STATEMENTS: [&str; 6] =
    [DEAD_MATCHING, ARCHIVED_MATCHING, FAILED_MATCHING, ABANDONED_MATCHING, LATE_MATCHING, EVENTS_MATCHING];

pub(super) async fn messages(
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

pub(super) async fn late_rows(
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

pub(super) async fn events(
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

pub(super) fn in_archive(row: MessageRow) -> Result<Selected, StoreError> {
    Selected::try_from(row).map(|selected| Selected { is_archived: true, ..selected })
}

/// Dead letters of both tables.
pub(super) async fn dead_letters(
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

pub(super) async fn read<R>(
    query: Query<'_, R>,
    connection: &mut SqliteConnection,
) -> Result<Vec<R>, StoreError>
where
    R: for<'r> sqlx::FromRow<'r, sqlx::sqlite::SqliteRow> + Send + Unpin,
{
    query.fetch_all(connection).await.map_err(StoreError::of)
}

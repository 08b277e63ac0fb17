//! What a filter matches, by index whatever else is asked for.

use domain::lifecycle::Act;
use domain::message::{ErrorClass, State};
use engine::ports::{Filter, Selected, StoreError};
use sqlx::PgPool;

use super::super::errors::failed;
use super::super::numbers;
use super::super::sql::named;
use super::super::times::stored;
use super::SQL;
use super::targets::{event, late_row, message};

pub(super) async fn messages(
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

pub(super) async fn late_rows(
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

pub(super) async fn events(
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

/// Dead letters of both tables.
pub(super) async fn dead_letters(
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

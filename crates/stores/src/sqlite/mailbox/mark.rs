//! Marks: classified by a plain read first, written only where there is none (INV-7).

use std::collections::HashMap;

use domain::MsgId;
use engine::ports::{MailboxError, MarkOutcome};
use sqlx::SqliteConnection;

use super::super::database::{Database, finish, leave};
use super::super::errors::Failure;
use super::super::statement::named;
use super::{FILE, SqliteMailboxOptions};

const MARKS: &str = named(FILE, "marks");
const MARK_ALL: &str = named(FILE, "mark_all");
const MARK_ONE: &str = named(FILE, "mark_one");

/// Writes `wall_time` as the mark of `ids`: one outcome per ID, in the order given.
pub(super) async fn mark(
    database: &Database,
    ids: &[MsgId],
    wall_time: &str,
    options: &SqliteMailboxOptions,
) -> Result<Vec<(MsgId, MarkOutcome)>, MailboxError> {
    let mut reading = database.read().await?;
    let read = marks(&mut reading, ids).await;
    leave(reading).await;
    let marks = read?;
    let mut empty: Vec<MsgId> = marks.iter().filter(|(_, marked)| !**marked).map(|(id, _)| *id).collect();
    empty.sort_unstable();
    let mut written = HashMap::new();
    if !empty.is_empty() {
        let mut writing = database.write().await?;
        let result = write_all(&mut writing, &empty, wall_time, &options.processed_value).await;
        written = finish(writing, result).await?;
    }
    Ok(ids.iter().map(|id| (*id, outcome(*id, &marks, &mut written))).collect())
}

/// An ID given twice was written once: the second time it is marked already.
fn outcome(
    id: MsgId,
    marks: &HashMap<MsgId, bool>,
    written: &mut HashMap<MsgId, MarkOutcome>,
) -> MarkOutcome {
    match written.get_mut(&id) {
        Some(outcome @ MarkOutcome::Written) => std::mem::replace(outcome, MarkOutcome::AlreadyMarked),
        Some(outcome) => outcome.clone(),
        None if marks.contains_key(&id) => MarkOutcome::AlreadyMarked,
        None => MarkOutcome::Missing,
    }
}

/// The rows of `ids` that exist, and whether each has a mark.
async fn marks(
    connection: &mut SqliteConnection,
    ids: &[MsgId],
) -> Result<HashMap<MsgId, bool>, MailboxError> {
    let ids: Vec<_> = ids.iter().map(|id| id.0).collect();
    let rows: Vec<(i64, bool)> = sqlx::query_as(MARKS)
        .bind(serde_json::json!(ids).to_string())
        .fetch_all(connection)
        .await
        .map_err(MailboxError::of)?;
    Ok(rows.into_iter().map(|(id, marked)| (MsgId(id), marked)).collect())
}

/// All at once; row by row if one is refused, so that it doesn't take the others with it.
async fn write_all(
    connection: &mut SqliteConnection,
    ids: &[MsgId],
    wall_time: &str,
    processed_value: &str,
) -> Result<HashMap<MsgId, MarkOutcome>, MailboxError> {
    let given: Vec<_> = ids.iter().map(|id| id.0).collect();
    let written: Result<Vec<i64>, _> = sqlx::query_scalar(MARK_ALL)
        .bind(serde_json::json!(given).to_string())
        .bind(wall_time)
        .bind(processed_value)
        .fetch_all(&mut *connection)
        .await
        .map_err(MailboxError::of);
    let mut outcomes = HashMap::with_capacity(ids.len());
    match written {
        Ok(written) => outcomes.extend(written.into_iter().map(|id| (MsgId(id), MarkOutcome::Written))),
        Err(MailboxError::Refused(_)) => {}
        Err(MailboxError::Unavailable(error)) => return Err(MailboxError::Unavailable(error)),
    }
    for id in ids {
        if !outcomes.contains_key(id) {
            outcomes.insert(*id, write_one(connection, *id, wall_time, processed_value).await?);
        }
    }
    Ok(outcomes)
}

async fn write_one(
    connection: &mut SqliteConnection,
    id: MsgId,
    wall_time: &str,
    processed_value: &str,
) -> Result<MarkOutcome, MailboxError> {
    let query = sqlx::query(MARK_ONE).bind(id.0).bind(wall_time).bind(processed_value);
    match query.execute(&mut *connection).await.map_err(MailboxError::of) {
        Ok(done) if done.rows_affected() == 1 => Ok(MarkOutcome::Written),
        Ok(_) => meanwhile(connection, id).await,
        Err(MailboxError::Refused(error)) => Ok(MarkOutcome::Failed { error, needs_operator: true }),
        Err(MailboxError::Unavailable(error)) => Err(MailboxError::Unavailable(error)),
    }
}

/// What became of a row that was there without a mark a moment ago.
async fn meanwhile(connection: &mut SqliteConnection, id: MsgId) -> Result<MarkOutcome, MailboxError> {
    let now = marks(connection, &[id]).await?;
    Ok(if now.contains_key(&id) { MarkOutcome::AlreadyMarked } else { MarkOutcome::Missing })
}

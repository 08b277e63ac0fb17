//! The one transaction a run ends in (INV-8, INV-17): ends, flights, events, tries.
//!
//! Each kind of row travels as one JSON array into one statement: a statement costs more than
//! the rows it writes.

use std::collections::HashSet;

use domain::decide::Effects;
use domain::message::{Conclusion, ErrorClass, Settled};
use domain::{Epoch, MsgId};
use engine::ports::StoreError;
use jiff::Timestamp;
use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::database::{Database, finish};
use super::errors::Failure;
use super::flights::{add_flights, update_flights};
use super::leadership::fence;
use super::pump::FILE;
use super::statement::named;
use super::text::without_nul_if_any;
use super::timeline::{append_changes, count_kinds};
use super::{events, micros};

pub(super) const YIELD_IDENTITY: &str = named(FILE, "yield_identity");
pub(super) const SETTLE: &str = named(FILE, "settle");
pub(super) const LOG_ATTEMPT: &str = named(FILE, "log_attempt");

pub(super) async fn commit_run(
    database: &Database,
    epoch: Epoch,
    effects: &Effects,
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut transaction = database.write().await?;
    let result = write_run(&mut transaction, epoch, effects, at).await;
    finish(transaction, result).await
}

/// SQLite's write lock is the `PIPELINE_LOCK`: whoever writes at all holds it.
async fn write_run(
    connection: &mut SqliteConnection,
    epoch: Epoch,
    effects: &Effects,
    at: Timestamp,
) -> Result<(), StoreError> {
    fence(connection, epoch).await?;
    let freed = yield_identities(connection, &effects.settled).await?;
    write_ends(connection, &effects.settled, &freed, at).await?;
    for settled in &effects.settled {
        if let Some((class, words)) = &settled.attempt_failure {
            log_attempt(connection, settled, at, *class, words).await?;
        }
    }
    count_kinds(connection, &effects.settled, at).await?;
    add_flights(connection, &effects.new_flights, at).await?;
    update_flights(connection, &effects.flights, at).await?;
    append_changes(connection, &effects.changes, at).await?;
    events::insert(connection, &effects.events, at).await
}

/// Dead holders give up their keys before the newcomers take them: the unique index is checked
/// row by row. Returns those that give up within this very run; their key is never written.
async fn yield_identities(
    connection: &mut SqliteConnection,
    settled: &[Settled],
) -> Result<HashSet<MsgId>, StoreError> {
    let in_run: HashSet<MsgId> = settled.iter().map(|settled| settled.msg_id).collect();
    let holders: HashSet<MsgId> = settled.iter().filter_map(|settled| settled.yields).collect();
    let earlier: Vec<i64> = holders.difference(&in_run).map(|holder| holder.0).collect();
    if !earlier.is_empty() {
        let freed = sqlx::query(YIELD_IDENTITY)
            .bind(json!(earlier).to_string())
            .execute(connection)
            .await
            .map_err(StoreError::of)?;
        all_or_conflict(freed.rows_affected(), earlier.len(), "holders of an identity are no longer dead")?;
    }
    Ok(holders.intersection(&in_run).copied().collect())
}

async fn write_ends(
    connection: &mut SqliteConnection,
    settled: &[Settled],
    freed: &HashSet<MsgId>,
    at: Timestamp,
) -> Result<(), StoreError> {
    let rows: Vec<Value> =
        settled.iter().map(|settled| end(settled, freed)).collect::<Result<_, StoreError>>()?;
    let written = sqlx::query(SETTLE)
        .bind(Value::from(rows).to_string())
        .bind(micros(at))
        .execute(connection)
        .await
        .map_err(StoreError::of)?;
    all_or_conflict(written.rows_affected(), settled.len(), "messages are no longer as they were read")
}

fn end(settled: &Settled, freed: &HashSet<MsgId>) -> Result<Value, StoreError> {
    let (class, words, due) = match &settled.conclusion {
        Conclusion::Succeeded => (None, None, None),
        Conclusion::Skipped { reason } => (None, Some(reason.as_str()), None),
        Conclusion::Dead { class, error } => (Some(*class), Some(error.as_str()), None),
        Conclusion::Failed { class, error, due } => (Some(*class), Some(error.as_str()), Some(*due)),
    };
    let identity = settled.identity.as_ref().filter(|_| !freed.contains(&settled.msg_id));
    let labels = &settled.labels;
    Ok(json!({
        "msg_id": settled.msg_id.0,
        "attempts_seen": settled.attempts_seen,
        "attempts": settled.attempts,
        "state": settled.conclusion.state().as_str(),
        "terminal": settled.conclusion.state().is_terminal(),
        "class": class.map(ErrorClass::as_str),
        "words": without_nul_if_any(words)?,
        "due": due.map(micros),
        "kind": without_nul_if_any(labels.kind.as_deref())?,
        "subtype": without_nul_if_any(labels.subtype.as_deref())?,
        "sender": without_nul_if_any(labels.sender.as_deref())?,
        "seqn": without_nul_if_any(labels.seqn.as_deref())?,
        "dttm": without_nul_if_any(labels.dttm.as_deref())?,
        "identity": without_nul_if_any(identity.map(|key| key.0.as_str()))?,
        "content_hash": settled.content_hash.map(|hash| hex(&hash)),
    }))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

pub(super) fn all_or_conflict(rows: u64, expected: usize, words: &str) -> Result<(), StoreError> {
    let missing = (expected as u64).saturating_sub(rows);
    if missing == 0 { Ok(()) } else { Err(StoreError::Conflict(format!("{missing} of {expected} {words}"))) }
}

async fn log_attempt(
    connection: &mut SqliteConnection,
    settled: &Settled,
    at: Timestamp,
    class: ErrorClass,
    words: &str,
) -> Result<(), StoreError> {
    sqlx::query(LOG_ATTEMPT)
        .bind(settled.msg_id.0)
        .bind(settled.attempts)
        .bind(micros(at))
        .bind(class.as_str())
        .bind(words)
        .execute(connection)
        .await
        .map_err(StoreError::of)?;
    Ok(())
}

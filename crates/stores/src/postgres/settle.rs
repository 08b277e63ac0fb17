//! How tries ended: `proc_state` and `msg_attempt`, one statement each for any number of messages.

use std::collections::HashSet;

use domain::MsgId;
use domain::message::Settled;
use engine::ports::StoreError;
use jiff::Timestamp;
use sqlx::PgTransaction;

use super::ends::Columns;
use super::errors::failed;
use super::sql::named;
use super::times::stored;

const SQL: &str = include_str!("sql/pump.sql");

/// Writes the end of each try, if every message is still as it was read.
pub(super) async fn write_ends(
    transaction: &mut PgTransaction<'_>,
    settled: &[Settled],
    at: Timestamp,
) -> Result<(), StoreError> {
    const SETTLE: &str = named(SQL, "settle");
    if settled.is_empty() {
        return Ok(());
    }
    let given_up = yield_identities(transaction, settled).await?;
    let columns = Columns::of(settled, &given_up);
    let update = sqlx::query(SETTLE)
        .bind(columns.ids)
        .bind(columns.attempts_seen)
        .bind(columns.states)
        .bind(columns.attempts)
        .bind(columns.due)
        .bind(columns.classes)
        .bind(columns.errors)
        .bind(columns.identities)
        .bind(columns.kinds)
        .bind(columns.subtypes)
        .bind(columns.senders)
        .bind(columns.seqns)
        .bind(columns.dttms)
        .bind(columns.hashes)
        .bind(stored(at))
        .bind(columns.terminal);
    let written = update.execute(&mut **transaction).await.map_err(failed)?.rows_affected();
    all_or_conflict(written, settled.len(), "messages were settled or tried by someone else")
}

/// Dead holders give up their keys before the newcomers take them: the unique index is checked row
/// by row. Returns those that gave up within this very run; their key is simply not written.
async fn yield_identities(
    transaction: &mut PgTransaction<'_>,
    settled: &[Settled],
) -> Result<HashSet<MsgId>, StoreError> {
    const YIELD_IDENTITY: &str = named(SQL, "yield_identity");
    let in_run: HashSet<MsgId> = settled.iter().map(|settled| settled.msg_id).collect();
    let holders: HashSet<MsgId> = settled.iter().filter_map(|settled| settled.yields).collect();
    let earlier: Vec<i64> = holders.difference(&in_run).map(|holder| holder.0).collect();
    if !earlier.is_empty() {
        let expected = earlier.len();
        let update = sqlx::query(YIELD_IDENTITY).bind(earlier);
        let written = update.execute(&mut **transaction).await.map_err(failed)?.rows_affected();
        all_or_conflict(written, expected, "holders of an identity are no longer dead")?;
    }
    Ok(holders.intersection(&in_run).copied().collect())
}

/// Appends the failures of this run's tries.
pub(super) async fn write_attempts(
    transaction: &mut PgTransaction<'_>,
    settled: &[Settled],
    at: Timestamp,
) -> Result<(), StoreError> {
    const LOG_ATTEMPT: &str = named(SQL, "log_attempt");
    let (mut ids, mut attempts, mut classes, mut errors) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for one in settled {
        let Some((class, error)) = &one.attempt_failure else { continue };
        ids.push(one.msg_id.0);
        attempts.push(super::numbers::small(one.attempts));
        classes.push(class.as_str());
        errors.push(error.as_str());
    }
    if ids.is_empty() {
        return Ok(());
    }
    let insert =
        sqlx::query(LOG_ATTEMPT).bind(ids).bind(attempts).bind(classes).bind(errors).bind(stored(at));
    insert.execute(&mut **transaction).await.map_err(failed)?;
    Ok(())
}

pub(super) fn all_or_conflict(written: u64, expected: usize, words: &str) -> Result<(), StoreError> {
    if written == expected as u64 {
        Ok(())
    } else {
        Err(StoreError::Conflict(format!("{} of {expected} {words}", expected as u64 - written)))
    }
}

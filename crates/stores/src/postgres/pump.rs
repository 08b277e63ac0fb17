//! The head of the queue and the commit of a run.

use std::collections::HashSet;

use domain::decide::{Effects, World};
use domain::flight::{Flight, PastFlight};
use domain::message::{Candidate, ErrorClass, Holder, IdentityKey, State};
use domain::{Epoch, Flid, MsgId};
use engine::ports::{AttemptLog, StoreError};
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, PgTransaction};

use super::cells::Cells;
use super::errors::failed;
use super::history::past;
use super::rows;
use super::settle::{write_attempts, write_ends};
use super::sql::named;
use super::state::{write_events, write_flights};
use super::timeline::{count_kinds, write_changes};
use super::transaction::{begin, end, fence, lock_pipeline};

const SQL: &str = include_str!("sql/pump.sql");

pub(super) async fn head(
    pool: &PgPool,
    rows_max: usize,
    bytes_max: u64,
) -> Result<Vec<Candidate>, StoreError> {
    const HEAD: &str = named(SQL, "head");
    let bytes_max = i64::try_from(bytes_max).unwrap_or(i64::MAX);
    let query = sqlx::query(HEAD).bind(super::numbers::limit(rows_max)).bind(bytes_max);
    let rows = query.fetch_all(pool).await.map_err(failed)?;
    rows.iter().map(rows::candidate).collect()
}

pub(super) async fn world(pool: &PgPool, keys: &[IdentityKey], flids: &[Flid]) -> Result<World, StoreError> {
    const HOLDERS: &str = named(SQL, "holders");
    const FAMILIES: &str = named(SQL, "families");
    let mut world = World::default();
    if !keys.is_empty() {
        let keys: Vec<&str> = keys.iter().map(|key| key.0.as_str()).collect();
        let rows = sqlx::query(HOLDERS).bind(keys).fetch_all(pool).await.map_err(failed)?;
        world.holders = rows.iter().map(holder).collect::<Result<_, _>>()?;
    }
    if !flids.is_empty() {
        let flids: Vec<i64> = flids.iter().map(|flid| flid.0).collect();
        let rows = sqlx::query(FAMILIES).bind(&flids).fetch_all(pool).await.map_err(failed)?;
        world.flights = rows.iter().map(rows::flight).collect::<Result<_, _>>()?;
        world.past = past_of(pool, flids, &world.flights).await?;
    }
    Ok(world)
}

/// What history has of the flights that aren't current. The sweep may move one between the two
/// looks, never back: it is seen in either, and a run that saw it current is refused (INV-18).
async fn past_of(
    pool: &PgPool,
    mut flids: Vec<i64>,
    flights: &[Flight],
) -> Result<Vec<PastFlight>, StoreError> {
    let current: HashSet<i64> = flights.iter().map(|flight| flight.flid.0).collect();
    flids.retain(|flid| !current.contains(flid));
    if flids.is_empty() { Ok(Vec::new()) } else { past(pool, &flids).await }
}

fn holder(row: &PgRow) -> Result<Holder, StoreError> {
    let cells = Cells::new(row, "proc_state", "msg_id");
    Ok(Holder {
        key: IdentityKey(cells.get("identity_key")?),
        msg_id: MsgId(cells.get("msg_id")?),
        state: cells.name("state", State::parse)?,
        content_hash: cells.maybe_hash("content_hash")?,
    })
}

pub(super) async fn commit_run(
    pool: &PgPool,
    lock_key: i64,
    epoch: Epoch,
    effects: &Effects,
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut transaction = begin(pool).await?;
    let outcome = write_run(&mut transaction, lock_key, epoch, effects, at).await;
    end(transaction, outcome).await
}

/// The lock comes before the fence: whoever waited for the lock must learn of a take-over.
async fn write_run(
    transaction: &mut PgTransaction<'_>,
    lock_key: i64,
    epoch: Epoch,
    effects: &Effects,
    at: Timestamp,
) -> Result<(), StoreError> {
    if effects.touches_flights() {
        lock_pipeline(transaction, lock_key).await?;
    }
    fence(transaction, epoch).await?;
    write_ends(transaction, &effects.settled, at).await?;
    write_attempts(transaction, &effects.settled, at).await?;
    count_kinds(transaction, &effects.settled, at).await?;
    write_flights(transaction, effects, at).await?;
    write_changes(transaction, &effects.changes, at).await?;
    write_events(transaction, &effects.events, at).await
}

pub(super) async fn attempts(pool: &PgPool, msg_id: MsgId) -> Result<Vec<AttemptLog>, StoreError> {
    const ATTEMPTS: &str = named(SQL, "attempts");
    let rows = sqlx::query(ATTEMPTS).bind(msg_id.0).fetch_all(pool).await.map_err(failed)?;
    rows.iter().map(attempt).collect()
}

fn attempt(row: &PgRow) -> Result<AttemptLog, StoreError> {
    let cells = Cells::new(row, "msg_attempt", "msg_id");
    Ok(AttemptLog {
        attempt: cells.small_count("attempt")?,
        at: cells.time("at")?,
        class: cells.name("error_class", ErrorClass::parse)?,
        error: cells.get("error")?,
    })
}

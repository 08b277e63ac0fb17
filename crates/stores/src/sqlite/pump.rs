//! The queue's head, and the tries of a message.

use domain::MsgId;
use domain::message::{Candidate, StoredBody};
use engine::ports::{AttemptLog, StoreError};

use super::database::{Database, leave};
use super::errors::Failure;
use super::limit;
use super::rows::Place;
use super::statement::named;
use crate::raw;

pub(super) const FILE: &str = include_str!("sql/pump.sql");
pub(super) const HEAD: &str = named(FILE, "head");
pub(super) const ATTEMPTS: &str = named(FILE, "attempts");

#[derive(sqlx::FromRow)]
pub(super) struct CandidateRow {
    msg_id: i64,
    state: String,
    attempts: i64,
    next_attempt_at: Option<i64>,
    enqueued_at: i64,
    #[sqlx(flatten)]
    cells: BodyCells,
}

/// What `msg_raw` keeps of a body; `length` is NULL where there is no row.
#[derive(sqlx::FromRow)]
pub(super) struct BodyCells {
    pub(super) sha256: Option<Vec<u8>>,
    pub(super) length: Option<i64>,
    absence: Option<String>,
    body: Option<Vec<u8>>,
}

impl BodyCells {
    /// The body, unpacked.
    pub(super) fn body(&self, place: &Place<i64>) -> Result<StoredBody, StoreError> {
        let length = self.length.ok_or_else(|| place.corrupt("msg_id", "no such row"))?;
        match (self.absence.as_deref(), &self.body, &self.sha256) {
            (None, Some(packed), _) => raw::unpack(packed, place.count("length", length)?)
                .map(StoredBody::Bytes)
                .map_err(|error| place.corrupt("body", error)),
            (Some("MISSING"), ..) => Ok(StoredBody::Missing),
            (Some("OVERSIZED"), _, Some(sha256)) => Ok(StoredBody::Oversized {
                length: place.count("length", length)?,
                sha256: place.hash("sha256", sha256)?,
            }),
            (Some("OVERSIZED"), _, None) => Err(place.corrupt("sha256", "NULL with an oversized body")),
            (None, None, _) => Err(place.corrupt("body", "NULL without a reason")),
            (Some(other), ..) => Err(place.unknown("absence", other)),
        }
    }
}

impl TryFrom<CandidateRow> for Candidate {
    type Error = StoreError;

    fn try_from(row: CandidateRow) -> Result<Self, StoreError> {
        let place = Place::new("proc_state", row.msg_id);
        Ok(Self {
            msg_id: MsgId(row.msg_id),
            state: place.state(&row.state)?,
            attempts: place.count("attempts", row.attempts)?,
            due: place.time_if_any("next_attempt_at", row.next_attempt_at)?,
            enqueued_at: place.time("enqueued_at", row.enqueued_at)?,
            body: row.cells.body(&Place::new("msg_raw", row.msg_id))?,
        })
    }
}

pub(super) async fn head(
    database: &Database,
    rows_max: usize,
    bytes_max: u64,
) -> Result<Vec<Candidate>, StoreError> {
    let rows: Vec<CandidateRow> = sqlx::query_as(HEAD)
        .bind(limit(rows_max))
        .bind(i64::try_from(bytes_max).unwrap_or(i64::MAX))
        .fetch_all(database.readers())
        .await
        .map_err(StoreError::of)?;
    rows.into_iter().map(Candidate::try_from).collect()
}

pub(super) async fn settle_doubt(database: &Database) -> Result<(), StoreError> {
    leave(database.write().await?).await;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct AttemptRow {
    attempt: i64,
    at: i64,
    error_class: String,
    error: String,
}

pub(super) async fn attempts(database: &Database, msg_id: MsgId) -> Result<Vec<AttemptLog>, StoreError> {
    let rows: Vec<AttemptRow> = sqlx::query_as(ATTEMPTS)
        .bind(msg_id.0)
        .fetch_all(database.readers())
        .await
        .map_err(StoreError::of)?;
    let place = Place::new("msg_attempt", msg_id);
    rows.into_iter()
        .map(|row| {
            Ok(AttemptLog {
                attempt: place.count("attempt", row.attempt)?,
                at: place.time("at", row.at)?,
                class: place.class(&row.error_class)?,
                error: row.error,
            })
        })
        .collect()
}

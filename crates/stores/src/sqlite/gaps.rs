//! The gap ledger, and rows found in it too late.

use domain::MsgId;
use domain::mailbox::{ClosedGap, GapVerdict, IdRange, OpenGap};
use engine::ports::{Ledger, StoreError};
use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::database::{Database, finish};
use super::discovery::FILE;
use super::errors::Failure;
use super::rows::Place;
use super::statement::named;
use super::{limit, micros};

pub(super) const OPEN_GAPS: &str = named(FILE, "open_gaps");
pub(super) const CLOSED_GAPS: &str = named(FILE, "closed_gaps");
pub(super) const FORGET_OPEN_GAPS: &str = named(FILE, "forget_open_gaps");
pub(super) const INSERT_OPEN_GAP: &str = named(FILE, "insert_open_gap");
pub(super) const INSERT_CLOSED_GAP: &str = named(FILE, "insert_closed_gap");
pub(super) const RECORD_LATE: &str = named(FILE, "record_late");

pub(super) async fn open_gaps(database: &Database) -> Result<Vec<OpenGap>, StoreError> {
    let rows: Vec<GapRow> =
        sqlx::query_as(OPEN_GAPS).fetch_all(database.readers()).await.map_err(StoreError::of)?;
    rows.into_iter().map(GapRow::open).collect()
}

pub(super) async fn closed_gaps(
    database: &Database,
    since: Timestamp,
    most: usize,
) -> Result<Vec<ClosedGap>, StoreError> {
    let rows: Vec<GapRow> = sqlx::query_as(CLOSED_GAPS)
        .bind(micros(since))
        .bind(limit(most))
        .fetch_all(database.readers())
        .await
        .map_err(StoreError::of)?;
    rows.into_iter().map(GapRow::closed).collect()
}

pub(super) async fn replace_ledger(
    connection: &mut SqliteConnection,
    ledger: &Ledger,
) -> Result<(), StoreError> {
    sqlx::query(FORGET_OPEN_GAPS).execute(&mut *connection).await.map_err(StoreError::of)?;
    for gap in &ledger.open {
        sqlx::query(INSERT_OPEN_GAP)
            .bind(gap.range.first.0)
            .bind(gap.range.last.0)
            .bind(micros(gap.first_seen))
            .bind(gap.server.as_str())
            .execute(&mut *connection)
            .await
            .map_err(StoreError::of)?;
    }
    for gap in &ledger.closed {
        close_gap(connection, gap).await?;
    }
    Ok(())
}

pub(super) async fn close_gap(connection: &mut SqliteConnection, gap: &ClosedGap) -> Result<(), StoreError> {
    sqlx::query(INSERT_CLOSED_GAP)
        .bind(gap.range.first.0)
        .bind(gap.range.last.0)
        .bind(micros(gap.first_seen))
        .bind(gap.verdict.as_str())
        .bind(micros(gap.closed_at))
        .execute(connection)
        .await
        .map_err(StoreError::of)?;
    Ok(())
}

pub(super) async fn record_late(
    database: &Database,
    ids: &[MsgId],
    at: Timestamp,
) -> Result<Vec<MsgId>, StoreError> {
    let mut transaction = database.write().await?;
    let result = note_late(&mut transaction, ids, at).await;
    finish(transaction, result).await
}

async fn note_late(
    connection: &mut SqliteConnection,
    ids: &[MsgId],
    at: Timestamp,
) -> Result<Vec<MsgId>, StoreError> {
    let mut fresh = Vec::new();
    for id in ids {
        let noted = sqlx::query(RECORD_LATE)
            .bind(id.0)
            .bind(micros(at))
            .execute(&mut *connection)
            .await
            .map_err(StoreError::of)?;
        if noted.rows_affected() == 1 {
            fresh.push(*id);
        }
    }
    Ok(fresh)
}

#[derive(sqlx::FromRow)]
struct GapRow {
    gap_id: i64,
    first_id: i64,
    last_id: i64,
    first_seen: i64,
    server_id: String,
    verdict: Option<String>,
    closed_at: Option<i64>,
}

impl GapRow {
    fn place(&self) -> Place<i64> {
        Place::new("inbox_gap", self.gap_id)
    }

    fn range(&self) -> IdRange {
        IdRange { first: MsgId(self.first_id), last: MsgId(self.last_id) }
    }

    fn open(self) -> Result<OpenGap, StoreError> {
        let first_seen = self.place().time("first_seen", self.first_seen)?;
        Ok(OpenGap { range: self.range(), first_seen, server: self.server_id })
    }

    fn closed(self) -> Result<ClosedGap, StoreError> {
        let place = self.place();
        let closed_at = self.closed_at.ok_or_else(|| place.corrupt("closed_at", "NULL in a closed gap"))?;
        let verdict = self.verdict.as_deref().unwrap_or("NULL");
        Ok(ClosedGap {
            range: self.range(),
            first_seen: place.time("first_seen", self.first_seen)?,
            closed_at: place.time("closed_at", closed_at)?,
            verdict: GapVerdict::parse(verdict).ok_or_else(|| place.unknown("verdict", verdict))?,
        })
    }
}

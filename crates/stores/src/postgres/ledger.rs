//! The gap ledger: open ranges, closed ranges, rows found too late.

use chrono::{DateTime, Utc};
use domain::MsgId;
use domain::mailbox::{ClosedGap, GapVerdict, IdRange, OpenGap};
use engine::ports::{Ledger, StoreError};
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, PgTransaction};

use super::cells::Cells;
use super::errors::failed;
use super::sql::named;
use super::times::stored;

const SQL: &str = include_str!("sql/discovery.sql");

pub(super) async fn open_gaps(pool: &PgPool) -> Result<Vec<OpenGap>, StoreError> {
    const OPEN_GAPS: &str = named(SQL, "open_gaps");
    let rows = sqlx::query(OPEN_GAPS).fetch_all(pool).await.map_err(failed)?;
    rows.iter().map(open_gap).collect()
}

fn open_gap(row: &PgRow) -> Result<OpenGap, StoreError> {
    let cells = Cells::new(row, "inbox_gap", "gap_id");
    Ok(OpenGap {
        range: range(&cells)?,
        first_seen: cells.time("first_seen")?,
        server: cells.get("server_id")?,
    })
}

pub(super) async fn closed_gaps(
    pool: &PgPool,
    since: Timestamp,
    limit: usize,
) -> Result<Vec<ClosedGap>, StoreError> {
    const CLOSED_GAPS: &str = named(SQL, "closed_gaps");
    let query = sqlx::query(CLOSED_GAPS).bind(stored(since)).bind(super::numbers::limit(limit));
    let rows = query.fetch_all(pool).await.map_err(failed)?;
    rows.iter().map(closed_gap).collect()
}

fn closed_gap(row: &PgRow) -> Result<ClosedGap, StoreError> {
    let cells = Cells::new(row, "inbox_gap", "gap_id");
    Ok(ClosedGap {
        range: range(&cells)?,
        first_seen: cells.time("first_seen")?,
        closed_at: cells.time("closed_at")?,
        verdict: cells.name("verdict", GapVerdict::parse)?,
    })
}

fn range(cells: &Cells<'_>) -> Result<IdRange, StoreError> {
    Ok(IdRange { first: MsgId(cells.get("first_id")?), last: MsgId(cells.get("last_id")?) })
}

/// Puts `ledger` in the place of the open gaps.
pub(super) async fn replace(transaction: &mut PgTransaction<'_>, ledger: &Ledger) -> Result<(), StoreError> {
    const FORGET_OPEN_GAPS: &str = named(SQL, "forget_open_gaps");
    sqlx::query(FORGET_OPEN_GAPS).execute(&mut **transaction).await.map_err(failed)?;
    insert_gaps(transaction, ledger).await
}

/// Adds ranges; those that are there stay as they are.
pub(super) async fn insert_gaps(
    transaction: &mut PgTransaction<'_>,
    ledger: &Ledger,
) -> Result<(), StoreError> {
    const INSERT_GAPS: &str = named(SQL, "insert_gaps");
    let mut columns = GapColumns::default();
    for gap in &ledger.open {
        columns.push("OPEN", gap.range, gap.first_seen, &gap.server, None);
    }
    for gap in &ledger.closed {
        columns.push("CLOSED", gap.range, gap.first_seen, "", Some((gap.verdict, gap.closed_at)));
    }
    if columns.states.is_empty() {
        return Ok(());
    }
    let insert = sqlx::query(INSERT_GAPS)
        .bind(columns.states)
        .bind(columns.firsts)
        .bind(columns.lasts)
        .bind(columns.first_seen)
        .bind(columns.servers)
        .bind(columns.verdicts)
        .bind(columns.closed_at);
    insert.execute(&mut **transaction).await.map_err(failed)?;
    Ok(())
}

/// Ranges to insert, a vector per column.
#[derive(Default)]
struct GapColumns {
    states: Vec<&'static str>,
    firsts: Vec<i64>,
    lasts: Vec<i64>,
    first_seen: Vec<DateTime<Utc>>,
    servers: Vec<String>,
    verdicts: Vec<Option<&'static str>>,
    closed_at: Vec<Option<DateTime<Utc>>>,
}

impl GapColumns {
    fn push(
        &mut self,
        state: &'static str,
        range: IdRange,
        first_seen: Timestamp,
        server: &str,
        closed: Option<(GapVerdict, Timestamp)>,
    ) {
        self.states.push(state);
        self.firsts.push(range.first.0);
        self.lasts.push(range.last.0);
        self.first_seen.push(stored(first_seen));
        self.servers.push(server.to_owned());
        self.verdicts.push(closed.map(|(verdict, _)| verdict.as_str()));
        self.closed_at.push(closed.map(|(_, at)| stored(at)));
    }
}

pub(super) async fn record_late(
    pool: &PgPool,
    ids: &[MsgId],
    at: Timestamp,
) -> Result<Vec<MsgId>, StoreError> {
    const RECORD_LATE: &str = named(SQL, "record_late");
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let insert = sqlx::query_scalar(RECORD_LATE).bind(ids).bind(stored(at));
    let mut noted: Vec<i64> = insert.fetch_all(pool).await.map_err(failed)?;
    noted.sort_unstable();
    Ok(noted.into_iter().map(MsgId).collect())
}

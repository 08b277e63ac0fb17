//! Watermark, arrivals, gap ledger.

use domain::mailbox::{ClosedGap, GapVerdict, IdRange, OpenGap};
use domain::message::StoredBody;
use domain::{Epoch, MsgId};
use engine::ports::{Cursor, Enqueue, Landed, Ledger, StoreError};
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, PgTransaction};

use super::errors::failed;
use super::rows::Cells;
use super::sql::named;
use super::times::stored;
use super::transaction::{begin, end, fence};
use crate::raw;

const SQL: &str = include_str!("sql/discovery.sql");

pub(super) async fn cursor(pool: &PgPool) -> Result<Option<Cursor>, StoreError> {
    const CURSOR: &str = named(SQL, "cursor");
    let watermark: Option<i64> = sqlx::query_scalar(CURSOR).fetch_optional(pool).await.map_err(failed)?;
    Ok(watermark.map(|watermark| Cursor { watermark: MsgId(watermark) }))
}

pub(super) async fn start_at(
    pool: &PgPool,
    epoch: Epoch,
    watermark: MsgId,
    at: Timestamp,
) -> Result<(), StoreError> {
    let mut transaction = begin(pool).await?;
    let outcome = write_start(&mut transaction, epoch, watermark, at).await;
    end(transaction, outcome).await
}

async fn write_start(
    transaction: &mut PgTransaction<'_>,
    epoch: Epoch,
    watermark: MsgId,
    at: Timestamp,
) -> Result<(), StoreError> {
    const START_AT: &str = named(SQL, "start_at");
    fence(transaction, epoch).await?;
    let start = sqlx::query(START_AT).bind(watermark.0).bind(stored(at));
    let is_first = start.execute(&mut **transaction).await.map_err(failed)?.rows_affected() == 1;
    if !is_first || watermark.0 < 1 {
        return Ok(());
    }
    let range = IdRange { first: MsgId(1), last: watermark };
    let before = ClosedGap { range, first_seen: at, closed_at: at, verdict: GapVerdict::BeforeStart };
    insert_gaps(transaction, &Ledger { open: Vec::new(), closed: vec![before] }).await
}

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
    let query = sqlx::query(CLOSED_GAPS).bind(stored(since)).bind(super::limit(limit));
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

pub(super) async fn enqueue(
    pool: &PgPool,
    epoch: Epoch,
    enqueue: &Enqueue,
) -> Result<Vec<MsgId>, StoreError> {
    assert!(enqueue.to >= enqueue.from, "the watermark never goes back: {enqueue:?}");
    let arrivals = Arrivals::pack(&enqueue.rows)?;
    let mut transaction = begin(pool).await?;
    let outcome = write_arrivals(&mut transaction, epoch, enqueue, arrivals).await;
    end(transaction, outcome).await
}

async fn write_arrivals(
    transaction: &mut PgTransaction<'_>,
    epoch: Epoch,
    enqueue: &Enqueue,
    arrivals: Arrivals,
) -> Result<Vec<MsgId>, StoreError> {
    fence(transaction, epoch).await?;
    move_watermark(transaction, enqueue).await?;
    if let Some(ledger) = &enqueue.ledger {
        const FORGET_OPEN_GAPS: &str = named(SQL, "forget_open_gaps");
        sqlx::query(FORGET_OPEN_GAPS).execute(&mut **transaction).await.map_err(failed)?;
        insert_gaps(transaction, ledger).await?;
    }
    if arrivals.ids.is_empty() {
        Ok(Vec::new())
    } else {
        insert_arrivals(transaction, enqueue, arrivals).await
    }
}

async fn move_watermark(transaction: &mut PgTransaction<'_>, enqueue: &Enqueue) -> Result<(), StoreError> {
    const ADVANCE: &str = named(SQL, "advance");
    let moved = sqlx::query(ADVANCE).bind(enqueue.from.0).bind(enqueue.to.0).bind(stored(enqueue.at));
    if moved.execute(&mut **transaction).await.map_err(failed)?.rows_affected() == 1 {
        Ok(())
    } else {
        Err(StoreError::Conflict(format!("the watermark is no longer {}", enqueue.from)))
    }
}

/// Rows to insert, a vector per column.
#[derive(Default)]
struct Arrivals {
    ids: Vec<i64>,
    sha256: Vec<Option<[u8; 32]>>,
    lengths: Vec<i64>,
    bodies: Vec<Option<Vec<u8>>>,
    absences: Vec<Option<&'static str>>,
}

impl Arrivals {
    fn pack(rows: &[Landed]) -> Result<Self, StoreError> {
        let mut arrivals = Self::default();
        for row in rows {
            let (sha256, length, body, absence) = match &row.body {
                StoredBody::Bytes(bytes) => {
                    let packed =
                        raw::pack(bytes).map_err(|error| StoreError::Unavailable(error.to_string()))?;
                    (Some(raw::digest(bytes)), bytes.len() as u64, Some(packed), None)
                }
                StoredBody::Missing => (None, 0, None, Some("MISSING")),
                StoredBody::Oversized { length, sha256 } => (Some(*sha256), *length, None, Some("OVERSIZED")),
            };
            arrivals.ids.push(row.id.0);
            arrivals.sha256.push(sha256);
            arrivals.lengths.push(i64::try_from(length).unwrap_or(i64::MAX));
            arrivals.bodies.push(body);
            arrivals.absences.push(absence);
        }
        Ok(arrivals)
    }
}

async fn insert_arrivals(
    transaction: &mut PgTransaction<'_>,
    enqueue: &Enqueue,
    arrivals: Arrivals,
) -> Result<Vec<MsgId>, StoreError> {
    const INSERT_PENDING: &str = named(SQL, "insert_pending");
    const INSERT_RAW: &str = named(SQL, "insert_raw");
    const OTHER_BODIES: &str = named(SQL, "other_bodies");
    let received: Vec<_> = enqueue.rows.iter().map(|row| row.received_at.map(stored)).collect();
    let messages = sqlx::query(INSERT_PENDING).bind(&arrivals.ids).bind(received).bind(stored(enqueue.at));
    messages.execute(&mut **transaction).await.map_err(failed)?;
    let raw = sqlx::query(INSERT_RAW)
        .bind(&arrivals.ids)
        .bind(&arrivals.sha256)
        .bind(&arrivals.lengths)
        .bind(arrivals.bodies)
        .bind(arrivals.absences);
    let inserted = raw.execute(&mut **transaction).await.map_err(failed)?.rows_affected();
    if inserted == arrivals.ids.len() as u64 {
        return Ok(Vec::new());
    }
    let others =
        sqlx::query_scalar(OTHER_BODIES).bind(arrivals.ids).bind(arrivals.sha256).bind(arrivals.lengths);
    let ids: Vec<i64> = others.fetch_all(&mut **transaction).await.map_err(failed)?;
    Ok(ids.into_iter().map(MsgId).collect())
}

async fn insert_gaps(transaction: &mut PgTransaction<'_>, ledger: &Ledger) -> Result<(), StoreError> {
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
    first_seen: Vec<chrono::DateTime<chrono::Utc>>,
    servers: Vec<String>,
    verdicts: Vec<Option<&'static str>>,
    closed_at: Vec<Option<chrono::DateTime<chrono::Utc>>>,
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

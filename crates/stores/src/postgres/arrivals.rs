//! Rows taken up: raw bodies and `proc_state` rows, one statement each.

use domain::MsgId;
use domain::message::StoredBody;
use engine::ports::{Enqueue, Landed, StoreError};
use sqlx::PgTransaction;

use super::errors::failed;
use super::sql::named;
use super::times::stored;
use crate::raw;

const SQL: &str = include_str!("sql/discovery.sql");

/// Rows to insert, a vector per column.
#[derive(Default)]
pub(super) struct Arrivals {
    ids: Vec<i64>,
    sha256: Vec<Option<[u8; 32]>>,
    lengths: Vec<i64>,
    bodies: Vec<Option<Vec<u8>>>,
    absences: Vec<Option<&'static str>>,
}

impl Arrivals {
    /// Compresses the bodies; no transaction is open meanwhile.
    pub(super) fn pack(rows: &[Landed]) -> Result<Self, StoreError> {
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

/// Inserts what isn't there; returns the IDs that were there with another body (PRE-3).
pub(super) async fn insert_arrivals(
    transaction: &mut PgTransaction<'_>,
    enqueue: &Enqueue,
    arrivals: Arrivals,
) -> Result<Vec<MsgId>, StoreError> {
    const INSERT_PENDING: &str = named(SQL, "insert_pending");
    const INSERT_RAW: &str = named(SQL, "insert_raw");
    const OTHER_BODIES: &str = named(SQL, "other_bodies");
    if arrivals.ids.is_empty() {
        return Ok(Vec::new());
    }
    let received: Vec<_> = enqueue.rows.iter().map(|row| row.received_at.map(stored)).collect();
    let messages = sqlx::query(INSERT_PENDING).bind(&arrivals.ids).bind(received).bind(stored(enqueue.at));
    messages.execute(&mut **transaction).await.map_err(failed)?;
    let raw = sqlx::query(INSERT_RAW)
        .bind(&arrivals.ids)
        .bind(&arrivals.sha256)
        .bind(&arrivals.lengths)
        .bind(arrivals.bodies)
        .bind(arrivals.absences)
        .bind(stored(enqueue.at));
    let inserted = raw.execute(&mut **transaction).await.map_err(failed)?.rows_affected();
    if inserted == arrivals.ids.len() as u64 {
        return Ok(Vec::new());
    }
    let others =
        sqlx::query_scalar(OTHER_BODIES).bind(arrivals.ids).bind(arrivals.sha256).bind(arrivals.lengths);
    let ids: Vec<i64> = others.fetch_all(&mut **transaction).await.map_err(failed)?;
    Ok(ids.into_iter().map(MsgId).collect())
}

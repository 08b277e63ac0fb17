//! Raw bodies: kept compressed, told apart by their hash (PRE-3).

use domain::message::StoredBody;
use engine::ports::{Landed, StoreError};
use jiff::Timestamp;
use sqlx::SqliteConnection;

use super::discovery::FILE;
use super::errors::Failure;
use super::micros;
use super::statement::named;
use crate::raw;

pub(super) const INSERT_RAW: &str = named(FILE, "insert_raw");
pub(super) const RAW_IS: &str = named(FILE, "raw_is");

/// Keeps a body; `false` if there is one already and it is another (PRE-3). A body that was
/// NULL has no hash, so it differs from an empty one.
pub(super) async fn keep_raw(
    connection: &mut SqliteConnection,
    landed: &Landed,
    at: Timestamp,
) -> Result<bool, StoreError> {
    let (sha256, length, absence, body) = match &landed.body {
        StoredBody::Bytes(bytes) => {
            let packed = raw::pack(bytes).map_err(|error| {
                StoreError::Unavailable(format!("the body of message {} can't be packed: {error}", landed.id))
            })?;
            (Some(raw::digest(bytes)), bytes.len() as u64, None, Some(packed))
        }
        StoredBody::Missing => (None, 0, Some("MISSING"), None),
        StoredBody::Oversized { length, sha256 } => (Some(*sha256), *length, Some("OVERSIZED"), None),
    };
    let sha256 = sha256.map(Vec::from);
    let kept = sqlx::query(INSERT_RAW)
        .bind(landed.id.0)
        .bind(sha256.clone())
        .bind(i64::try_from(length).unwrap_or(i64::MAX))
        .bind(absence)
        .bind(body)
        .bind(micros(at))
        .execute(&mut *connection)
        .await
        .map_err(StoreError::of)?;
    if kept.rows_affected() == 1 {
        return Ok(true);
    }
    sqlx::query_scalar(RAW_IS)
        .bind(landed.id.0)
        .bind(sha256)
        .fetch_one(connection)
        .await
        .map_err(StoreError::of)
}

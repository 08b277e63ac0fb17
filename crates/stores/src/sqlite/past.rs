//! What is kept of the mailbox's past: bodies to compare with, ranges to look into again.

use domain::MsgId;
use domain::mailbox::{IdRange, KeptBody};
use engine::ports::{StoreError, StorePast};

use super::errors::Failure;
use super::rows::Place;
use super::statement::named;
use super::{SqliteStore, limit};

const FILE: &str = include_str!("sql/past.sql");
pub(super) const NEWEST_BODIES: &str = named(FILE, "newest_bodies");
pub(super) const RELEASED_GAPS: &str = named(FILE, "released_gaps");

impl StorePast for SqliteStore {
    async fn newest_bodies(&self, most: usize) -> Result<Vec<KeptBody>, StoreError> {
        let rows: Vec<(i64, i64, Option<Vec<u8>>)> = sqlx::query_as(NEWEST_BODIES)
            .bind(limit(most))
            .fetch_all(self.database.readers())
            .await
            .map_err(StoreError::of)?;
        rows.into_iter().map(kept).collect()
    }

    async fn released_gaps(&self, from: MsgId, most: usize) -> Result<Vec<IdRange>, StoreError> {
        let ranges: Vec<(i64, i64)> = sqlx::query_as(RELEASED_GAPS)
            .bind(from.0)
            .bind(limit(most))
            .fetch_all(self.database.readers())
            .await
            .map_err(StoreError::of)?;
        Ok(ranges
            .into_iter()
            .map(|(first, last)| IdRange { first: MsgId(first), last: MsgId(last) })
            .collect())
    }
}

fn kept((msg_id, enqueued_at, sha256): (i64, i64, Option<Vec<u8>>)) -> Result<KeptBody, StoreError> {
    let place = Place::new("msg_raw", msg_id);
    let enqueued_at = place.time("enqueued_at", enqueued_at)?;
    let sha256 = place.hash_if_any("sha256", sha256.as_deref())?;
    Ok(KeptBody { msg_id: MsgId(msg_id), enqueued_at, sha256 })
}

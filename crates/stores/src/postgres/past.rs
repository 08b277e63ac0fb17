//! What is kept of the mailbox's past: bodies to compare with, ranges to look into again.

use domain::MsgId;
use domain::mailbox::{IdRange, KeptBody};
use engine::ports::{StoreError, StorePast};

use super::PostgresStore;
use super::cells::Cells;
use super::errors::failed;
use super::numbers::limit;
use super::sql::named;

const SQL: &str = include_str!("sql/past.sql");

impl StorePast for PostgresStore {
    async fn newest_bodies(&self, most: usize) -> Result<Vec<KeptBody>, StoreError> {
        const NEWEST_BODIES: &str = named(SQL, "newest_bodies");
        let rows =
            sqlx::query(NEWEST_BODIES).bind(limit(most)).fetch_all(&self.pool).await.map_err(failed)?;
        let kept = |row| {
            let cells = Cells::new(row, "msg_raw", "msg_id");
            let sha256: Option<Vec<u8>> = cells.get("sha256")?;
            let sha256 = sha256.map(|hash| {
                let length = hash.len();
                hash.try_into().map_err(|_| cells.corrupt("sha256", format!("{length} bytes")))
            });
            Ok(KeptBody {
                msg_id: MsgId(cells.get("msg_id")?),
                enqueued_at: cells.time("enqueued_at")?,
                sha256: sha256.transpose()?,
            })
        };
        rows.iter().map(kept).collect()
    }

    async fn released_gaps(&self, from: MsgId, most: usize) -> Result<Vec<IdRange>, StoreError> {
        const RELEASED_GAPS: &str = named(SQL, "released_gaps");
        let query = sqlx::query_as(RELEASED_GAPS).bind(from.0).bind(limit(most));
        let ranges: Vec<(i64, i64)> = query.fetch_all(&self.pool).await.map_err(failed)?;
        Ok(ranges
            .into_iter()
            .map(|(first, last)| IdRange { first: MsgId(first), last: MsgId(last) })
            .collect())
    }
}

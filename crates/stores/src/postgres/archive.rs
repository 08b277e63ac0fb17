//! Messages that are over, and dead letters that come back (INV-9, C-16).

use domain::message::State;
use domain::{Epoch, MsgId};
use engine::ports::{Archivable, Archive, ArchivePlace, Old, StoreError};
use jiff::Timestamp;
use sqlx::postgres::PgRow;
use sqlx::{PgPool, PgTransaction};

use super::PostgresStore;
use super::cells::Cells;
use super::errors::failed;
use super::retention::{self, Forget};
use super::settle::all_or_conflict;
use super::sql::named;
use super::times::stored;
use super::transaction::{begin, end, fence};

const SQL: &str = include_str!("sql/archive.sql");

impl Archive for PostgresStore {
    async fn archivable(
        &self,
        before: Timestamp,
        after: Option<ArchivePlace>,
        limit: usize,
    ) -> Result<Vec<Archivable>, StoreError> {
        archivable(&self.pool, before, after, limit).await
    }

    async fn archive(&self, epoch: Epoch, seen: &[Archivable], at: Timestamp) -> Result<u64, StoreError> {
        let mut transaction = begin(&self.pool).await?;
        let outcome = move_away(&mut transaction, epoch, seen, at).await;
        end(transaction, outcome).await
    }

    async fn restore(&self, ids: &[MsgId]) -> Result<Vec<MsgId>, StoreError> {
        let mut transaction = begin(&self.pool).await?;
        let outcome = restore(&mut transaction, ids).await;
        end(transaction, outcome).await
    }

    async fn forget_archived(&self, epoch: Epoch, old: Old, limit: usize) -> Result<u64, StoreError> {
        retention::forget(&self.pool, epoch, Forget::Archived(old), limit).await
    }

    async fn forget_shadows(&self, epoch: Epoch, old: Old, limit: usize) -> Result<u64, StoreError> {
        retention::forget(&self.pool, epoch, Forget::Shadows(old), limit).await
    }
}

async fn archivable(
    pool: &PgPool,
    before: Timestamp,
    after: Option<ArchivePlace>,
    limit: usize,
) -> Result<Vec<Archivable>, StoreError> {
    const ARCHIVABLE: &str = named(SQL, "archivable");
    let after = after.unwrap_or(ArchivePlace { at: Timestamp::MIN, msg_id: MsgId(i64::MIN) });
    let query = sqlx::query(ARCHIVABLE)
        .bind(stored(before))
        .bind(stored(after.at))
        .bind(after.msg_id.0)
        .bind(super::numbers::limit(limit));
    let rows = query.fetch_all(pool).await.map_err(failed)?;
    rows.iter().map(seen).collect()
}

fn seen(row: &PgRow) -> Result<Archivable, StoreError> {
    let cells = Cells::new(row, "proc_state", "msg_id");
    Ok(Archivable {
        msg_id: MsgId(cells.get("msg_id")?),
        state: cells.name("state", State::parse)?,
        updated_at: cells.time("updated_at")?,
    })
}

async fn move_away(
    transaction: &mut PgTransaction<'_>,
    epoch: Epoch,
    seen: &[Archivable],
    at: Timestamp,
) -> Result<u64, StoreError> {
    const COPY_TO_ARCHIVE: &str = named(SQL, "copy_to_archive");
    const LEAVE_SHADOWS: &str = named(SQL, "leave_shadows");
    fence(transaction, epoch).await?;
    let held = hold(transaction, seen).await?;
    if held.is_empty() {
        return Ok(0);
    }
    let ids: Vec<i64> = held.iter().map(|one| one.msg_id.0).collect();
    let copy = sqlx::query(COPY_TO_ARCHIVE).bind(&ids).bind(stored(at));
    copy.execute(&mut **transaction).await.map_err(failed)?;
    let leave = sqlx::query(LEAVE_SHADOWS)
        .bind(ids)
        .bind(held.iter().map(|one| one.state.as_str()).collect::<Vec<_>>())
        .bind(held.iter().map(|one| stored(one.updated_at)).collect::<Vec<_>>())
        .bind(stored(at));
    let left = leave.execute(&mut **transaction).await.map_err(failed)?.rows_affected();
    all_or_conflict(left, held.len(), "messages changed while they were held")?;
    Ok(left)
}

/// Locks those that are as they were seen, and passes by what others hold.
async fn hold(
    transaction: &mut PgTransaction<'_>,
    seen: &[Archivable],
) -> Result<Vec<Archivable>, StoreError> {
    const HOLD_FOR_ARCHIVE: &str = named(SQL, "hold_for_archive");
    let ids: Vec<i64> = seen.iter().map(|one| one.msg_id.0).collect();
    let rows = sqlx::query(HOLD_FOR_ARCHIVE).bind(ids).fetch_all(&mut **transaction).await.map_err(failed)?;
    let mut held = Vec::new();
    for row in &rows {
        let now = self::seen(row)?;
        let settled: bool = Cells::new(row, "proc_state", "msg_id").get("settled")?;
        if settled && seen.contains(&now) {
            held.push(now);
        }
    }
    Ok(held)
}

/// For whoever replays in the same transaction: the shadows are locked before anything is read of the
/// archive, in the order of their IDs.
pub(super) async fn restore(
    transaction: &mut PgTransaction<'_>,
    ids: &[MsgId],
) -> Result<Vec<MsgId>, StoreError> {
    const HOLD_SHADOWS: &str = named(SQL, "hold_shadows");
    const RESTORE: &str = named(SQL, "restore");
    const LEAVE_ARCHIVE: &str = named(SQL, "leave_archive");
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let held = sqlx::query_as(HOLD_SHADOWS).bind(ids);
    let held: Vec<(i64, String)> = held.fetch_all(&mut **transaction).await.map_err(failed)?;
    let is_shadow = |(id, state): (i64, String)| (state == State::Archived.as_str()).then_some(id);
    let shadows: Vec<i64> = held.into_iter().filter_map(is_shadow).collect();
    if shadows.is_empty() {
        return Ok(Vec::new());
    }
    sqlx::query(RESTORE).bind(&shadows).execute(&mut **transaction).await.map_err(failed)?;
    let left = sqlx::query_scalar(LEAVE_ARCHIVE).bind(shadows);
    let mut restored: Vec<i64> = left.fetch_all(&mut **transaction).await.map_err(failed)?;
    restored.sort_unstable();
    Ok(restored.into_iter().map(MsgId).collect())
}

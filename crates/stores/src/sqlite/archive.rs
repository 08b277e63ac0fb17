//! Messages that are over, and dead letters that come back (INV-9, C-16).

use domain::{Epoch, MsgId};
use engine::ports::{Archivable, Archive, ArchivePlace, Old, StoreError};
use jiff::Timestamp;
use serde_json::json;
use sqlx::SqliteConnection;

use super::database::{Database, finish};
use super::errors::Failure;
use super::leadership::fence;
use super::retention::{Forget, forget};
use super::rows::Place;
use super::settle::all_or_conflict;
use super::statement::named;
use super::{SqliteStore, limit, micros};

const FILE: &str = include_str!("sql/archive.sql");
pub(super) const ARCHIVABLE: &str = named(FILE, "archivable");
pub(super) const COPY_TO_ARCHIVE: &str = named(FILE, "copy_to_archive");
pub(super) const LEAVE_SHADOWS: &str = named(FILE, "leave_shadows");
pub(super) const RESTORE: &str = named(FILE, "restore");
pub(super) const LEAVE_ARCHIVE: &str = named(FILE, "leave_archive");

impl Archive for SqliteStore {
    async fn archivable(
        &self,
        before: Timestamp,
        after: Option<ArchivePlace>,
        most: usize,
    ) -> Result<Vec<Archivable>, StoreError> {
        archivable(&self.database, before, after, most).await
    }

    async fn archive(&self, epoch: Epoch, seen: &[Archivable], at: Timestamp) -> Result<u64, StoreError> {
        let mut transaction = self.database.write().await?;
        let result = move_away(&mut transaction, epoch, seen, at).await;
        finish(transaction, result).await
    }

    async fn restore(&self, ids: &[MsgId]) -> Result<Vec<MsgId>, StoreError> {
        let mut transaction = self.database.write().await?;
        let result = restore(&mut transaction, ids).await;
        finish(transaction, result).await
    }

    async fn forget_archived(&self, epoch: Epoch, old: Old, most: usize) -> Result<u64, StoreError> {
        forget(&self.database, epoch, Forget::Archived(old), most).await
    }

    async fn forget_shadows(&self, epoch: Epoch, old: Old, most: usize) -> Result<u64, StoreError> {
        forget(&self.database, epoch, Forget::Shadows(old), most).await
    }
}

#[derive(sqlx::FromRow)]
struct SeenRow {
    msg_id: i64,
    state: String,
    updated_at: i64,
}

impl TryFrom<SeenRow> for Archivable {
    type Error = StoreError;

    fn try_from(row: SeenRow) -> Result<Self, StoreError> {
        let place = Place::new("proc_state", row.msg_id);
        Ok(Self {
            msg_id: MsgId(row.msg_id),
            state: place.state(&row.state)?,
            updated_at: place.time("updated_at", row.updated_at)?,
        })
    }
}

async fn archivable(
    database: &Database,
    before: Timestamp,
    after: Option<ArchivePlace>,
    most: usize,
) -> Result<Vec<Archivable>, StoreError> {
    let after = after.unwrap_or(ArchivePlace { at: Timestamp::MIN, msg_id: MsgId(i64::MIN) });
    let rows: Vec<SeenRow> = sqlx::query_as(ARCHIVABLE)
        .bind(micros(before))
        .bind(micros(after.at))
        .bind(after.msg_id.0)
        .bind(limit(most))
        .fetch_all(database.readers())
        .await
        .map_err(StoreError::of)?;
    rows.into_iter().map(Archivable::try_from).collect()
}

/// The write lock keeps everybody else out: what is copied is what becomes a shadow.
async fn move_away(
    connection: &mut SqliteConnection,
    epoch: Epoch,
    seen: &[Archivable],
    at: Timestamp,
) -> Result<u64, StoreError> {
    fence(connection, epoch).await?;
    let rows = seen.iter().map(|one| (one.msg_id.0, one.state.as_str(), micros(one.updated_at)));
    let rows = json!(rows.collect::<Vec<_>>()).to_string();
    let copied = on_rows(connection, COPY_TO_ARCHIVE, &rows, at).await?;
    let left = on_rows(connection, LEAVE_SHADOWS, &rows, at).await?;
    all_or_conflict(left, usize::try_from(copied).unwrap_or(usize::MAX), "messages were copied only")?;
    Ok(left)
}

async fn on_rows(
    connection: &mut SqliteConnection,
    statement: &'static str,
    rows: &str,
    at: Timestamp,
) -> Result<u64, StoreError> {
    let write = sqlx::query(statement).bind(rows).bind(micros(at)).execute(connection);
    Ok(write.await.map_err(StoreError::of)?.rows_affected())
}

/// For whoever replays in the same transaction.
pub(super) async fn restore(
    connection: &mut SqliteConnection,
    ids: &[MsgId],
) -> Result<Vec<MsgId>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let back = sqlx::query_scalar(RESTORE).bind(json!(ids).to_string());
    let mut restored: Vec<i64> = back.fetch_all(&mut *connection).await.map_err(StoreError::of)?;
    restored.sort_unstable();
    let leave = sqlx::query(LEAVE_ARCHIVE).bind(json!(restored).to_string());
    leave.execute(connection).await.map_err(StoreError::of)?;
    Ok(restored.into_iter().map(MsgId).collect())
}

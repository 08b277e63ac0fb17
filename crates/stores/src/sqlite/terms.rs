//! How terms end, and the message that is tried alone after an unclean end.

use domain::{Epoch, MsgId};
use engine::ports::{LastEnd, LoneTries, StoreError};
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Sqlite, SqliteConnection};

use super::SqliteStore;
use super::database::finish;
use super::errors::Failure;
use super::leadership::fence;
use super::rows::Place;
use super::statement::named;

const FILE: &str = include_str!("sql/terms.sql");
pub(super) const OPEN_TERM: &str = named(FILE, "open_term");
pub(super) const CLOSE_TERM: &str = named(FILE, "close_term");
pub(super) const NOTE_LONE_TRY: &str = named(FILE, "note_lone_try");
pub(super) const LONE_TRY: &str = named(FILE, "lone_try");
pub(super) const FORGET_LONE_TRY: &str = named(FILE, "forget_lone_try");

impl LoneTries for SqliteStore {
    async fn open_term(&self, epoch: Epoch) -> Result<LastEnd, StoreError> {
        let mut transaction = self.database.write().await?;
        let result = open_term(&mut transaction, epoch).await;
        finish(transaction, result).await
    }

    async fn close_term(&self, epoch: Epoch) -> Result<(), StoreError> {
        self.write_fenced(epoch, sqlx::query(CLOSE_TERM).bind(epoch.0)).await
    }

    async fn note_lone_try(&self, epoch: Epoch, msg_id: MsgId) -> Result<u32, StoreError> {
        let mut transaction = self.database.write().await?;
        let result = note_lone_try(&mut transaction, epoch, msg_id).await;
        finish(transaction, result).await
    }

    async fn lone_try(&self) -> Result<Option<(MsgId, u32)>, StoreError> {
        let query = sqlx::query_as(LONE_TRY).fetch_optional(self.database.readers());
        let row: Option<(i64, i64)> = query.await.map_err(StoreError::of)?;
        let place = Place::new("pipeline_term", "pipeline");
        row.map(|(id, tries)| Ok((MsgId(id), place.count("lone_tries", tries)?))).transpose()
    }

    async fn forget_lone_try(&self, epoch: Epoch) -> Result<(), StoreError> {
        self.write_fenced(epoch, sqlx::query(FORGET_LONE_TRY)).await
    }
}

impl SqliteStore {
    async fn write_fenced(
        &self,
        epoch: Epoch,
        write: Query<'_, Sqlite, SqliteArguments>,
    ) -> Result<(), StoreError> {
        let mut transaction = self.database.write().await?;
        let result = match fence(&mut transaction, epoch).await {
            Ok(()) => write.execute(&mut *transaction).await.map(|_| ()).map_err(StoreError::of),
            Err(error) => Err(error),
        };
        finish(transaction, result).await
    }
}

async fn open_term(connection: &mut SqliteConnection, epoch: Epoch) -> Result<LastEnd, StoreError> {
    fence(connection, epoch).await?;
    let open = sqlx::query_scalar(OPEN_TERM).bind(epoch.0);
    let follows_unclean: bool = open.fetch_one(connection).await.map_err(StoreError::of)?;
    Ok(if follows_unclean { LastEnd::Unclean } else { LastEnd::Clean })
}

async fn note_lone_try(
    connection: &mut SqliteConnection,
    epoch: Epoch,
    msg_id: MsgId,
) -> Result<u32, StoreError> {
    fence(connection, epoch).await?;
    let note = sqlx::query_scalar(NOTE_LONE_TRY).bind(msg_id.0);
    let tries: i64 = note.fetch_one(connection).await.map_err(StoreError::of)?;
    Place::new("pipeline_term", "pipeline").count("lone_tries", tries)
}

//! How terms end, and the message that is tried alone after an unclean end.

use domain::{Epoch, MsgId};
use engine::ports::{LastEnd, LoneTries, StoreError};
use sqlx::PgTransaction;
use sqlx::postgres::{PgArguments, Postgres};
use sqlx::query::Query;

use super::PostgresStore;
use super::cells::Cells;
use super::errors::failed;
use super::sql::named;
use super::transaction::{begin, end, fence};

const SQL: &str = include_str!("sql/terms.sql");
const OPEN_TERM: &str = named(SQL, "open_term");
const CLOSE_TERM: &str = named(SQL, "close_term");
const NOTE_LONE_TRY: &str = named(SQL, "note_lone_try");
const LONE_TRY: &str = named(SQL, "lone_try");
const FORGET_LONE_TRY: &str = named(SQL, "forget_lone_try");

impl LoneTries for PostgresStore {
    async fn open_term(&self, epoch: Epoch) -> Result<LastEnd, StoreError> {
        let mut transaction = begin(&self.pool).await?;
        let outcome = open_term(&mut transaction, epoch).await;
        end(transaction, outcome).await
    }

    async fn close_term(&self, epoch: Epoch) -> Result<(), StoreError> {
        self.write_fenced(epoch, sqlx::query(CLOSE_TERM).bind(epoch.0)).await
    }

    async fn note_lone_try(&self, epoch: Epoch, msg_id: MsgId) -> Result<u32, StoreError> {
        let mut transaction = begin(&self.pool).await?;
        let outcome = note_lone_try(&mut transaction, epoch, msg_id).await;
        end(transaction, outcome).await
    }

    async fn lone_try(&self) -> Result<Option<(MsgId, u32)>, StoreError> {
        let row = sqlx::query(LONE_TRY).fetch_optional(&self.pool).await.map_err(failed)?;
        let Some(row) = row else { return Ok(None) };
        let cells = Cells::new(&row, "pipeline_term", "lone_msg_id");
        Ok(Some((MsgId(cells.get("lone_msg_id")?), cells.small_count("lone_tries")?)))
    }

    async fn forget_lone_try(&self, epoch: Epoch) -> Result<(), StoreError> {
        self.write_fenced(epoch, sqlx::query(FORGET_LONE_TRY)).await
    }
}

impl PostgresStore {
    async fn write_fenced(
        &self,
        epoch: Epoch,
        write: Query<'_, Postgres, PgArguments>,
    ) -> Result<(), StoreError> {
        let mut transaction = begin(&self.pool).await?;
        let outcome = match fence(&mut transaction, epoch).await {
            Ok(()) => write.execute(&mut *transaction).await.map(|_| ()).map_err(failed),
            Err(error) => Err(error),
        };
        end(transaction, outcome).await
    }
}

async fn open_term(transaction: &mut PgTransaction<'_>, epoch: Epoch) -> Result<LastEnd, StoreError> {
    fence(transaction, epoch).await?;
    let open = sqlx::query_scalar(OPEN_TERM).bind(epoch.0);
    let follows_unclean: bool = open.fetch_one(&mut **transaction).await.map_err(failed)?;
    Ok(if follows_unclean { LastEnd::Unclean } else { LastEnd::Clean })
}

async fn note_lone_try(
    transaction: &mut PgTransaction<'_>,
    epoch: Epoch,
    msg_id: MsgId,
) -> Result<u32, StoreError> {
    fence(transaction, epoch).await?;
    let note = sqlx::query(NOTE_LONE_TRY).bind(msg_id.0);
    let row = note.fetch_one(&mut **transaction).await.map_err(failed)?;
    Cells::new(&row, "pipeline_term", "lone_tries").small_count("lone_tries")
}

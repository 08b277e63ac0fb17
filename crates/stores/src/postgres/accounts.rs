//! Messages as the comparison with the mailbox wants them.

use domain::MsgId;
use domain::mailbox::IdRange;
use domain::message::State;
use domain::reconcile::{Account, MarkKept};
use engine::ports::{Accounts, StoreError};
use jiff::Timestamp;
use sqlx::postgres::PgRow;

use super::PostgresStore;
use super::cells::Cells;
use super::errors::failed;
use super::numbers::limit;
use super::sql::named;
use super::times::stored;

const SQL: &str = include_str!("sql/accounts.sql");

impl Accounts for PostgresStore {
    async fn accounts(
        &self,
        range: IdRange,
        told_since: Timestamp,
        most: usize,
    ) -> Result<Vec<Account>, StoreError> {
        const ACCOUNTS: &str = named(SQL, "accounts");
        let query = sqlx::query(ACCOUNTS).bind(range.first.0).bind(range.last.0);
        let query = query.bind(stored(told_since)).bind(limit(most));
        query.fetch_all(&self.views).await.map_err(failed)?.iter().map(account).collect()
    }

    async fn left_out(&self, ids: &[MsgId]) -> Result<Vec<MsgId>, StoreError> {
        const LEFT_OUT: &str = named(SQL, "left_out");
        let query = sqlx::query_scalar(LEFT_OUT).bind(ids.iter().map(|id| id.0).collect::<Vec<_>>());
        let ids: Vec<i64> = query.fetch_all(&self.views).await.map_err(failed)?;
        Ok(ids.into_iter().map(MsgId).collect())
    }
}

fn account(row: &PgRow) -> Result<Account, StoreError> {
    let cells = Cells::new(row, "proc_state", "msg_id");
    let count = cells.count("untold")?;
    Ok(Account {
        msg_id: MsgId(cells.get("msg_id")?),
        state: cells.name("state", State::parse)?,
        mark: MarkKept::of(cells.get("is_marked")?, cells.get("reason")?),
        enqueued_at: cells.time("enqueued_at")?,
        has_body: cells.get("has_body")?,
        untold: u32::try_from(count).unwrap_or(u32::MAX),
    })
}

//! Messages as the comparison with the mailbox wants them.

use domain::MsgId;
use domain::mailbox::IdRange;
use domain::reconcile::{Account, MarkKept};
use engine::ports::{Accounts, StoreError};
use jiff::Timestamp;
use serde_json::json;

use super::errors::Failure;
use super::rows::Place;
use super::statement::named;
use super::{SqliteStore, limit, micros};

const FILE: &str = include_str!("sql/accounts.sql");
pub(super) const ACCOUNTS: &str = named(FILE, "accounts");
pub(super) const LEFT_OUT: &str = named(FILE, "left_out");

impl Accounts for SqliteStore {
    async fn accounts(
        &self,
        range: IdRange,
        told_since: Timestamp,
        most: usize,
    ) -> Result<Vec<Account>, StoreError> {
        let query = sqlx::query_as(ACCOUNTS).bind(range.first.0).bind(range.last.0);
        let query = query.bind(micros(told_since)).bind(limit(most));
        let rows: Vec<AccountRow> = query.fetch_all(self.database.readers()).await.map_err(StoreError::of)?;
        rows.into_iter().map(Account::try_from).collect()
    }

    async fn left_out(&self, ids: &[MsgId]) -> Result<Vec<MsgId>, StoreError> {
        let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
        let query = sqlx::query_scalar(LEFT_OUT).bind(json!(ids).to_string());
        let ids: Vec<i64> = query.fetch_all(self.database.readers()).await.map_err(StoreError::of)?;
        Ok(ids.into_iter().map(MsgId).collect())
    }
}

#[derive(sqlx::FromRow)]
struct AccountRow {
    msg_id: i64,
    state: String,
    enqueued_at: i64,
    is_marked: bool,
    reason: Option<String>,
    has_body: bool,
    untold: i64,
}

impl TryFrom<AccountRow> for Account {
    type Error = StoreError;

    fn try_from(row: AccountRow) -> Result<Self, StoreError> {
        let place = Place::new("proc_state", row.msg_id);
        Ok(Self {
            msg_id: MsgId(row.msg_id),
            state: place.state(&row.state)?,
            mark: MarkKept::of(row.is_marked, row.reason.as_deref()),
            enqueued_at: place.time("enqueued_at", row.enqueued_at)?,
            has_body: row.has_body,
            untold: place.count("untold", row.untold)?,
        })
    }
}

//! Messages for people: first IDs, a bounded number by one index, then their rows.

use domain::MsgId;
use domain::message::{ErrorClass, IdentityKey, State};
use engine::ports::{
    AttemptLog, ChangeView, EventView, MessagePage, MessageRecord, Messages, RawBody, Sought, Source,
    StoreError,
};
use serde_json::json;
use sqlx::Sqlite;
use sqlx::query::QueryScalar;
use sqlx::sqlite::SqliteArguments;

use super::errors::Failure;
use super::message_rows::{EventRow, RawRow, RecordRow};
use super::statement::named;
use super::views::ChangeRow;
use super::{SqliteStore, limit, micros};

const FILE: &str = include_str!("sql/messages.sql");
pub(super) const NEWEST_IDS: &str = named(FILE, "newest_ids");
pub(super) const DEAD_IDS: &str = named(FILE, "dead_ids");
pub(super) const UNFINISHED_IDS: &str = named(FILE, "unfinished_ids");
pub(super) const FAILED_IDS: &str = named(FILE, "failed_ids");
pub(super) const IDS_OF_IDENTITY: &str = named(FILE, "ids_of_identity");
pub(super) const IDS_OF_FLIGHT: &str = named(FILE, "ids_of_flight");
pub(super) const ID_BOUNDS: &str = named(FILE, "id_bounds");
pub(super) const RECORDS: &str = named(FILE, "records");
pub(super) const SHADOW: &str = named(FILE, "shadow");
pub(super) const RAW: &str = named(FILE, "raw");
pub(super) const CHANGES_BY: &str = named(FILE, "changes_by");
pub(super) const EVENTS_BY: &str = named(FILE, "events_by");

impl Messages for SqliteStore {
    async fn messages(&self, sought: &Sought, before: MsgId, most: usize) -> Result<MessagePage, StoreError> {
        let looked_most = sought.looked(most);
        let (before, from) = self.bounds(sought, before).await?;
        let looked = self.ids(&sought.source(), before, from, looked_most).await?;
        let records = self.records(sought, &looked, most).await?;
        Ok(MessagePage::of(records, &looked, looked_most, most))
    }

    async fn record(&self, msg_id: MsgId) -> Result<Option<MessageRecord>, StoreError> {
        let found = self.records(&Sought::default(), &[msg_id], 1).await?;
        if let Some(record) = found.into_iter().next() {
            return Ok(Some(record));
        }
        let query = sqlx::query_as(SHADOW).bind(msg_id.0);
        let row: Option<RecordRow> =
            query.fetch_optional(self.database.readers()).await.map_err(StoreError::of)?;
        row.map(MessageRecord::try_from).transpose()
    }

    async fn attempts(&self, msg_id: MsgId) -> Result<Vec<AttemptLog>, StoreError> {
        super::pump::attempts(&self.database, msg_id).await
    }

    async fn body(&self, msg_id: MsgId) -> Result<Option<RawBody>, StoreError> {
        let query = sqlx::query_as(RAW).bind(msg_id.0);
        let row: Option<RawRow> =
            query.fetch_optional(self.database.readers()).await.map_err(StoreError::of)?;
        row.map(RawBody::try_from).transpose()
    }

    async fn changes_by(&self, msg_id: MsgId, most: usize) -> Result<Vec<ChangeView>, StoreError> {
        let query = sqlx::query_as(CHANGES_BY).bind(msg_id.0).bind(limit(most));
        let rows: Vec<ChangeRow> = query.fetch_all(self.database.readers()).await.map_err(StoreError::of)?;
        rows.into_iter().map(ChangeView::try_from).collect()
    }

    async fn events_by(&self, msg_id: MsgId, most: usize) -> Result<Vec<EventView>, StoreError> {
        let query = sqlx::query_as(EVENTS_BY).bind(msg_id.0).bind(limit(most));
        let rows: Vec<EventRow> = query.fetch_all(self.database.readers()).await.map_err(StoreError::of)?;
        rows.into_iter().map(EventView::try_from).collect()
    }
}

impl SqliteStore {
    /// Below and from which ID messages of the time sought lie.
    async fn bounds(&self, sought: &Sought, before: MsgId) -> Result<(MsgId, MsgId), StoreError> {
        if sought.since.is_none() && sought.until.is_none() {
            return Ok((before, MsgId(i64::MIN)));
        }
        let query = sqlx::query_as(ID_BOUNDS).bind(sought.since.map(micros)).bind(sought.until.map(micros));
        let (lowest, highest): (Option<i64>, Option<i64>) =
            query.fetch_one(self.database.readers()).await.map_err(StoreError::of)?;
        let above = highest.map_or(before, |highest| MsgId(highest.saturating_add(1)));
        Ok((before.min(above), MsgId(lowest.unwrap_or(i64::MIN))))
    }

    async fn ids(
        &self,
        source: &Source<'_>,
        before: MsgId,
        from: MsgId,
        most: usize,
    ) -> Result<Vec<MsgId>, StoreError> {
        let sought = |statement: &'static str| -> QueryScalar<'static, Sqlite, i64, SqliteArguments> {
            sqlx::query_scalar(statement).bind(before.0).bind(from.0).bind(limit(most))
        };
        let queries = match source {
            Source::All => vec![sought(NEWEST_IDS)],
            Source::Identity(IdentityKey(key)) => vec![sought(IDS_OF_IDENTITY).bind(key.clone())],
            Source::Flight(flid) => vec![sought(IDS_OF_FLIGHT).bind(flid.0)],
            Source::States(states) => statements_of(states).into_iter().map(sought).collect(),
        };
        let mut ids = Vec::new();
        for query in queries {
            ids.extend(query.fetch_all(self.database.readers()).await.map_err(StoreError::of)?);
        }
        ids.sort_unstable_by(|one, other| other.cmp(one));
        ids.truncate(most);
        Ok(ids.into_iter().map(MsgId).collect())
    }

    /// The rows of those IDs that are as sought, newest first.
    async fn records(
        &self,
        sought: &Sought,
        ids: &[MsgId],
        most: usize,
    ) -> Result<Vec<MessageRecord>, StoreError> {
        let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
        let query = sqlx::query_as(RECORDS)
            .bind(json!(ids).to_string())
            .bind(sought.state.map(State::as_str))
            .bind(sought.class.map(ErrorClass::as_str))
            .bind(sought.kind.clone())
            .bind(sought.subtype.clone())
            .bind(sought.sender.clone())
            .bind(sought.since.map(micros))
            .bind(sought.until.map(micros))
            .bind(limit(most));
        let rows: Vec<RecordRow> = query.fetch_all(self.database.readers()).await.map_err(StoreError::of)?;
        rows.into_iter().map(MessageRecord::try_from).collect()
    }
}

/// One statement per index.
fn statements_of(states: &[State]) -> Vec<&'static str> {
    if states.contains(&State::Pending) {
        return vec![UNFINISHED_IDS];
    }
    let by_state = [(State::Dead, DEAD_IDS), (State::Failed, FAILED_IDS)];
    by_state.into_iter().filter(|(state, _)| states.contains(state)).map(|(_, statement)| statement).collect()
}

//! Messages for people: first IDs, a bounded number by one index, then their rows.

use domain::MsgId;
use domain::message::{ErrorClass, IdentityKey, State};
use engine::ports::{
    AttemptLog, ChangeView, EventView, MessagePage, MessageRecord, Messages, RawBody, Sought, Source,
    StoreError,
};
use jiff::Timestamp;
use sqlx::postgres::PgRow;

use super::cells::Cells;
use super::errors::failed;
use super::message_rows::{event, raw_body, record};
use super::numbers::limit;
use super::sql::named;
use super::times::stored;
use super::{PostgresStore, flight_views};

const SQL: &str = include_str!("sql/messages.sql");

impl Messages for PostgresStore {
    async fn messages(&self, sought: &Sought, before: MsgId, most: usize) -> Result<MessagePage, StoreError> {
        let looked_most = sought.looked(most);
        let (before, from) = self.bounds(sought, before).await?;
        let looked = self.ids(&sought.source(), before, from, looked_most).await?;
        let records = self.records(sought, &looked, most).await?;
        Ok(MessagePage::of(records, &looked, looked_most, most))
    }

    async fn record(&self, msg_id: MsgId) -> Result<Option<MessageRecord>, StoreError> {
        const SHADOW: &str = named(SQL, "shadow");
        let found = self.records(&Sought::default(), &[msg_id], 1).await?;
        if let Some(record) = found.into_iter().next() {
            return Ok(Some(record));
        }
        let query = sqlx::query(SHADOW).bind(msg_id.0);
        let row = query.fetch_optional(&self.views).await.map_err(failed)?;
        row.as_ref().map(record).transpose()
    }

    async fn attempts(&self, msg_id: MsgId) -> Result<Vec<AttemptLog>, StoreError> {
        super::pump::attempts(&self.views, msg_id).await
    }

    async fn body(&self, msg_id: MsgId) -> Result<Option<RawBody>, StoreError> {
        const RAW: &str = named(SQL, "raw");
        let query = sqlx::query(RAW).bind(msg_id.0);
        let row = query.fetch_optional(&self.views).await.map_err(failed)?;
        row.as_ref().map(raw_body).transpose()
    }

    async fn changes_by(&self, msg_id: MsgId, most: usize) -> Result<Vec<ChangeView>, StoreError> {
        const CHANGES_BY: &str = named(SQL, "changes_by");
        let query = sqlx::query(CHANGES_BY).bind(msg_id.0).bind(limit(most));
        query.fetch_all(&self.views).await.map_err(failed)?.iter().map(flight_views::change).collect()
    }

    async fn events_by(&self, msg_id: MsgId, most: usize) -> Result<Vec<EventView>, StoreError> {
        const EVENTS_BY: &str = named(SQL, "events_by");
        let query = sqlx::query(EVENTS_BY).bind(msg_id.0).bind(limit(most));
        query.fetch_all(&self.views).await.map_err(failed)?.iter().map(event).collect()
    }
}

impl PostgresStore {
    /// Below and from which ID messages of the time sought lie.
    async fn bounds(&self, sought: &Sought, before: MsgId) -> Result<(MsgId, MsgId), StoreError> {
        const ID_BOUNDS: &str = named(SQL, "id_bounds");
        if sought.since.is_none() && sought.until.is_none() {
            return Ok((before, MsgId(i64::MIN)));
        }
        let query = sqlx::query(ID_BOUNDS).bind(sought.since.map(stored)).bind(sought.until.map(stored));
        let row = query.fetch_one(&self.views).await.map_err(failed)?;
        let cells = Cells::new(&row, "msg_raw", "lowest");
        let (lowest, highest): (Option<i64>, Option<i64>) = (cells.get("lowest")?, cells.get("highest")?);
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
        const NEWEST_IDS: &str = named(SQL, "newest_ids");
        const IDS_OF_IDENTITY: &str = named(SQL, "ids_of_identity");
        const IDS_OF_FLIGHT: &str = named(SQL, "ids_of_flight");
        let sought = |statement: &'static str| {
            sqlx::query_scalar::<_, i64>(statement).bind(before.0).bind(from.0).bind(limit(most))
        };
        let queries = match source {
            Source::All => vec![sought(NEWEST_IDS)],
            Source::Identity(IdentityKey(key)) => vec![sought(IDS_OF_IDENTITY).bind(key.clone())],
            Source::Flight(flid) => vec![sought(IDS_OF_FLIGHT).bind(flid.0)],
            Source::States(states) => statements_of(states).into_iter().map(sought).collect(),
        };
        let mut ids = Vec::new();
        for query in queries {
            ids.extend(query.fetch_all(&self.views).await.map_err(failed)?);
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
        const RECORDS: &str = named(SQL, "records");
        let time = |at: Option<Timestamp>| at.map(stored);
        let query = sqlx::query(RECORDS)
            .bind(ids.iter().map(|id| id.0).collect::<Vec<_>>())
            .bind(sought.state.map(State::as_str))
            .bind(sought.class.map(ErrorClass::as_str))
            .bind(sought.kind.as_deref())
            .bind(sought.subtype.as_deref())
            .bind(sought.sender.as_deref())
            .bind(time(sought.since))
            .bind(time(sought.until))
            .bind(limit(most));
        let rows: Vec<PgRow> = query.fetch_all(&self.views).await.map_err(failed)?;
        rows.iter().map(record).collect()
    }
}

/// One statement per index.
fn statements_of(states: &[State]) -> Vec<&'static str> {
    const DEAD_IDS: &str = named(SQL, "dead_ids");
    const UNFINISHED_IDS: &str = named(SQL, "unfinished_ids");
    const FAILED_IDS: &str = named(SQL, "failed_ids");
    if states.contains(&State::Pending) {
        return vec![UNFINISHED_IDS];
    }
    let by_state = [(State::Dead, DEAD_IDS), (State::Failed, FAILED_IDS)];
    by_state.into_iter().filter(|(state, _)| states.contains(state)).map(|(_, statement)| statement).collect()
}

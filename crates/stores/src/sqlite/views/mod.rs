//! Reads for people. Each statement is one snapshot; none is a source for a write (INV-11).

mod facts;
mod flights;
mod message;
mod queue;

use domain::event::Target;
use domain::flight::Flight;
use domain::{Flid, MsgId};
use engine::ports::{
    ChangeView, FiveFacts, GapCount, KindCount, MessageView, OutboxCount, OutcomeCount, PastView, QueueView,
    StoreError, Views,
};
use jiff::civil::Date;

use super::errors::Failure;
use super::flights::FlightRow;
use super::rows::Place;
use super::statement::named;
use super::{SqliteStore, limit};
use facts::{OutcomeRow, five_facts};
pub(super) use flights::ChangeRow;
pub(super) use message::MessageRow;
use queue::queue;

const FILE: &str = include_str!("../sql/views.sql");
pub(super) const FACTS: &str = named(FILE, "facts");
pub(super) const DELIVERED: &str = named(FILE, "delivered");
pub(super) const OUTCOMES: &str = named(FILE, "outcomes");
pub(super) const BACKLOG: &str = named(FILE, "backlog");
pub(super) const FIRST_IN_QUEUE: &str = named(FILE, "first_in_queue");
pub(super) const GAP_COUNT: &str = named(FILE, "gap_count");
pub(super) const OUTBOX: &str = named(FILE, "outbox");
pub(super) const FLIGHTS: &str = named(FILE, "flights");
pub(super) const FLIGHT: &str = named(FILE, "flight");
pub(super) const MESSAGE: &str = named(FILE, "message");
pub(super) const FLIGHTS_OF: &str = named(FILE, "flights_of");
pub(super) const PAST_FLIGHTS_OF: &str = named(FILE, "past_flights_of");
pub(super) const PAST_FLIGHTS: &str = named(FILE, "past_flights");
pub(super) const FLIGHT_CHANGES: &str = named(FILE, "flight_changes");
pub(super) const RELATIVES: &str = named(FILE, "relatives");
pub(super) const MESSAGE_KINDS: &str = named(FILE, "message_kinds");

impl Views for SqliteStore {
    async fn five_facts(&self) -> Result<FiveFacts, StoreError> {
        five_facts(&self.database).await
    }

    async fn outcomes(&self) -> Result<Vec<OutcomeCount>, StoreError> {
        let rows: Vec<OutcomeRow> =
            sqlx::query_as(OUTCOMES).fetch_all(self.database.readers()).await.map_err(StoreError::of)?;
        rows.into_iter().map(OutcomeCount::try_from).collect()
    }

    async fn queue(&self) -> Result<QueueView, StoreError> {
        queue(&self.database).await
    }

    async fn gaps(&self) -> Result<GapCount, StoreError> {
        let row: GapCountRow =
            sqlx::query_as(GAP_COUNT).fetch_one(self.database.readers()).await.map_err(StoreError::of)?;
        let place = Place::new("inbox_gap", "(all)");
        Ok(GapCount {
            open: place.count("gap_id", row.open)?,
            open_ids: place.count("last_id", row.open_ids)?,
            oldest: place.time_if_any("first_seen", row.oldest)?,
            released_ids: place.count("last_id", row.released_ids)?,
            late: place.count("gap_id", row.late)?,
        })
    }

    async fn outbox(&self) -> Result<Vec<OutboxCount>, StoreError> {
        let mut counts = Vec::new();
        for target in Target::ALL {
            let row: OutboxRow = sqlx::query_as(OUTBOX)
                .bind(target.as_str())
                .fetch_one(self.database.readers())
                .await
                .map_err(StoreError::of)?;
            let place = Place::new("msg_event", target.as_str());
            counts.push(OutboxCount {
                target,
                pending: place.count("event_id", row.pending)?,
                dead: place.count("event_id", row.dead)?,
                oldest: place.time_if_any("created_at", row.oldest)?,
            });
        }
        Ok(counts)
    }

    async fn flights(&self, most: usize) -> Result<Vec<Flight>, StoreError> {
        let rows: Vec<FlightRow> = sqlx::query_as(FLIGHTS)
            .bind(limit(most))
            .fetch_all(self.database.readers())
            .await
            .map_err(StoreError::of)?;
        rows.into_iter().map(Flight::try_from).collect()
    }

    async fn flight(&self, flid: Flid) -> Result<Option<Flight>, StoreError> {
        let row: Option<FlightRow> = sqlx::query_as(FLIGHT)
            .bind(flid.0)
            .fetch_optional(self.database.readers())
            .await
            .map_err(StoreError::of)?;
        row.map(Flight::try_from).transpose()
    }

    async fn message(&self, msg_id: MsgId) -> Result<Option<MessageView>, StoreError> {
        let row: Option<MessageRow> = sqlx::query_as(MESSAGE)
            .bind(msg_id.0)
            .fetch_optional(self.database.readers())
            .await
            .map_err(StoreError::of)?;
        row.map(MessageView::try_from).transpose()
    }

    async fn flights_of(&self, day: Date, most: usize) -> Result<Vec<Flight>, StoreError> {
        flights::flights_of(&self.database, day, most).await
    }

    async fn past_flights_of(&self, day: Date, most: usize) -> Result<Vec<PastView>, StoreError> {
        flights::past_flights_of(&self.database, day, most).await
    }

    async fn past_flights(&self, flid: Flid) -> Result<Vec<PastView>, StoreError> {
        flights::past_flights(&self.database, flid).await
    }

    async fn flight_changes(&self, flid: Flid, most: usize) -> Result<Vec<ChangeView>, StoreError> {
        flights::flight_changes(&self.database, flid, most).await
    }

    async fn relatives(&self, flid: Flid) -> Result<Vec<Flight>, StoreError> {
        flights::relatives(&self.database, flid).await
    }

    async fn message_kinds(&self) -> Result<Vec<KindCount>, StoreError> {
        flights::message_kinds(&self.database).await
    }
}

#[derive(sqlx::FromRow)]
struct GapCountRow {
    open: i64,
    open_ids: i64,
    oldest: Option<i64>,
    released_ids: i64,
    late: i64,
}

#[derive(sqlx::FromRow)]
struct OutboxRow {
    pending: i64,
    dead: i64,
    oldest: Option<i64>,
}

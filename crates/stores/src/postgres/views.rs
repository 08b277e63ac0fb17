//! Reads for people, on connections of their own that can't write.

use domain::event::Target;
use domain::flight::Flight;
use domain::{Flid, MsgId};
use engine::ports::{
    ChangeView, FiveFacts, GapCount, KindCount, MessageView, OutboxCount, OutcomeCount, PastView, QueueView,
    StoreError, Views,
};
use jiff::civil::Date;

use super::cells::Cells;
use super::errors::failed;
use super::sql::named;
use super::view_rows::{head_view, message_view, outbox_count, outcome};
use super::{PostgresStore, flight_views, rows};

const SQL: &str = include_str!("sql/views.sql");

impl Views for PostgresStore {
    async fn five_facts(&self) -> Result<FiveFacts, StoreError> {
        const FACTS: &str = named(SQL, "facts");
        let row = sqlx::query(FACTS).fetch_one(&self.views).await.map_err(failed)?;
        let cells = Cells::new(&row, "proc_state", "enqueued");
        Ok(FiveFacts {
            enqueued: cells.count("enqueued")?,
            processed: cells.count("processed")?,
            marked: cells.count("marked")?,
            abandoned: cells.count("abandoned")?,
            delivered: vec![
                (Target::Msg, cells.count("delivered_msg")?),
                (Target::Schd, cells.count("delivered_schd")?),
            ],
        })
    }

    async fn outcomes(&self) -> Result<Vec<OutcomeCount>, StoreError> {
        const OUTCOMES: &str = named(SQL, "outcomes");
        let rows = sqlx::query(OUTCOMES).fetch_all(&self.views).await.map_err(failed)?;
        rows.iter().map(outcome).collect()
    }

    async fn queue(&self) -> Result<QueueView, StoreError> {
        const BACKLOG: &str = named(SQL, "backlog");
        const FIRST_IN_QUEUE: &str = named(SQL, "first_in_queue");
        let head = sqlx::query(FIRST_IN_QUEUE).fetch_optional(&self.views).await.map_err(failed)?;
        let row = sqlx::query(BACKLOG).fetch_one(&self.views).await.map_err(failed)?;
        let cells = Cells::new(&row, "proc_state", "watermark");
        Ok(QueueView {
            watermark: cells.get::<Option<i64>>("watermark")?.map(MsgId),
            head: head.as_ref().map(head_view).transpose()?,
            pending: cells.count("pending")?,
            failed: cells.count("failed")?,
            dead: cells.count("dead")?,
            unmarked: cells.count("unmarked")?,
            oldest_unmarked: cells.maybe_time("oldest_unmarked")?,
        })
    }

    async fn gaps(&self) -> Result<GapCount, StoreError> {
        const GAP_COUNT: &str = named(SQL, "gap_count");
        let row = sqlx::query(GAP_COUNT).fetch_one(&self.views).await.map_err(failed)?;
        let cells = Cells::new(&row, "inbox_gap", "open");
        Ok(GapCount {
            open: cells.count("open")?,
            open_ids: cells.count("open_ids")?,
            oldest: cells.maybe_time("oldest")?,
            released_ids: cells.count("released_ids")?,
            late: cells.count("late")?,
        })
    }

    async fn outbox(&self) -> Result<Vec<OutboxCount>, StoreError> {
        const OUTBOX: &str = named(SQL, "outbox");
        let targets: Vec<&str> = Target::ALL.iter().map(|target| target.as_str()).collect();
        let rows = sqlx::query(OUTBOX).bind(targets).fetch_all(&self.views).await.map_err(failed)?;
        rows.iter().map(outbox_count).collect()
    }

    async fn flights(&self, limit: usize) -> Result<Vec<Flight>, StoreError> {
        const FLIGHTS: &str = named(SQL, "flights");
        let query = sqlx::query(FLIGHTS).bind(super::numbers::limit(limit));
        let rows = query.fetch_all(&self.views).await.map_err(failed)?;
        rows.iter().map(rows::flight).collect()
    }

    async fn flight(&self, flid: Flid) -> Result<Option<Flight>, StoreError> {
        const FLIGHT: &str = named(SQL, "flight");
        let query = sqlx::query(FLIGHT).bind(flid.0);
        let row = query.fetch_optional(&self.views).await.map_err(failed)?;
        row.as_ref().map(rows::flight).transpose()
    }

    async fn message(&self, msg_id: MsgId) -> Result<Option<MessageView>, StoreError> {
        const MESSAGE: &str = named(SQL, "message");
        let query = sqlx::query(MESSAGE).bind(msg_id.0);
        let row = query.fetch_optional(&self.views).await.map_err(failed)?;
        row.as_ref().map(message_view).transpose()
    }

    async fn flights_of(&self, day: Date, most: usize) -> Result<Vec<Flight>, StoreError> {
        flight_views::flights_of(&self.views, day, most).await
    }

    async fn past_flights_of(&self, day: Date, most: usize) -> Result<Vec<PastView>, StoreError> {
        flight_views::past_flights_of(&self.views, day, most).await
    }

    async fn past_flights(&self, flid: Flid) -> Result<Vec<PastView>, StoreError> {
        flight_views::past_flights(&self.views, flid).await
    }

    async fn flight_changes(&self, flid: Flid, most: usize) -> Result<Vec<ChangeView>, StoreError> {
        flight_views::flight_changes(&self.views, flid, most).await
    }

    async fn relatives(&self, flid: Flid) -> Result<Vec<Flight>, StoreError> {
        flight_views::relatives(&self.views, flid).await
    }

    async fn message_kinds(&self) -> Result<Vec<KindCount>, StoreError> {
        flight_views::message_kinds(&self.views).await
    }
}

//! Reads for people. Each statement is one snapshot; none is a source for a write (INV-11).

use domain::event::Target;
use domain::flight::Flight;
use domain::message::Labels;
use domain::{Flid, MsgId};
use engine::ports::{
    FiveFacts, GapCount, HeadView, MessageView, OutboxCount, OutcomeCount, QueueView, StoreError, Views,
};

use super::database::{Database, leave};
use super::errors::Failure;
use super::rows::{FlightRow, Place};
use super::statement::named;
use super::{SqliteStore, limit};

const FILE: &str = include_str!("sql/views.sql");
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
}

#[derive(sqlx::FromRow)]
struct FactsRow {
    enqueued: i64,
    processed: i64,
    marked: i64,
    abandoned: i64,
}

/// Both statements see one snapshot.
async fn five_facts(database: &Database) -> Result<FiveFacts, StoreError> {
    let mut transaction = database.read().await?;
    let facts: Result<FactsRow, _> = sqlx::query_as(FACTS).fetch_one(&mut *transaction).await;
    let delivered: Result<Vec<(String, i64)>, _> =
        sqlx::query_as(DELIVERED).fetch_all(&mut *transaction).await;
    let read = facts.and_then(|facts| Ok((facts, delivered?))).map_err(StoreError::of);
    leave(transaction).await;
    let (facts, delivered) = read?;
    let place = Place::new("proc_state", "(all)");
    Ok(FiveFacts {
        enqueued: place.count("msg_id", facts.enqueued)?,
        processed: place.count("state", facts.processed)?,
        marked: place.count("backfill_at", facts.marked)?,
        abandoned: place.count("backfill_abandoned_at", facts.abandoned)?,
        delivered: by_target(&delivered)?,
    })
}

/// Every target, in the order of [`Target::ALL`], those without a SENT event too.
fn by_target(counts: &[(String, i64)]) -> Result<Vec<(Target, u64)>, StoreError> {
    let place = Place::new("msg_event", "(all)");
    let mut delivered = Target::ALL.map(|target| (target, 0)).to_vec();
    for (name, count) in counts {
        let target = place.target(name)?;
        for entry in delivered.iter_mut().filter(|entry| entry.0 == target) {
            entry.1 = place.count("event_id", *count)?;
        }
    }
    Ok(delivered)
}

#[derive(sqlx::FromRow)]
struct OutcomeRow {
    msg_type: Option<String>,
    msg_styp: Option<String>,
    state: String,
    error_class: Option<String>,
    messages: i64,
}

impl TryFrom<OutcomeRow> for OutcomeCount {
    type Error = StoreError;

    fn try_from(row: OutcomeRow) -> Result<Self, StoreError> {
        let place = Place::new("proc_state", "(all)");
        Ok(Self {
            state: place.state(&row.state)?,
            class: place.class_if_any(row.error_class.as_deref())?,
            count: place.count("msg_id", row.messages)?,
            kind: row.msg_type,
            subtype: row.msg_styp,
        })
    }
}

#[derive(sqlx::FromRow)]
struct BacklogRow {
    watermark: Option<i64>,
    pending: i64,
    failed: i64,
    dead: i64,
    unmarked: i64,
    oldest_unmarked: Option<i64>,
}

#[derive(sqlx::FromRow)]
struct HeadRow {
    msg_id: i64,
    state: String,
    attempts: i64,
    next_attempt_at: Option<i64>,
    error_class: Option<String>,
    last_error: Option<String>,
    enqueued_at: i64,
}

impl TryFrom<HeadRow> for HeadView {
    type Error = StoreError;

    fn try_from(row: HeadRow) -> Result<Self, StoreError> {
        let place = Place::new("proc_state", row.msg_id);
        Ok(Self {
            msg_id: MsgId(row.msg_id),
            state: place.state(&row.state)?,
            attempts: place.count("attempts", row.attempts)?,
            due: place.time_if_any("next_attempt_at", row.next_attempt_at)?,
            class: place.class_if_any(row.error_class.as_deref())?,
            error: row.last_error,
            enqueued_at: place.time("enqueued_at", row.enqueued_at)?,
        })
    }
}

async fn queue(database: &Database) -> Result<QueueView, StoreError> {
    let mut transaction = database.read().await?;
    let backlog: Result<BacklogRow, _> = sqlx::query_as(BACKLOG).fetch_one(&mut *transaction).await;
    let head: Result<Option<HeadRow>, _> =
        sqlx::query_as(FIRST_IN_QUEUE).fetch_optional(&mut *transaction).await;
    let read = backlog.and_then(|backlog| Ok((backlog, head?))).map_err(StoreError::of);
    leave(transaction).await;
    let (backlog, head) = read?;
    let place = Place::new("proc_state", "(all)");
    Ok(QueueView {
        watermark: backlog.watermark.map(MsgId),
        head: head.map(HeadView::try_from).transpose()?,
        pending: place.count("state", backlog.pending)?,
        failed: place.count("state", backlog.failed)?,
        dead: place.count("state", backlog.dead)?,
        unmarked: place.count("backfill_next_at", backlog.unmarked)?,
        oldest_unmarked: place.time_if_any("updated_at", backlog.oldest_unmarked)?,
    })
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

#[derive(sqlx::FromRow)]
struct MessageRow {
    msg_id: i64,
    state: String,
    msg_type: Option<String>,
    msg_styp: Option<String>,
    sender: Option<String>,
    seqn: Option<String>,
    dttm: Option<String>,
    attempts: i64,
    error_class: Option<String>,
    last_error: Option<String>,
    received_at: Option<i64>,
    enqueued_at: i64,
    updated_at: i64,
    backfill_at: Option<i64>,
    backfill_abandoned_reason: Option<String>,
}

impl TryFrom<MessageRow> for MessageView {
    type Error = StoreError;

    fn try_from(row: MessageRow) -> Result<Self, StoreError> {
        let place = Place::new("proc_state", row.msg_id);
        Ok(Self {
            msg_id: MsgId(row.msg_id),
            state: place.state(&row.state)?,
            attempts: place.count("attempts", row.attempts)?,
            class: place.class_if_any(row.error_class.as_deref())?,
            received_at: place.time_if_any("received_at", row.received_at)?,
            enqueued_at: place.time("enqueued_at", row.enqueued_at)?,
            updated_at: place.time("updated_at", row.updated_at)?,
            marked_at: place.time_if_any("backfill_at", row.backfill_at)?,
            labels: Labels {
                kind: row.msg_type,
                subtype: row.msg_styp,
                sender: row.sender,
                seqn: row.seqn,
                dttm: row.dttm,
            },
            last_error: row.last_error,
            abandoned_reason: row.backfill_abandoned_reason,
        })
    }
}

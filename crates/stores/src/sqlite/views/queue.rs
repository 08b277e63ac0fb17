//! The queue at a glance.

use domain::MsgId;
use engine::ports::{HeadView, QueueView, StoreError};

use super::super::database::{Database, leave};
use super::super::errors::Failure;
use super::super::rows::Place;
use super::{BACKLOG, FIRST_IN_QUEUE};

pub(super) async fn queue(database: &Database) -> Result<QueueView, StoreError> {
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

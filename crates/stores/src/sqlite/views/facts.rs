//! The facts counted, and how messages ended.

use domain::event::Target;
use engine::ports::{FiveFacts, OutcomeCount, StoreError};

use super::super::database::{Database, leave};
use super::super::errors::Failure;
use super::super::rows::Place;
use super::{DELIVERED, FACTS};

/// Both statements see one snapshot.
pub(super) async fn five_facts(database: &Database) -> Result<FiveFacts, StoreError> {
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
struct FactsRow {
    enqueued: i64,
    processed: i64,
    marked: i64,
    abandoned: i64,
}

#[derive(sqlx::FromRow)]
pub(super) struct OutcomeRow {
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

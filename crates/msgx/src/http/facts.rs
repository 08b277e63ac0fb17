//! The state of the pipeline for page and API: counters of this process on top of what the store
//! held when it started, and the queue, gaps and outbox as the store has them now.

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::event::Target;
use engine::ports::{FiveFacts, GapCount, HeadView, OutboxCount, QueueView, StoreError, Views};
use engine::pulse::{Role, Snapshot};
use jiff::Timestamp;
use serde_json::{Value, json};

use super::{App, Server};
use crate::clock::now;

/// The five facts when this process started: exact once, so that nothing has to be scanned later.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Baseline {
    enqueued: u64,
    processed: u64,
    marked: u64,
    abandoned: u64,
    delivered: u64,
}

impl From<&FiveFacts> for Baseline {
    fn from(facts: &FiveFacts) -> Self {
        Self {
            enqueued: facts.enqueued,
            processed: facts.processed,
            marked: facts.marked,
            abandoned: facts.abandoned,
            delivered: facts
                .delivered
                .iter()
                .filter(|(target, _)| *target == Target::Msg)
                .map(|(_, count)| count)
                .sum(),
        }
    }
}

/// Everything the page shows but flights.
pub(super) async fn gather<V: Views>(app: &App<V>) -> Result<Value, StoreError> {
    let snapshot = app.pulse.snapshot();
    let (queue, gaps, outbox) =
        (app.views.queue().await?, app.views.gaps().await?, app.views.outbox().await?);
    let at = now();
    Ok(json!({
        "atMillis": at.as_millisecond(),
        "leader": matches!(snapshot.role, Role::Leader(_)),
        "watermark": queue.watermark.map(|id| id.0),
        "mailboxLast": snapshot.mailbox_last.0,
        "facts": facts(&app.baseline, &snapshot),
        "queue": queue_json(&queue, at),
        "gaps": gaps_json(&gaps, at),
        "outbox": outbox.iter().map(|target| outbox_json(target, at)).collect::<Vec<_>>(),
        "marks": {
            "owed": queue.unmarked,
            "oldestSeconds": queue.oldest_unmarked.map(|since| seconds(since, at)),
            "abandoned": app.baseline.abandoned + snapshot.facts.abandoned,
        },
        "paused": app.pulse.paused(),
        "problems": app.pulse.ready().err().unwrap_or_default(),
    }))
}

fn facts(baseline: &Baseline, snapshot: &Snapshot) -> Value {
    let live = &snapshot.facts;
    json!({
        "landed": baseline.enqueued + live.landed,
        "enqueued": baseline.enqueued + live.enqueued,
        "processed": baseline.processed + live.processed,
        "delivered": baseline.delivered + live.delivered_msg,
        "marked": baseline.marked + live.marked,
    })
}

fn queue_json(queue: &QueueView, at: Timestamp) -> Value {
    json!({
        "waiting": queue.pending + queue.failed,
        "dead": queue.dead,
        "head": queue.head.as_ref().map(|head| head_json(head, at)),
    })
}

fn head_json(head: &HeadView, at: Timestamp) -> Value {
    json!({
        "msgId": head.msg_id.0,
        "state": head.state.as_str(),
        "attempts": head.attempts,
        "class": head.class.map(domain::message::ErrorClass::as_str),
        "error": head.error,
        "dueInSeconds": head.due.map(|due| -seconds(due, at)),
        "ageSeconds": seconds(head.enqueued_at, at),
    })
}

fn gaps_json(gaps: &GapCount, at: Timestamp) -> Value {
    json!({
        "open": gaps.open,
        "openIds": gaps.open_ids,
        "oldestSeconds": gaps.oldest.map(|since| seconds(since, at)),
        "releasedIds": gaps.released_ids,
        "late": gaps.late,
    })
}

fn outbox_json(target: &OutboxCount, at: Timestamp) -> Value {
    json!({
        "target": target.target.as_str(),
        "pending": target.pending,
        "dead": target.dead,
        "oldestSeconds": target.oldest.map(|since| seconds(since, at)),
    })
}

fn seconds(since: Timestamp, at: Timestamp) -> f64 {
    at.duration_since(since).as_secs_f64()
}

/// `GET /api/v1/status`: the facts as of the last second; 503 while the store doesn't tell them.
pub(super) async fn status<V: Views>(State(server): State<Server<V>>) -> (StatusCode, Json<Value>) {
    let gathered = Value::clone(&server.news.facts.borrow());
    let known = gathered.get("facts").is_some();
    (if known { StatusCode::OK } else { StatusCode::SERVICE_UNAVAILABLE }, Json(gathered))
}

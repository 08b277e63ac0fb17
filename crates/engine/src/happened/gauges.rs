//! Metrics that are read rather than counted, set when somebody asks for them.

use std::time::Duration;

use jiff::Timestamp;
use metrics::{counter, gauge};

use super::catalogue::{
    BACKLOG, GAP_OLDEST, GAPS_OPEN, HEAD_AGE, HEAD_ATTEMPTS, HEAD_BLOCKED, HEARTBEAT_AGE, LANDED,
    LATE_UNDECIDED, MAILBOX_LAST, OUTBOX_OLDEST, OUTBOX_PENDING, SELECTED, TICKS, UNMARKED_OLDEST, WATERMARK,
};
use crate::ports::{StoreError, Views};
use crate::pulse::Pulse;
use crate::time::age;

/// Sets them from the live state; call it before each scrape.
#[expect(clippy::cast_precision_loss, reason = "gauges are read by people and graphs")]
pub fn publish_gauges(pulse: &Pulse) {
    let snapshot = pulse.snapshot();
    for view in &snapshot.rooms {
        gauge!(HEARTBEAT_AGE, "job" => view.room.name()).set(view.since_tick.as_secs_f64());
        gauge!(SELECTED, "job" => view.room.name()).set(view.selected as f64);
        counter!(TICKS, "job" => view.room.name()).absolute(view.ticks);
    }
    gauge!(LANDED).set(snapshot.facts.landed as f64);
    gauge!(WATERMARK).set(snapshot.watermark.0 as f64);
    gauge!(MAILBOX_LAST).set(snapshot.mailbox_last.0 as f64);
    gauge!(GAPS_OPEN).set(snapshot.gaps_open as f64);
    let since = |since| snapshot.seen_at.map_or(Duration::ZERO, |now| age(since, now)).as_secs_f64();
    gauge!(GAP_OLDEST).set(snapshot.oldest_gap.map_or(0.0, since));
    let head = snapshot.head.as_ref();
    gauge!(HEAD_AGE).set(head.map_or(0.0, |head| since(head.enqueued_at)));
    gauge!(HEAD_ATTEMPTS).set(head.map_or(0.0, |head| f64::from(head.attempts)));
    gauge!(HEAD_BLOCKED).set(f64::from(u8::from(head.is_some_and(|head| head.blocked_until.is_some()))));
}

/// Sets those that the store knows, by index: backlog, outbox, late rows. `now` is for ages.
#[expect(clippy::cast_precision_loss, reason = "gauges are read by people and graphs")]
pub async fn publish_backlog<V: Views>(views: &V, now: Timestamp) -> Result<(), StoreError> {
    let seconds = |since: Option<Timestamp>| since.map_or(0.0, |since| age(since, now).as_secs_f64());
    let queue = views.queue().await?;
    let states = [
        ("PENDING", queue.pending),
        ("FAILED", queue.failed),
        ("DEAD", queue.dead),
        ("UNMARKED", queue.unmarked),
    ];
    for (state, count) in states {
        gauge!(BACKLOG, "state" => state).set(count as f64);
    }
    gauge!(UNMARKED_OLDEST).set(seconds(queue.oldest_unmarked));
    for target in views.outbox().await? {
        gauge!(OUTBOX_PENDING, "target" => target.target.as_str()).set(target.pending as f64);
        gauge!(OUTBOX_OLDEST, "target" => target.target.as_str()).set(seconds(target.oldest));
    }
    gauge!(LATE_UNDECIDED).set(views.gaps().await?.late as f64);
    Ok(())
}

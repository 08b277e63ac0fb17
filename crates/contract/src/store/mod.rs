//! What every store must do, room by room.

pub mod accounts;
pub mod actions;
pub mod actions_beyond;
pub mod archive;
pub mod archived;
pub mod board;
pub mod discovery;
pub mod gaps;
pub mod head;
pub mod history;
pub mod leadership;
pub mod marks;
pub mod messages;
pub mod outbox;
pub mod past;
pub mod pauses;
pub mod pump;
pub mod refusal;
pub mod restoring;
pub mod retention;
pub mod selections;
pub mod settling;
pub mod strict_text;
pub mod terms;
pub mod timeline;
pub mod views;
pub mod world;

mod acts;

use std::time::Duration;

use domain::decide::Effects;
use domain::message::Settled;
use domain::{Epoch, MsgId};
use engine::ports::{Enqueue, Landed, Store};

use crate::sample::{at, row};

/// Longer than any case takes.
const HOUR: Duration = Duration::from_secs(3_600);

async fn lead(store: &impl Store) -> Epoch {
    store.acquire_lease("leader", HOUR).await.expect("the store answers").expect("the lease is free")
}

async fn lead_epoch(store: &impl Store) -> Epoch {
    store.lease().await.expect("answers").expect("is held").epoch
}

fn enqueue(from: i64, to: i64, rows: Vec<Landed>) -> Enqueue {
    Enqueue { from: MsgId(from), to: MsgId(to), rows, ledger: None, at: at(1) }
}

/// Leads, starts at 0 and enqueues the rows 1 to `last`, at [`at`]`(1)`.
async fn queued(store: &impl Store, last: i64) -> Epoch {
    let epoch = lead(store).await;
    store.start_at(epoch, MsgId(0), &[], at(0)).await.expect("starts");
    let rows = (1..=last).map(row).collect();
    store.enqueue(epoch, &enqueue(0, last, rows)).await.expect("enqueues");
    epoch
}

fn run(settled: impl IntoIterator<Item = Settled>) -> Effects {
    Effects { settled: settled.into_iter().collect(), ..Effects::default() }
}

/// Commits a run without flights, at [`at`]`(2)`.
async fn end(store: &impl Store, epoch: Epoch, settled: impl IntoIterator<Item = Settled>) {
    store.commit_run(epoch, &run(settled), at(2)).await.expect("commits");
}

async fn head_ids(store: &impl Store) -> Vec<i64> {
    let head = store.head(1_000, u64::MAX >> 1).await.expect("reads the head");
    head.iter().map(|candidate| candidate.msg_id.0).collect()
}

async fn watermark(store: &impl Store) -> Option<i64> {
    store.cursor().await.expect("reads the cursor").map(|cursor| cursor.watermark.0)
}

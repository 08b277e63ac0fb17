//! The floor: what the databases and the broker need for the same rows in bulk, without logic.
//!
//! Everything the pipeline would decide is decided beforehand, outside the measured time. Then the
//! same rows (raw bodies included) go through the same adapters in large batches, the stages
//! overlapping, with nothing between them: read from the mailbox, enqueue, write the effects, publish
//! and confirm, mark. No decoding, no merging, no head, no order per flight.

use std::sync::Arc;

use domain::decide::Effects;
use domain::event::{EventType, Target};
use domain::{Epoch, MsgId};
use engine::ports::{
    BodyLimits, Clock as _, Enqueue, EventSettled, EventVerdict, Mailbox, MarkSettled, MarkVerdict,
    OutboxEvent, PollRequest, Record, Sink, SinkError, Store, Views,
};
use jiff::Timestamp;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

use super::effects::effects;
use super::throughput::fill;
use super::{place, rate};
use crate::clock::SystemClock;
use crate::config::Config;
use crate::settings;
use crate::wiring::{Job, Stack};

/// Messages of one bulk step.
const BULK: usize = 2_000;
/// Bytes of one bulk step.
const BULK_BYTES: u64 = 64 << 20;

/// Messages per second of one run.
pub(super) fn run(config: &Config, letters: &[Vec<u8>], repetition: usize) -> anyhow::Result<f64> {
    place::within(config, repetition, |config| Floor { config, letters })
}

struct Floor<'a> {
    config: Config,
    letters: &'a [Vec<u8>],
}

impl Job for Floor<'_> {
    type Output = f64;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(self, stack: Stack<M, S, K>) -> anyhow::Result<f64> {
        fill(&*stack.mailbox, self.letters).await?;
        let policy = settings::policy(&self.config)?;
        let at = stack.store.now().await?;
        let runs = effects(self.letters, BULK, &policy, at);
        let ttl = self.config.duration("msgx.lease-ttl") * 60;
        let epoch = stack.store.acquire_lease("floor", ttl).await?;
        let epoch = epoch.ok_or_else(|| anyhow::anyhow!("the lease of a fresh store is taken"))?;
        stack.store.start_at(epoch, MsgId(0), &[], at).await?;
        let bulks = Arc::new(Bulks { stack, epoch, at });
        let clock = SystemClock::new();
        let start = clock.monotonic();
        bulks.all(runs).await?;
        Ok(rate(self.letters.len(), clock.monotonic() - start))
    }
}

struct Bulks<M, S, K> {
    stack: Stack<M, S, K>,
    epoch: Epoch,
    at: Timestamp,
}

impl<M: Mailbox, S: Store + Views, K: Sink> Bulks<M, S, K> {
    /// Every stage at once, each bulk through all of them in order.
    async fn all(self: &Arc<Self>, runs: Vec<Effects>) -> anyhow::Result<()> {
        let (enqueued, to_write) = mpsc::unbounded_channel();
        let (written_msg, to_send_msg) = mpsc::unbounded_channel();
        let (written_schd, to_send_schd) = mpsc::unbounded_channel();
        let (written, to_mark) = mpsc::unbounded_channel();
        let stages = [
            tokio::spawn(self.clone().enqueue(runs.len(), enqueued)),
            tokio::spawn(self.clone().write(runs, to_write, [written_msg, written_schd, written])),
            tokio::spawn(self.clone().send(Target::Msg, to_send_msg)),
            tokio::spawn(self.clone().send(Target::Schd, to_send_schd)),
            tokio::spawn(self.clone().mark(to_mark)),
        ];
        // A stage that fails ends those before it with "channel closed": the last failure is the cause.
        let mut result = Ok(());
        for stage in stages {
            if let Err(error) = stage.await? {
                result = Err(error);
            }
        }
        result
    }

    async fn enqueue(
        self: Arc<Self>,
        bulks: usize,
        done: UnboundedSender<Arc<Vec<MsgId>>>,
    ) -> anyhow::Result<()> {
        let mut from = MsgId(0);
        for _ in 0..bulks {
            let poll = self.stack.mailbox.poll(&request(from)).await?;
            let ids: Vec<MsgId> = poll.landed.iter().map(|row| row.id).collect();
            let to = ids.last().copied().unwrap_or(from);
            let enqueue = Enqueue { from, to, rows: poll.landed, ledger: None, at: self.at };
            self.stack.store.enqueue(self.epoch, &enqueue).await?;
            from = to;
            done.send(Arc::new(ids))?;
        }
        Ok(())
    }

    async fn write(
        self: Arc<Self>,
        runs: Vec<Effects>,
        mut ready: UnboundedReceiver<Arc<Vec<MsgId>>>,
        done: [UnboundedSender<Arc<Vec<MsgId>>>; 3],
    ) -> anyhow::Result<()> {
        for run in runs {
            let ids = ready.recv().await.ok_or_else(|| anyhow::anyhow!("the stage before ended"))?;
            self.stack.store.commit_run(self.epoch, &run, self.at).await?;
            for next in &done {
                next.send(ids.clone())?;
            }
        }
        Ok(())
    }

    /// Sends whatever is due, all at once: later versions of a flight don't wait for earlier ones.
    async fn send(
        self: Arc<Self>,
        target: Target,
        mut ready: UnboundedReceiver<Arc<Vec<MsgId>>>,
    ) -> anyhow::Result<()> {
        while ready.recv().await.is_some() {
            loop {
                let events = self.stack.store.due_events(target, self.at, 2 * BULK).await?;
                if events.is_empty() {
                    break;
                }
                self.publish(target, &events).await?;
            }
        }
        Ok(())
    }

    async fn publish(&self, target: Target, events: &[OutboxEvent]) -> anyhow::Result<()> {
        let topic = self.stack.sink.topic(target).to_owned();
        let records: Vec<Record> = events.iter().map(|event| record(&topic, event)).collect();
        let mut settled = Vec::with_capacity(events.len());
        for (event, receipt) in events.iter().zip(self.stack.sink.publish(&records).await) {
            let receipt = match receipt {
                Ok(receipt) => receipt,
                // Still due: a topic that was just made has no leader for a moment.
                Err(SinkError::Unavailable(_)) => continue,
                Err(error @ SinkError::Rejected(_)) => return Err(error.into()),
            };
            let verdict = EventVerdict::Sent {
                topic: topic.clone(),
                partition: receipt.partition,
                offset: receipt.offset,
            };
            settled.push(EventSettled {
                event_id: event.event_id,
                state_version: event.state_version,
                verdict,
            });
        }
        self.stack.store.settle_events(self.epoch, &settled, self.at).await?;
        Ok(())
    }

    async fn mark(self: Arc<Self>, mut ready: UnboundedReceiver<Arc<Vec<MsgId>>>) -> anyhow::Result<()> {
        while let Some(ids) = ready.recv().await {
            self.stack.mailbox.mark(&ids, self.at).await?;
            let settled: Vec<MarkSettled> =
                ids.iter().map(|id| MarkSettled { msg_id: *id, verdict: MarkVerdict::Done }).collect();
            self.stack.store.settle_marks(&settled, self.at).await?;
        }
        Ok(())
    }
}

fn request(after: MsgId) -> PollRequest {
    let bodies = BodyLimits { poll_max: BULK_BYTES, body_max: BULK_BYTES };
    PollRequest { after, dead: Vec::new(), step: 1, ids_max: BULK, rows_max: BULK, bodies }
}

fn record(topic: &str, event: &OutboxEvent) -> Record {
    let value = match event.event_type {
        EventType::Upsert => Some(event.payload.clone()),
        EventType::Delete => None,
    };
    let headers = vec![("msgx-state-version", event.state_version.to_string())];
    Record { topic: topic.to_owned(), key: event.flid.to_string(), value, headers }
}

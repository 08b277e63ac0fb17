//! The floor: what the databases and the broker need for the same rows in bulk, without logic.
//!
//! Everything the pipeline would decide is decided beforehand, outside the measured time. Then the
//! same rows (raw bodies included) go through the same adapters in large batches, the stages
//! overlapping, with nothing between them: read from the mailbox, enqueue, write the effects, publish
//! and confirm, mark. No decoding, no merging, no head, no order per flight.

mod publish;

use std::sync::Arc;

use domain::decide::Effects;
use domain::event::Target;
use domain::{Epoch, MsgId};
use engine::ports::{
    BodyLimits, Clock as _, Enqueue, Mailbox, MarkSettled, MarkVerdict, PollRequest, Sink, Store, Views,
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

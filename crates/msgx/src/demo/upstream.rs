//! The demo's other side: posts letters at their pace, then waits until everything is through.

use std::sync::Arc;
use std::time::Duration;

use domain::MsgId;
use domain::mailbox::IdRange;
use engine::ports::{Clock as _, Mailbox, Store, Views, Wake};
use engine::{Stop, drained};

use super::{Post, Summary, summarise};
use crate::clock::{SystemClock, now};

/// How often letters are posted.
const TICK: Duration = Duration::from_millis(40);
/// Most letters of one write.
const LETTERS_MAX: usize = 1_000;
/// How often the drain looks.
const LOOK: Duration = Duration::from_millis(200);
/// A drain that took so long has failed, and the summary shows what is missing.
const DRAIN_MAX: Duration = Duration::from_secs(120);

/// The upstream system of the demo.
pub(crate) struct Upstream<M, S> {
    pub(crate) mailbox: Arc<M>,
    pub(crate) store: Arc<S>,
    pub(crate) clock: Arc<SystemClock>,
    /// Discovery's: an embedded mailbox need not wait for the next poll.
    pub(crate) bell: Wake,
    pub(crate) stop: Stop,
}

impl<M: Mailbox, S: Store + Views> Upstream<M, S> {
    /// Posts everything, drains, sums up and stops the service; `None` when stopped before.
    pub(crate) async fn play(self, mut post: Post) -> anyhow::Result<Option<Summary>> {
        let result = self.posted(&mut post).await;
        self.stop.stop();
        result
    }

    async fn posted(&self, post: &mut Post) -> anyhow::Result<Option<Summary>> {
        let wake = Wake::default();
        self.stop.rings(&wake);
        let already = self.landed().await?;
        if let Some(last) = self.mailbox.extent().await?.last {
            post.resume_after(last);
        }
        let start = self.clock.monotonic();
        while !post.is_done() {
            if self.stop.is_stopped() {
                return Ok(None);
            }
            let elapsed = self.clock.monotonic() - start;
            if post.deliver(&*self.mailbox, elapsed, now(), LETTERS_MAX).await? > 0 {
                self.bell.ring();
            }
            self.clock.pause(&wake, TICK).await;
        }
        self.summed_up(&wake, already + post.posted()).await
    }

    /// The summary, once everything is through. Whoever else puts rows in may do so at any moment: then
    /// it is drained and counted again.
    async fn summed_up(&self, wake: &Wake, ours: u64) -> anyhow::Result<Option<Summary>> {
        loop {
            let before = self.mailbox.extent().await?.last;
            self.drain(wake).await?;
            if self.stop.is_stopped() {
                return Ok(None);
            }
            let landed = self.landed().await?;
            let summary = summarise(&*self.store, landed, landed.saturating_sub(ours)).await?;
            if summary.agrees() || self.mailbox.extent().await?.last == before {
                return Ok(Some(summary));
            }
        }
    }

    /// Rows of the mailbox, whoever put them in.
    async fn landed(&self) -> anyhow::Result<u64> {
        let Some(last) = self.mailbox.extent().await?.last else { return Ok(0) };
        let everything = IdRange { first: MsgId(1), last };
        Ok(self.mailbox.present(&[everything], usize::MAX).await?.len() as u64)
    }

    async fn drain(&self, wake: &Wake) -> anyhow::Result<()> {
        let start = self.clock.monotonic();
        while !self.stop.is_stopped() && self.clock.monotonic() - start < DRAIN_MAX {
            if drained(&*self.mailbox, &*self.store).await? {
                return Ok(());
            }
            self.clock.pause(wake, LOOK).await;
        }
        Ok(())
    }
}

//! Sustained throughput: a mailbox full of messages, and the engine started on it; the time until
//! the last mark and the last acknowledgement.

use std::sync::Arc;
use std::time::Duration;

use engine::ports::{Clock as _, Mailbox, NewLetter, Sink, Store, Views, Wake};
use engine::{Engine, Pulse, Stop, drained};

use super::{place, rate};
use crate::clock::{SystemClock, now};
use crate::config::Config;
use crate::settings;
use crate::wiring::{Job, Stack};

/// How often it is asked whether everything is done.
const LOOK: Duration = Duration::from_millis(20);
/// Letters per transaction while the mailbox is filled.
const FILL: usize = 1_000;

/// One run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Figures {
    /// Messages per second, from the start to the last mark and acknowledgement.
    pub(super) rate: f64,
    /// When the last message was enqueued, processed and marked, and everything done: how far
    /// apart they are shows which stage the others wait for.
    pub(super) stages: [Duration; 4],
}

/// Runs the pipeline on a full mailbox.
pub(super) fn run(config: &Config, letters: &[Vec<u8>], repetition: usize) -> anyhow::Result<Figures> {
    place::within(config, repetition, |config| Throughput { config, letters })
}

struct Throughput<'a> {
    config: Config,
    letters: &'a [Vec<u8>],
}

impl Job for Throughput<'_> {
    type Output = Figures;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<Figures> {
        fill(&*stack.mailbox, self.letters).await?;
        let clock = Arc::new(SystemClock::new());
        let settings = settings::engine(&self.config, "bench".into())?;
        let engine =
            Engine::new(stack.mailbox.clone(), stack.store.clone(), stack.sink, clock.clone(), settings);
        let (stop, pulse) = (Stop::new(), engine.pulse());
        let stopper = stop.clone();
        let task = tokio::spawn(async move { engine.run(&stopper).await });
        let start = clock.monotonic();
        let goal = self.letters.len() as u64;
        let never = Wake::default();
        // The pulse costs nothing; the stores are asked only when it says that all is done.
        let mut stages = [Duration::ZERO; 4];
        while !reached(&pulse, goal, clock.monotonic() - start, &mut stages)
            || !drained(&*stack.mailbox, &*stack.store).await?
        {
            anyhow::ensure!(!task.is_finished(), "the engine ended early");
            clock.pause(&never, LOOK).await;
        }
        let time = clock.monotonic() - start;
        stop.stop();
        task.await?;
        stages[3] = time;
        Ok(Figures { rate: rate(self.letters.len(), time), stages })
    }
}

/// Notes when each fact was first seen complete; true when all are.
fn reached(pulse: &Pulse, goal: u64, elapsed: Duration, stages: &mut [Duration; 4]) -> bool {
    let facts = pulse.snapshot().facts;
    for (stage, count) in stages.iter_mut().zip([facts.enqueued, facts.processed, facts.marked]) {
        if count >= goal && stage.is_zero() {
            *stage = elapsed;
        }
    }
    facts.marked >= goal
}

/// Puts the letters into an empty mailbox.
pub(super) async fn fill<M: Mailbox>(mailbox: &M, letters: &[Vec<u8>]) -> anyhow::Result<()> {
    for bodies in letters.chunks(FILL) {
        let letter = |body: &Vec<u8>| NewLetter { body: Some(body.clone()), received_at: now(), id: None };
        mailbox.insert(&bodies.iter().map(letter).collect::<Vec<_>>()).await?;
    }
    Ok(())
}

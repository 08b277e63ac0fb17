//! Sustained throughput: a mailbox full of messages, and the engine started on it; the time until
//! the last mark and the last acknowledgement.

use std::sync::Arc;
use std::time::Duration;

use engine::ports::{Clock as _, Mailbox, NewLetter, Sink, Store, Views, Wake};
use engine::{Engine, Stop, drained};

use super::{place, rate};
use crate::clock::{SystemClock, now};
use crate::config::Config;
use crate::settings;
use crate::wiring::{Job, Stack};

/// How often it is asked whether everything is done.
const LOOK: Duration = Duration::from_millis(20);
/// Letters per transaction while the mailbox is filled.
const FILL: usize = 1_000;

/// Messages per second of one run.
pub(super) fn run(config: &Config, letters: &[Vec<u8>], repetition: usize) -> anyhow::Result<f64> {
    place::within(config, repetition, |config| Throughput { config, letters })
}

struct Throughput<'a> {
    config: Config,
    letters: &'a [Vec<u8>],
}

impl Job for Throughput<'_> {
    type Output = f64;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(self, stack: Stack<M, S, K>) -> anyhow::Result<f64> {
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
        while pulse.snapshot().facts.marked < goal || !drained(&*stack.mailbox, &*stack.store).await? {
            anyhow::ensure!(!task.is_finished(), "the engine ended early");
            clock.pause(&never, LOOK).await;
        }
        let time = clock.monotonic() - start;
        stop.stop();
        task.await?;
        Ok(rate(self.letters.len(), time))
    }
}

/// Puts the letters into an empty mailbox.
pub(super) async fn fill<M: Mailbox>(mailbox: &M, letters: &[Vec<u8>]) -> anyhow::Result<()> {
    for bodies in letters.chunks(FILL) {
        let letter = |body: &Vec<u8>| NewLetter { body: Some(body.clone()), received_at: now(), id: None };
        mailbox.insert(&bodies.iter().map(letter).collect::<Vec<_>>()).await?;
    }
    Ok(())
}

//! The clock of the real world.

use std::time::{Duration, Instant};

use engine::ports::{Clock, Wake};
use jiff::Timestamp;

/// Wall clock and monotonic clock of the machine.
#[derive(Debug)]
pub(crate) struct SystemClock {
    start: Instant,
}

impl SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the clock adapter is where the machine's time enters")]
    pub(crate) fn new() -> Self {
        Self { start: Instant::now() }
    }
}

impl Clock for SystemClock {
    #[expect(clippy::disallowed_methods, reason = "the clock adapter is where the machine's time enters")]
    fn wall(&self) -> Timestamp {
        Timestamp::now()
    }

    fn monotonic(&self) -> Duration {
        self.start.elapsed()
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "only the wait for a bell is cut short, never a call to a port"
    )]
    async fn pause(&self, wake: &Wake, longest: Duration) {
        // Both ends are the same to the caller: it looks again.
        let _elapsed = tokio::time::timeout(longest, wake.rung()).await;
    }
}

/// Wall time, for what people see and for letters put in by hand.
#[expect(clippy::disallowed_methods, reason = "the clock adapter is where the machine's time enters")]
pub(crate) fn now() -> Timestamp {
    Timestamp::now()
}

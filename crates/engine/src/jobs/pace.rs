//! When a job is due: at once at the beginning of a term, then every interval.

use std::time::Duration;

use crate::room::Next;

/// Longest pause of a job that waits to be due: a room without steps counts as stuck.
pub(super) const LOOK: Duration = Duration::from_secs(30);

/// Shortest interval: a job must leave the store to others.
const SHORTEST: Duration = Duration::from_secs(1);

/// A job's appointments, in monotonic time.
#[derive(Debug)]
pub(super) struct Pace {
    interval: Duration,
    due: Duration,
}

impl Pace {
    pub(super) fn new(interval: Duration) -> Self {
        Self { interval: interval.max(SHORTEST), due: Duration::ZERO }
    }

    /// The pause until the job is due; `None` when it is.
    pub(super) fn pause(&self, now: Duration) -> Option<Next> {
        let left = self.due.saturating_sub(now);
        (!left.is_zero()).then(|| Next::Pause(left.min(LOOK)))
    }

    /// What follows a batch that ended at `now`: the next one, or the next appointment when there was
    /// no more.
    pub(super) fn next(&mut self, now: Duration, is_done: bool) -> Next {
        if is_done {
            self.due = now + self.interval;
        }
        Next::Again
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_due_at_once_and_then_after_every_interval_and_never_sleeps_longer_than_a_look() {
        let second = Duration::from_secs;
        let mut pace = Pace::new(second(100));
        assert_eq!(pace.pause(second(7)), None);
        assert_eq!(pace.next(second(5), false), Next::Again);
        assert_eq!(pace.pause(second(6)), None, "there is more");
        assert_eq!(pace.next(second(7), true), Next::Again);
        for (now, pause) in
            [(7, Some(LOOK)), (76, Some(LOOK)), (100, Some(second(7))), (107, None), (500, None)]
        {
            assert_eq!(pace.pause(second(now)), pause.map(Next::Pause), "at {now}");
        }
    }
}

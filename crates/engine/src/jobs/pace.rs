//! When a job is due: at once at the beginning of a term, then every interval. Between the batches of
//! a sweep it rests, longer than it worked.

use std::time::Duration;

use crate::room::Next;

/// Longest pause of a job that waits to be due: a room without steps counts as stuck.
const LOOK: Duration = Duration::from_secs(30);

/// Shortest interval: a job must leave the store to others.
const SHORTEST: Duration = Duration::from_secs(1);

/// A job rests this many times as long as its batch took: at most a tenth of one connection's time is
/// a job's, however much there is to do.
const REST: u32 = 9;

/// Longest rest: a sweep goes on also where batches are slow.
const REST_MAX: Duration = Duration::from_secs(1);

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

    /// What follows a batch that took from `begun` to `now`: a rest, or the next appointment when
    /// there was no more.
    pub(super) fn next(&mut self, begun: Duration, now: Duration, is_done: bool) -> Next {
        if is_done {
            self.done(now);
            return Next::Again;
        }
        let rest = (now.saturating_sub(begun) * REST).min(REST_MAX);
        if rest.is_zero() { Next::Again } else { Next::Pause(rest) }
    }

    /// The job has done all there was to do: due again after an interval.
    pub(super) fn done(&mut self, now: Duration) {
        self.due = now + self.interval;
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
        pace.done(second(7));
        for (now, pause) in
            [(7, Some(LOOK)), (76, Some(LOOK)), (100, Some(second(7))), (107, None), (500, None)]
        {
            assert_eq!(pace.pause(second(now)), pause.map(Next::Pause), "at {now}");
        }
    }

    #[test]
    fn fc_34_a_job_rests_longer_than_it_worked_and_never_longer_than_a_second() {
        let milli = Duration::from_millis;
        let mut pace = Pace::new(Duration::from_secs(100));
        for (took, next) in [
            (milli(0), Next::Again),
            (milli(20), Next::Pause(milli(180))),
            (milli(400), Next::Pause(milli(1_000))),
        ] {
            assert_eq!(pace.next(milli(7), milli(7) + took, false), next, "took {took:?}");
        }
        assert_eq!(pace.pause(milli(500)), None, "there is more");
        assert_eq!(pace.next(milli(7), milli(500), true), Next::Again);
        assert_eq!(pace.pause(milli(500)), Some(Next::Pause(LOOK)));
    }
}

//! A clock that moves only when a test moves it.
//!
//! The loops under test pause; the test waits until all of them do ([`TestClock::settled`]),
//! moves time, and waits again. A pauser counts as asleep until the very call that wakes it
//! (a ring or [`TestClock::advance`]) returns, on any runtime: `settled` is never true while
//! something is still on its way.

mod pause;

use std::collections::BTreeMap;
use std::future::poll_fn;
use std::pin::pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Poll, Waker};
use std::time::Duration;

use engine::ports::{Clock, Wake};
use jiff::Timestamp;

use self::pause::Pause;

/// A clock for tests; clones are the same clock. Starts at 2026-05-01T00:00:00Z.
#[derive(Debug, Clone, Default)]
pub struct TestClock(Arc<Mutex<Hands>>);

#[derive(Debug, Default)]
struct Hands {
    elapsed: Duration,
    pausers: BTreeMap<u64, Pauser>,
    numbered: u64,
    watchers: Vec<Waker>,
}

#[derive(Debug)]
struct Pauser {
    deadline: Duration,
    asleep: bool,
    waker: Option<Waker>,
}

impl Pauser {
    fn stir(&mut self) -> Option<Waker> {
        self.asleep = false;
        self.waker.take()
    }
}

impl TestClock {
    /// Moves time and wakes every pause that is due by then.
    pub fn advance(&self, by: Duration) {
        let mut hands = self.hands();
        hands.elapsed += by;
        let now = hands.elapsed;
        let due = hands.pausers.values_mut().filter(|pauser| pauser.deadline <= now);
        let wakers: Vec<Waker> = due.filter_map(Pauser::stir).collect();
        drop(hands);
        wakers.into_iter().for_each(Waker::wake);
    }

    /// Waits until at least `tasks` pauses are under way and none of them has been woken.
    pub async fn settled(&self, tasks: usize) {
        poll_fn(|context| {
            let mut hands = self.hands();
            if hands.pausers.len() >= tasks && hands.pausers.values().all(|pauser| pauser.asleep) {
                return Poll::Ready(());
            }
            hands.watchers.push(context.waker().clone());
            Poll::Pending
        })
        .await;
    }

    /// When the next pause ends by itself, on the monotonic clock; `None` when nothing pauses.
    pub fn next_due(&self) -> Option<Duration> {
        self.hands().pausers.values().map(|pauser| pauser.deadline).min()
    }

    /// Lets `length` pass from one due pause to the next, `tasks` settling at each.
    pub async fn pass(&self, length: Duration, tasks: usize) {
        let end = self.monotonic() + length;
        loop {
            self.settled(tasks).await;
            let now = self.monotonic();
            if now >= end {
                return;
            }
            let next = self.next_due().map_or(end, |due| due.min(end));
            self.advance(next.saturating_sub(now));
        }
    }

    fn hands(&self) -> MutexGuard<'_, Hands> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clock for TestClock {
    fn wall(&self) -> Timestamp {
        crate::sample::EPOCH + self.monotonic()
    }

    fn monotonic(&self) -> Duration {
        self.hands().elapsed
    }

    async fn pause(&self, wake: &Wake, longest: Duration) {
        let pause = Pause::begin(self, longest);
        let mut rung = pin!(wake.rung());
        poll_fn(|context| pause.poll(context, rung.as_mut())).await;
    }
}

#[cfg(test)]
mod tests;

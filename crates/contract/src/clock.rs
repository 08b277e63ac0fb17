//! A clock that moves only when a test moves it.
//!
//! The loops under test pause; the test waits until all of them do ([`TestClock::settled`]),
//! moves time, and waits again. A pauser counts as asleep until the very call that wakes it
//! (a ring or [`TestClock::advance`]) returns, on any runtime: `settled` is never true while
//! something is still on its way.

use std::collections::BTreeMap;
use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use engine::ports::{Clock, Wake};
use jiff::Timestamp;

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

/// A pause under way; ends when dropped.
struct Pause<'a> {
    clock: &'a TestClock,
    number: u64,
    stirring: Waker,
}

impl<'a> Pause<'a> {
    fn begin(clock: &'a TestClock, longest: Duration) -> Self {
        let mut hands = clock.hands();
        hands.numbered += 1;
        let number = hands.numbered;
        let deadline = hands.elapsed.saturating_add(longest);
        hands.pausers.insert(number, Pauser { deadline, asleep: false, waker: None });
        let stirring = Waker::from(Arc::new(Stirring { clock: clock.clone(), number }));
        Self { clock, number, stirring }
    }

    fn poll(&self, context: &Context<'_>, rung: Pin<&mut impl Future<Output = ()>>) -> Poll<()> {
        self.set(|pauser| pauser.waker = Some(context.waker().clone()));
        if rung.poll(&mut Context::from_waker(&self.stirring)).is_ready() {
            return Poll::Ready(());
        }
        let mut hands = self.clock.hands();
        let now = hands.elapsed;
        let Some(pauser) = hands.pausers.get_mut(&self.number) else { return Poll::Ready(()) };
        if pauser.deadline <= now {
            return Poll::Ready(());
        }
        // A ring since the look above has taken the waker: then this task is polled again.
        pauser.asleep = pauser.waker.is_some();
        notify(hands);
        Poll::Pending
    }

    fn set(&self, change: impl FnOnce(&mut Pauser)) {
        if let Some(pauser) = self.clock.hands().pausers.get_mut(&self.number) {
            change(pauser);
        }
    }
}

impl Drop for Pause<'_> {
    fn drop(&mut self) {
        let mut hands = self.clock.hands();
        hands.pausers.remove(&self.number);
        notify(hands);
    }
}

fn notify(mut hands: MutexGuard<'_, Hands>) {
    let watchers = std::mem::take(&mut hands.watchers);
    drop(hands);
    watchers.into_iter().for_each(Waker::wake);
}

/// Stands between a bell and the task it wakes, to note that the pauser is no longer asleep.
struct Stirring {
    clock: TestClock,
    number: u64,
}

impl std::task::Wake for Stirring {
    fn wake(self: Arc<Self>) {
        let waker = self.clock.hands().pausers.get_mut(&self.number).and_then(Pauser::stir);
        if let Some(waker) = waker {
            waker.wake();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn pausing(clock: &TestClock, wake: &Wake, longest: Duration) -> tokio::task::JoinHandle<Duration> {
        let (clock, wake) = (clock.clone(), wake.clone());
        tokio::spawn(async move {
            clock.pause(&wake, longest).await;
            clock.monotonic()
        })
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn a_pause_ends_when_its_time_has_come_and_not_before() {
        let clock = TestClock::default();
        let short = pausing(&clock, &Wake::default(), SECOND);
        let long = pausing(&clock, &Wake::default(), 2 * SECOND);
        clock.settled(2).await;
        assert_eq!(clock.next_due(), Some(SECOND));
        clock.advance(SECOND);
        assert_eq!(short.await.expect("ends"), SECOND);
        clock.settled(1).await;
        assert!(!long.is_finished());
        clock.advance(SECOND);
        assert_eq!(long.await.expect("ends"), 2 * SECOND);
    }

    #[tokio::test]
    async fn a_ring_ends_a_pause_and_a_ring_before_it_is_remembered() {
        let (clock, wake) = (TestClock::default(), Wake::default());
        let pause = pausing(&clock, &wake, SECOND);
        clock.settled(1).await;
        wake.ring();
        assert_eq!(pause.await.expect("ends"), Duration::ZERO);
        wake.ring();
        assert_eq!(pausing(&clock, &wake, SECOND).await.expect("ends"), Duration::ZERO);
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn settled_is_not_true_while_a_rung_task_is_on_its_way() {
        let (clock, wake) = (TestClock::default(), Wake::default());
        for _ in 0..1_000 {
            let pause = pausing(&clock, &wake, SECOND);
            clock.settled(1).await;
            wake.ring();
            clock.settled(0).await;
            assert_eq!(clock.next_due(), None, "the pause has been left");
            pause.await.expect("ends");
        }
    }

    #[tokio::test]
    async fn time_passes_through_every_due_pause() {
        let clock = TestClock::default();
        let task = tokio::spawn({
            let clock = clock.clone();
            async move {
                let mut seen = Vec::new();
                for _ in 0..3 {
                    clock.pause(&Wake::default(), 2 * SECOND).await;
                    seen.push(clock.monotonic().as_secs());
                }
                clock.pause(&Wake::default(), 60 * SECOND).await;
                seen
            }
        });
        clock.pass(7 * SECOND, 1).await;
        assert_eq!(clock.monotonic(), 7 * SECOND);
        clock.advance(60 * SECOND);
        assert_eq!(task.await.expect("ends"), [2, 4, 6]);
        assert_eq!(clock.wall(), crate::sample::EPOCH + 67 * SECOND);
    }
}

//! One pause on the test clock: from its beginning until it is rung, due or dropped.

use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, MutexGuard};
use std::task::{Context, Poll, Waker};
use std::time::Duration;

use super::{Hands, Pauser, TestClock};

/// A pause under way; ends when dropped.
pub(super) struct Pause<'a> {
    clock: &'a TestClock,
    number: u64,
    stirring: Waker,
}

impl<'a> Pause<'a> {
    pub(super) fn begin(clock: &'a TestClock, longest: Duration) -> Self {
        let mut hands = clock.hands();
        hands.numbered += 1;
        let number = hands.numbered;
        let deadline = hands.elapsed.saturating_add(longest);
        hands.pausers.insert(number, Pauser { deadline, asleep: false, waker: None });
        let stirring = Waker::from(Arc::new(Stirring { clock: clock.clone(), number }));
        Self { clock, number, stirring }
    }

    pub(super) fn poll(&self, context: &Context<'_>, rung: Pin<&mut impl Future<Output = ()>>) -> Poll<()> {
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

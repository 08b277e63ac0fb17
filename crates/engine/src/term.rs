//! One term of leadership: what every room needs to know of it. It ends when the process is asked
//! to stop, when another process has taken over, or when the lease has run out unrenewed.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::Epoch;
use domain::lifecycle::Pause;
use jiff::Timestamp;

use crate::bells::Bells;
pub(crate) use crate::ending::Lost;
use crate::jobs::Turns;
use crate::pauses::KnownPauses;
use crate::ports::{Clock, Wake};
use crate::pulse::Pulse;
use crate::stop::Stop;
use crate::time::StoreTime;

/// A term of leadership, shared by its rooms.
pub(crate) struct Term<C> {
    /// Fencing epoch of everything written in it.
    pub(crate) epoch: Epoch,
    /// Store time when it began.
    pub(crate) began: Timestamp,
    /// Live state.
    pub(crate) pulse: Arc<Pulse>,
    /// How rooms wake each other.
    pub(crate) bells: Bells,
    /// Rooms that are paused.
    pub(crate) pauses: KnownPauses,
    /// How jobs give way.
    pub(crate) turns: Turns,
    clock: Arc<C>,
    time: StoreTime,
    stop: Stop,
    deadline_micros: AtomicU64,
    lost: Mutex<Option<Lost>>,
}

/// What a term begins with.
pub(crate) struct Beginning {
    pub(crate) epoch: Epoch,
    /// Store time.
    pub(crate) at: Timestamp,
    /// Monotonic time read after it.
    pub(crate) monotonic: Duration,
    /// Monotonic time at which the lease runs out.
    pub(crate) deadline: Duration,
    /// Rooms that are paused: known before any of them takes a step.
    pub(crate) pauses: Vec<Pause>,
}

impl<C: Clock> Term<C> {
    /// Begins a term that also ends when `stop` comes.
    pub(crate) fn begin(
        beginning: &Beginning,
        clock: Arc<C>,
        pulse: Arc<Pulse>,
        bells: Bells,
        stop: &Stop,
    ) -> Self {
        let stop = stop.child();
        bells.all().into_iter().for_each(|bell| stop.rings(bell));
        Self {
            epoch: beginning.epoch,
            began: beginning.at,
            pulse,
            bells,
            pauses: KnownPauses::new(beginning.pauses.clone()),
            turns: Turns::default(),
            clock,
            time: StoreTime::new(beginning.at, beginning.monotonic),
            stop,
            deadline_micros: AtomicU64::new(micros(beginning.deadline)),
            lost: Mutex::new(None),
        }
    }

    /// May the next step begin? Looks at the lease's deadline too, because whoever renews it may
    /// be stuck in a call.
    pub(crate) fn goes_on(&self) -> bool {
        if !self.stop.is_stopped() && self.clock.monotonic() >= self.deadline() {
            self.lose(Lost::Expired);
        }
        !self.stop.is_stopped()
    }

    /// Ends the term for everybody; the first reason stays.
    pub(crate) fn lose(&self, lost: Lost) {
        self.lost.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(lost);
        self.stop.stop();
    }

    /// Ends the term for everybody without its having been lost.
    pub(crate) fn end(&self) {
        self.stop.stop();
    }

    /// Why it was lost, if it was.
    pub(crate) fn lost(&self) -> Option<Lost> {
        *self.lost.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The store's time.
    pub(crate) fn now(&self) -> Timestamp {
        self.time.at(self.clock.monotonic())
    }

    /// Monotonic time.
    pub(crate) fn monotonic(&self) -> Duration {
        self.clock.monotonic()
    }

    /// Monotonic time at which the lease runs out.
    pub(crate) fn deadline(&self) -> Duration {
        Duration::from_micros(self.deadline_micros.load(Ordering::SeqCst))
    }

    /// The lease was renewed.
    pub(crate) fn prolong(&self, deadline: Duration) {
        self.deadline_micros.fetch_max(micros(deadline), Ordering::SeqCst);
    }

    /// The store was asked for its time again.
    pub(crate) fn anchor(&self, store: Timestamp, monotonic: Duration) {
        self.time.anchor(store, monotonic);
    }

    /// Waits for news, at most `longest`.
    pub(crate) async fn pause(&self, bell: &Wake, longest: Duration) {
        self.clock.pause(bell, longest).await;
    }

    /// Waits `time` whatever the news, unless the term ends: a back-off that every new event
    /// could shorten would be none.
    pub(crate) async fn rest(&self, bell: &Wake, time: Duration) {
        let until = self.clock.monotonic() + time;
        while self.goes_on() {
            let left = until.saturating_sub(self.clock.monotonic());
            if left.is_zero() {
                return;
            }
            self.clock.pause(bell, left).await;
        }
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

//! The own store's clock, carried forward by the monotonic one: the time of all ages and due
//! times. It can't run ahead of the store and no jump of a wall clock can age a gap.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use jiff::Timestamp;

/// How much faster than the monotonic clock the store's may be believed to run: 1 part in this
/// many. More than crystals differ, far less than a clock that was set.
const DRIFT_ONE_IN: u32 = 1000;

/// The store's time now, without asking it.
#[derive(Debug)]
pub struct StoreTime(Mutex<Anchor>);

#[derive(Debug, Clone, Copy)]
struct Anchor {
    store: Timestamp,
    monotonic: Duration,
}

impl StoreTime {
    /// `store` is what the store said, `monotonic` was read after its answer arrived: so the
    /// result is never ahead of the store.
    pub fn new(store: Timestamp, monotonic: Duration) -> Self {
        Self(Mutex::new(Anchor { store, monotonic }))
    }

    /// The store's time at a monotonic time.
    pub fn at(&self, monotonic: Duration) -> Timestamp {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).at(monotonic)
    }

    /// Anchors anew. The store is followed backwards at once, forwards only as far as the
    /// monotonic clock allows: a store whose clock jumps an hour ahead must not release gaps
    /// that are a minute old.
    pub fn anchor(&self, store: Timestamp, monotonic: Duration) {
        let mut anchor = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = monotonic.saturating_sub(anchor.monotonic);
        let allowed = anchor.at(monotonic) + elapsed / DRIFT_ONE_IN;
        *anchor = Anchor { store: store.min(allowed), monotonic };
    }
}

impl Anchor {
    fn at(&self, monotonic: Duration) -> Timestamp {
        self.store + monotonic.saturating_sub(self.monotonic)
    }
}

/// How old `since` is at `now`; zero if it lies ahead.
pub fn age(since: Timestamp, now: Timestamp) -> Duration {
    Duration::try_from(now.duration_since(since)).unwrap_or_default()
}

/// The time that lies `length` before `now`; the earliest there is where none does.
pub fn before(now: Timestamp, length: Duration) -> Timestamp {
    now.checked_sub(length).unwrap_or(Timestamp::MIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOON: Timestamp = Timestamp::constant(1_800_000_000, 0);

    fn seconds(seconds: u64) -> Duration {
        Duration::from_secs(seconds)
    }

    #[test]
    fn store_time_moves_with_the_monotonic_clock() {
        let time = StoreTime::new(NOON, seconds(5));
        assert_eq!(time.at(seconds(8)), NOON + seconds(3));
    }

    #[test]
    fn a_store_clock_that_jumps_ahead_ages_nothing() {
        let time = StoreTime::new(NOON, seconds(0));
        time.anchor(NOON + seconds(3600), seconds(10));
        assert_eq!(time.at(seconds(10)), NOON + Duration::from_millis(10_010));
    }

    #[test]
    fn a_store_clock_that_is_set_back_is_followed() {
        let time = StoreTime::new(NOON, seconds(0));
        time.anchor(NOON - seconds(60), seconds(10));
        assert_eq!(time.at(seconds(11)), NOON - seconds(59));
    }

    #[test]
    fn ages_are_never_negative() {
        assert_eq!(age(NOON, NOON + seconds(2)), seconds(2));
        assert_eq!(age(NOON + seconds(2), NOON), Duration::ZERO);
    }
}

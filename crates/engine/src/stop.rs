//! Graceful stop: a flag everybody looks at between two steps, and the bells of those who wait.
//! Nothing is cancelled: a step in hand is finished.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};

use crate::ports::Wake;

/// A wish to stop. Clones are the same wish; asking twice is harmless.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<Inner>);

#[derive(Debug, Default)]
struct Inner {
    stopped: AtomicBool,
    waiting: Mutex<Waiting>,
}

/// Who must hear of it.
#[derive(Debug, Default)]
struct Waiting {
    bells: Vec<Wake>,
    children: Vec<Weak<Inner>>,
}

impl Stop {
    /// Nobody has asked to stop yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks everybody to stop: sets the flag, rings every bell, and stops every child.
    pub fn stop(&self) {
        self.0.stop();
    }

    /// Has somebody asked?
    pub fn is_stopped(&self) -> bool {
        self.0.stopped.load(Ordering::SeqCst)
    }

    /// Rings `bell` when the wish comes; at once if it has come already.
    pub fn rings(&self, bell: &Wake) {
        self.0.waiting().bells.push(bell.clone());
        if self.is_stopped() {
            bell.ring();
        }
    }

    /// A wish of its own that also comes true when this one does.
    pub fn child(&self) -> Self {
        let child = Self::new();
        let mut waiting = self.0.waiting();
        waiting.children.retain(|child| child.strong_count() > 0);
        waiting.children.push(Arc::downgrade(&child.0));
        drop(waiting);
        if self.is_stopped() {
            child.stop();
        }
        child
    }
}

impl Inner {
    fn stop(&self) {
        self.stopped.store(true, Ordering::SeqCst);
        let waiting = self.waiting();
        waiting.bells.iter().for_each(Wake::ring);
        waiting.children.iter().filter_map(Weak::upgrade).for_each(|child| child.stop());
    }

    fn waiting(&self) -> std::sync::MutexGuard<'_, Waiting> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;

    use super::*;

    #[test]
    fn stopping_rings_every_bell_and_reaches_children() {
        let stop = Stop::new();
        let child = stop.child();
        let (own, of_child) = (Wake::default(), Wake::default());
        stop.rings(&own);
        child.rings(&of_child);
        assert!(own.rung().now_or_never().is_none());
        stop.stop();
        stop.stop();
        assert!(child.is_stopped());
        assert!(own.rung().now_or_never().is_some());
        assert!(of_child.rung().now_or_never().is_some());
    }

    #[test]
    fn a_child_stops_alone_and_late_comers_hear_at_once() {
        let stop = Stop::new();
        stop.child().stop();
        assert!(!stop.is_stopped());
        stop.stop();
        assert!(stop.child().is_stopped());
        let late = Wake::default();
        stop.rings(&late);
        assert!(late.rung().now_or_never().is_some());
    }
}

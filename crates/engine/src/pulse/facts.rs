//! The five facts (INV-1) as counted by this process. Each has its own counter: none is derived
//! from another.

use std::sync::atomic::{AtomicU64, Ordering};

use domain::event::Target;

/// The five facts since the process started.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Facts {
    /// Rows seen in the mailbox: enqueued, or waiting above the watermark.
    pub landed: u64,
    /// Rows enqueued.
    pub enqueued: u64,
    /// Messages that reached a terminal state.
    pub processed: u64,
    /// Marks written or found.
    pub marked: u64,
    /// Marks given up.
    pub abandoned: u64,
    /// Events delivered to [`Target::Msg`].
    pub delivered_msg: u64,
    /// Events delivered to [`Target::Schd`].
    pub delivered_schd: u64,
}

#[derive(Debug, Default)]
pub(super) struct FactCounters {
    waiting: AtomicU64,
    enqueued: AtomicU64,
    processed: AtomicU64,
    marked: AtomicU64,
    abandoned: AtomicU64,
    delivered: [AtomicU64; Target::ALL.len()],
}

impl FactCounters {
    pub(super) fn waiting(&self, rows: u64) {
        self.waiting.store(rows, Ordering::Relaxed);
    }

    pub(super) fn enqueued(&self, rows: u64) {
        self.enqueued.fetch_add(rows, Ordering::Relaxed);
    }

    pub(super) fn processed(&self, rows: u64) {
        self.processed.fetch_add(rows, Ordering::Relaxed);
    }

    pub(super) fn marked(&self, rows: u64) {
        self.marked.fetch_add(rows, Ordering::Relaxed);
    }

    pub(super) fn abandoned(&self, rows: u64) {
        self.abandoned.fetch_add(rows, Ordering::Relaxed);
    }

    pub(super) fn delivered(&self, target: Target, events: u64) {
        self.delivered[target as usize].fetch_add(events, Ordering::Relaxed);
    }

    pub(super) fn view(&self) -> Facts {
        let enqueued = self.enqueued.load(Ordering::Relaxed);
        Facts {
            landed: enqueued + self.waiting.load(Ordering::Relaxed),
            enqueued,
            processed: self.processed.load(Ordering::Relaxed),
            marked: self.marked.load(Ordering::Relaxed),
            abandoned: self.abandoned.load(Ordering::Relaxed),
            delivered_msg: self.delivered[Target::Msg as usize].load(Ordering::Relaxed),
            delivered_schd: self.delivered[Target::Schd as usize].load(Ordering::Relaxed),
        }
    }
}

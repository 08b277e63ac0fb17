//! Which room took its last step when, and what it suffers from.

mod names;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

pub use self::names::Room;

/// A room at one moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RoomView {
    /// Which.
    pub room: Room,
    /// Time since its last step began.
    pub since_tick: Duration,
    /// Steps since the process started.
    pub ticks: u64,
    /// Steps that failed for reasons outside.
    pub failures: u64,
    /// Rows its last step worked on.
    pub selected: u64,
    /// What it suffers from now.
    pub trouble: Option<String>,
    /// Who paused it, why and until when, if it is paused.
    pub paused: Option<String>,
}

#[derive(Debug, Default)]
pub(super) struct Rooms([RoomState; Room::ALL.len()]);

#[derive(Debug, Default)]
struct RoomState {
    ticked_micros: AtomicU64,
    ticks: AtomicU64,
    failures: AtomicU64,
    selected: AtomicU64,
    trouble: Mutex<Option<String>>,
    paused: Mutex<Option<String>>,
}

impl Rooms {
    pub(super) fn new(now: Duration) -> Self {
        let rooms = Self::default();
        rooms.start(now);
        rooms
    }

    /// Everybody begins anew at `now`.
    pub(super) fn start(&self, now: Duration) {
        for state in &self.0 {
            state.ticked_micros.store(micros(now), Ordering::Relaxed);
            state.set_trouble(None);
            state.set_paused(None);
        }
    }

    pub(super) fn tick(&self, room: Room, now: Duration) {
        let state = &self.0[room as usize];
        state.ticked_micros.store(micros(now), Ordering::Relaxed);
        state.ticks.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn selected(&self, room: Room, rows: u64) {
        self.0[room as usize].selected.store(rows, Ordering::Relaxed);
    }

    pub(super) fn well(&self, room: Room) {
        self.0[room as usize].set_trouble(None);
    }

    pub(super) fn trouble(&self, room: Room, words: &str) {
        let state = &self.0[room as usize];
        state.failures.fetch_add(1, Ordering::Relaxed);
        state.set_trouble(Some(words.to_owned()));
    }

    /// Returns what it was before.
    pub(super) fn set_paused(&self, room: Room, words: Option<String>) -> Option<String> {
        self.0[room as usize].set_paused(words)
    }

    pub(super) fn view(&self, now: Duration) -> Vec<RoomView> {
        Room::ALL.into_iter().zip(&self.0).map(|(room, state)| state.view(room, now)).collect()
    }
}

impl RoomState {
    fn set_trouble(&self, trouble: Option<String>) {
        *self.trouble.lock().unwrap_or_else(PoisonError::into_inner) = trouble;
    }

    /// Returns what it was before.
    fn set_paused(&self, words: Option<String>) -> Option<String> {
        std::mem::replace(&mut *self.paused.lock().unwrap_or_else(PoisonError::into_inner), words)
    }

    fn view(&self, room: Room, now: Duration) -> RoomView {
        let ticked = Duration::from_micros(self.ticked_micros.load(Ordering::Relaxed));
        RoomView {
            room,
            since_tick: now.saturating_sub(ticked),
            ticks: self.ticks.load(Ordering::Relaxed),
            failures: self.failures.load(Ordering::Relaxed),
            selected: self.selected.load(Ordering::Relaxed),
            trouble: self.trouble.lock().unwrap_or_else(PoisonError::into_inner).clone(),
            paused: self.paused.lock().unwrap_or_else(PoisonError::into_inner).clone(),
        }
    }
}

fn micros(duration: Duration) -> u64 {
    u64::try_from(duration.as_micros()).unwrap_or(u64::MAX)
}

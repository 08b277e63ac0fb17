//! What the rooms tell of their work.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use domain::MsgId;
use domain::event::Target;
use domain::flight::Flight;
use domain::lifecycle::Pause;
use domain::mailbox::OpenGap;
use domain::message::{Candidate, Settled};
use jiff::Timestamp;

use crate::happened::{RoomPaused, RoomResumed};

use super::{Changed, Head, Outcome, Pulse, Role, Room, lock};

impl Pulse {
    pub(crate) fn take_role(&self, role: Role) {
        *lock(&self.role) = role;
        self.rooms.start((self.monotonic)());
    }

    pub(crate) fn tick(&self, room: Room) {
        self.rooms.tick(room, (self.monotonic)());
    }

    /// A step found so many rows to work on.
    pub(crate) fn selected(&self, room: Room, rows: usize) {
        self.rooms.selected(room, rows as u64);
    }

    /// So many flights became history.
    pub(crate) fn swept(&self, flights: u64) {
        self.flights_swept.fetch_add(flights, Ordering::Relaxed);
    }

    pub(crate) fn well(&self, room: Room) {
        self.rooms.well(room);
    }

    /// An operator has paused the room. Said once.
    pub(crate) fn rests(&self, room: Room, pause: &Pause) {
        let words = pause.to_string();
        if self.rooms.set_paused(room, Some(words.clone())).as_ref() != Some(&words) {
            RoomPaused { room, words }.emit();
        }
        self.rooms.well(room);
    }

    /// The room is not paused.
    pub(crate) fn resumed(&self, room: Room) {
        if self.rooms.set_paused(room, None).is_some() {
            RoomResumed { room }.emit();
        }
    }

    pub(crate) fn trouble(&self, room: Room, words: &str) {
        self.rooms.trouble(room, words);
    }

    /// The watermark and the open gaps as the store has them, and what lies beyond.
    pub(crate) fn discovered(&self, watermark: MsgId, open: &[OpenGap]) {
        self.watermark.store(watermark.0, Ordering::Relaxed);
        self.mailbox_last.fetch_max(watermark.0, Ordering::Relaxed);
        self.gaps_open.store(open.len() as u64, Ordering::Relaxed);
        lock(&self.queue).oldest_gap = open.iter().map(|gap| gap.first_seen).min();
    }

    /// Rows seen above the watermark and not taken up yet.
    pub(crate) fn waiting(&self, rows: u64, last: Option<MsgId>) {
        self.facts.waiting(rows);
        if let Some(last) = last {
            self.mailbox_last.fetch_max(last.0, Ordering::Relaxed);
        }
    }

    /// Rows taken up by a poll that began at `seen`.
    pub(crate) fn enqueued(&self, first: MsgId, last: MsgId, rows: u64, seen: Timestamp) {
        self.facts.enqueued(rows);
        lock(&self.arrivals).note(first, last, seen);
    }

    /// When the poll that took up a message began; `None` if too long ago to remember.
    pub(crate) fn arrival(&self, msg_id: MsgId) -> Option<Timestamp> {
        lock(&self.arrivals).of(msg_id)
    }

    pub(crate) fn head(&self, head: Option<&Candidate>, now: Timestamp) {
        let mut queue = lock(&self.queue);
        queue.seen_at = Some(now);
        let failure = queue.failure;
        queue.head = head.map(|candidate| Head {
            msg_id: candidate.msg_id,
            attempts: candidate.attempts,
            enqueued_at: candidate.enqueued_at,
            blocked_until: candidate.due.filter(|due| *due > now),
            class: failure.filter(|(msg_id, _)| *msg_id == candidate.msg_id).map(|(_, class)| class),
        });
    }

    /// A message ended a try; the name is bounded, for metrics.
    pub(crate) fn settled(&self, settled: &Settled) -> Outcome {
        if settled.conclusion.state().is_terminal() {
            self.facts.processed(1);
        } else if let Some((class, _)) = &settled.attempt_failure {
            lock(&self.queue).failure = Some((settled.msg_id, *class));
        }
        lock(&self.outcomes).count(settled)
    }

    /// Tells whoever watches which flights changed.
    pub(crate) fn changed(&self, flights: Vec<Flight>, last: MsgId, at: Timestamp) {
        if flights.is_empty() || self.changes.receiver_count() == 0 {
            return;
        }
        let flights = flights.into_iter().map(Arc::new).collect();
        // Nobody left to hear it is no error.
        let _unheard = self.changes.send(Arc::new(Changed { flights, last, at }));
    }

    pub(crate) fn delivered(&self, target: Target, events: u64) {
        self.facts.delivered(target, events);
    }

    pub(crate) fn marked(&self, rows: u64) {
        self.facts.marked(rows);
    }

    pub(crate) fn abandoned(&self, rows: u64) {
        self.facts.abandoned(rows);
    }
}

//! Live state for people: health, the page, metrics that are read rather than counted. Never a
//! source for a decision: what the engine acts on is what the store says (INV-11).

mod arrivals;
mod facts;
mod outcomes;
mod rooms;

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::event::Target;
use domain::flight::Flight;
use domain::message::{Candidate, ErrorClass, Settled};
use domain::{Epoch, MsgId};
use jiff::Timestamp;
use tokio::sync::broadcast;

pub use facts::Facts;
pub use outcomes::{Outcome, OutcomeTotal};
pub use rooms::{Room, RoomView};

use arrivals::Arrivals;
use facts::FactCounters;
use outcomes::Outcomes;
use rooms::Rooms;

/// How many changes a slow reader of [`Pulse::changes`] may lag behind before it misses some.
const CHANGES_KEPT: usize = 256;

/// How long a room may be without a new step before the process counts as stuck. A back-off is at
/// most 30 s and a step is one or two calls.
const STUCK_AFTER: Duration = Duration::from_secs(90);

/// Live state of the engine.
pub struct Pulse {
    monotonic: Box<dyn Fn() -> Duration + Send + Sync>,
    role: Mutex<Role>,
    rooms: Rooms,
    facts: FactCounters,
    outcomes: Mutex<Outcomes>,
    arrivals: Mutex<Arrivals>,
    queue: Mutex<QueueState>,
    watermark: AtomicI64,
    mailbox_last: AtomicI64,
    gaps_open: AtomicU64,
    changes: broadcast::Sender<Arc<Changed>>,
}

/// What this process does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// Waits for the lease.
    Standby,
    /// Holds the lease.
    Leader(Epoch),
    /// Has stopped.
    Stopped,
}

/// What a run of messages changed, for the live page.
#[derive(Debug, Clone, PartialEq)]
pub struct Changed {
    /// Flights as they are now.
    pub flights: Vec<Arc<Flight>>,
    /// The last message of the run.
    pub last: MsgId,
    /// Store time of the commit.
    pub at: Timestamp,
}

/// The head as the pump last saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The message.
    pub msg_id: MsgId,
    /// Failed attempts so far.
    pub attempts: u32,
    /// When it was enqueued.
    pub enqueued_at: Timestamp,
    /// It has failed and waits until then: everything behind it waits too (INV-3).
    pub blocked_until: Option<Timestamp>,
    /// Class of the failure that blocks, when this process saw it.
    pub class: Option<ErrorClass>,
}

#[derive(Debug, Default)]
struct QueueState {
    head: Option<Head>,
    failure: Option<(MsgId, ErrorClass)>,
    oldest_gap: Option<Timestamp>,
    seen_at: Option<Timestamp>,
}

/// Everything at one moment, as plain data.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot {
    /// Leader or standby.
    pub role: Role,
    /// Every room.
    pub rooms: Vec<RoomView>,
    /// The five facts since the process started.
    pub facts: Facts,
    /// Ends by type, subtype, state and class since the process started.
    pub outcomes: Vec<OutcomeTotal>,
    /// Watermark W; 0 before the first start.
    pub watermark: MsgId,
    /// Largest mailbox ID seen.
    pub mailbox_last: MsgId,
    /// Open gaps.
    pub gaps_open: u64,
    /// When the oldest of them was first seen.
    pub oldest_gap: Option<Timestamp>,
    /// The head.
    pub head: Option<Head>,
    /// Store time of the last look at the head.
    pub seen_at: Option<Timestamp>,
}

impl Pulse {
    /// A pulse for ages by `monotonic`.
    pub fn new(monotonic: impl Fn() -> Duration + Send + Sync + 'static) -> Self {
        let rooms = Rooms::new(monotonic());
        Self {
            monotonic: Box::new(monotonic),
            role: Mutex::new(Role::Standby),
            rooms,
            facts: FactCounters::default(),
            outcomes: Mutex::default(),
            arrivals: Mutex::default(),
            queue: Mutex::default(),
            watermark: AtomicI64::new(0),
            mailbox_last: AtomicI64::new(0),
            gaps_open: AtomicU64::new(0),
            changes: broadcast::Sender::new(CHANGES_KEPT),
        }
    }

    /// Is it able to do its work? As standby: can it ask for the lease? As leader: does every room
    /// work? The error says what doesn't, in words for people.
    pub fn ready(&self) -> Result<(), Vec<String>> {
        let mut words = self.stuck();
        words.extend(
            self.working_rooms()
                .filter_map(|view| view.trouble.map(|trouble| format!("{}: {trouble}", view.room.name()))),
        );
        if self.role() == Role::Stopped {
            words.push("stopped".to_owned());
        }
        if words.is_empty() { Ok(()) } else { Err(words) }
    }

    /// Does every room still take steps? The error names those that don't.
    pub fn live(&self) -> Result<(), Vec<String>> {
        let words = self.stuck();
        if words.is_empty() { Ok(()) } else { Err(words) }
    }

    /// Everything at this moment.
    pub fn snapshot(&self) -> Snapshot {
        let queue = lock(&self.queue);
        Snapshot {
            role: self.role(),
            rooms: self.rooms.view((self.monotonic)()),
            facts: self.facts.view(),
            outcomes: lock(&self.outcomes).totals(),
            watermark: MsgId(self.watermark.load(Ordering::Relaxed)),
            mailbox_last: MsgId(self.mailbox_last.load(Ordering::Relaxed)),
            gaps_open: self.gaps_open.load(Ordering::Relaxed),
            oldest_gap: queue.oldest_gap,
            head: queue.head.clone(),
            seen_at: queue.seen_at,
        }
    }

    /// Changes of flights from now on.
    pub fn changes(&self) -> broadcast::Receiver<Arc<Changed>> {
        self.changes.subscribe()
    }

    /// Leader or standby.
    pub fn role(&self) -> Role {
        *lock(&self.role)
    }

    fn stuck(&self) -> Vec<String> {
        self.working_rooms()
            .filter(|view| view.since_tick > STUCK_AFTER)
            .map(|view| format!("{}: no step for {:.0?}", view.room.name(), view.since_tick))
            .collect()
    }

    /// The rooms that ought to be working in the present role.
    fn working_rooms(&self) -> impl Iterator<Item = RoomView> {
        let role = self.role();
        self.rooms.view((self.monotonic)()).into_iter().filter(move |view| match role {
            Role::Standby => view.room == Room::Lease,
            Role::Leader(_) => true,
            Role::Stopped => false,
        })
    }
}

/// What the rooms tell.
impl Pulse {
    pub(crate) fn take_role(&self, role: Role) {
        *lock(&self.role) = role;
        self.rooms.start((self.monotonic)());
    }

    pub(crate) fn tick(&self, room: Room) {
        self.rooms.tick(room, (self.monotonic)());
    }

    pub(crate) fn well(&self, room: Room) {
        self.rooms.well(room);
    }

    pub(crate) fn trouble(&self, room: Room, words: &str) {
        self.rooms.trouble(room, words);
    }

    /// The watermark and the open gaps as the store has them, and what lies beyond.
    pub(crate) fn discovered(&self, watermark: MsgId, open: &[domain::mailbox::OpenGap]) {
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

/// A panic elsewhere must not blind the page.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pulse_at(now: &Arc<AtomicU64>) -> Pulse {
        let now = now.clone();
        Pulse::new(move || Duration::from_secs(now.load(Ordering::Relaxed)))
    }

    #[test]
    fn readiness_names_the_room_in_trouble_and_its_words() {
        let pulse = pulse_at(&Arc::default());
        pulse.take_role(Role::Leader(Epoch(1)));
        pulse.trouble(Room::Pump, "store unavailable: gone");
        assert_eq!(pulse.ready(), Err(vec!["pump: store unavailable: gone".to_owned()]));
        assert_eq!(pulse.live(), Ok(()));
        pulse.well(Room::Pump);
        assert_eq!(pulse.ready(), Ok(()));
    }

    #[test]
    fn liveness_comes_from_progress() {
        let now = Arc::new(AtomicU64::new(0));
        let pulse = pulse_at(&now);
        pulse.take_role(Role::Leader(Epoch(1)));
        now.store(91, Ordering::Relaxed);
        Room::ALL.into_iter().filter(|room| *room != Room::Marks).for_each(|room| pulse.tick(room));
        assert_eq!(pulse.live(), Err(vec!["marks: no step for 91s".to_owned()]));
    }

    #[test]
    fn a_standby_is_ready_when_it_can_ask_for_the_lease() {
        let now = Arc::new(AtomicU64::new(0));
        let pulse = pulse_at(&now);
        now.store(200, Ordering::Relaxed);
        pulse.tick(Room::Lease);
        assert_eq!(pulse.ready(), Ok(()));
        pulse.trouble(Room::Lease, "store unavailable: gone");
        assert!(pulse.ready().is_err());
    }
}

//! Live state for people: health, the page, metrics that are read rather than counted. Never a
//! source for a decision: what the engine acts on is what the store says (INV-11).

mod arrivals;
mod facts;
mod health;
mod outcomes;
mod queue;
mod rooms;
mod told;

use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::flight::Flight;
use domain::{Epoch, MsgId};
use jiff::Timestamp;
use tokio::sync::broadcast;

pub use facts::Facts;
pub use outcomes::{Outcome, OutcomeTotal};
pub use queue::Head;
pub use rooms::{Room, RoomView};

use arrivals::Arrivals;
use facts::FactCounters;
use outcomes::Outcomes;
use queue::QueueState;
use rooms::Rooms;

/// How many changes a slow reader of [`Pulse::changes`] may lag behind before it misses some.
const CHANGES_KEPT: usize = 256;

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
    flights_swept: AtomicU64,
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
            flights_swept: AtomicU64::new(0),
            changes: broadcast::Sender::new(CHANGES_KEPT),
        }
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

    /// Flights that became history since the process started: they change no more, they are gone.
    pub fn flights_swept(&self) -> u64 {
        self.flights_swept.load(Ordering::Relaxed)
    }

    /// Leader or standby.
    pub fn role(&self) -> Role {
        *lock(&self.role)
    }
}

/// A panic elsewhere must not blind the page.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

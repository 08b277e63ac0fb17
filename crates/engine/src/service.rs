//! Starts and stops the rooms: standby, a term of leadership, standby again, until asked to stop.
//!
//! A room never ends by itself. A panic in one is a broken invariant of ours: the others finish
//! their step, and the service ends with [`Ended::Panicked`] so that the process exits loudly.

use std::collections::HashMap;
use std::sync::Arc;

use domain::backoff::Backoff;
use domain::decide::Policy;
use domain::event::Target;
use tokio::task::{Id, JoinError, JoinSet};

use crate::bells::Bells;
use crate::delivery::Delivery;
use crate::discovery::{Audit, Discovery};
use crate::ending::close;
use crate::happened::LeaseLost;
use crate::jobs::{ArchiveRetention, Archiver, Comparison, EventRetention, History, RawRetention, Retention};
use crate::lease::{self, Renewal};
use crate::marks::Marks;
use crate::pauses::PauseWatch;
use crate::ports::{Clock, Mailbox, Sink, Store, Wake};
use crate::pulse::{Pulse, Role, Room};
use crate::pump::Pump;
use crate::room::{Work, work};
use crate::settings::Settings;
use crate::stop::Stop;
use crate::term::Term;

/// The engine: every room, on the adapters it is given.
pub struct Engine<M, S, K, C> {
    mailbox: Arc<M>,
    store: Arc<S>,
    sink: Arc<K>,
    clock: Arc<C>,
    settings: Settings,
    policy: Arc<Policy>,
    pulse: Arc<Pulse>,
    bells: Bells,
}

/// How the service ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ended {
    /// Asked to: the steps in hand are finished, the lease is given back.
    Stopped,
    /// An invariant of ours is broken: exit with a code other than zero.
    Panicked {
        /// The room.
        room: &'static str,
        /// What it said.
        words: String,
    },
}

impl<M: Mailbox, S: Store, K: Sink, C: Clock> Engine<M, S, K, C> {
    /// An engine that does nothing yet.
    pub fn new(mailbox: Arc<M>, store: Arc<S>, sink: Arc<K>, clock: Arc<C>, settings: Settings) -> Self {
        let monotonic = clock.clone();
        let pulse = Arc::new(Pulse::new(move || monotonic.monotonic()));
        let policy = Arc::new(settings.policy.clone());
        Self { mailbox, store, sink, clock, settings, policy, pulse, bells: Bells::default() }
    }

    /// Its live state.
    pub fn pulse(&self) -> Arc<Pulse> {
        self.pulse.clone()
    }

    /// Its bells: the ingress rings discovery's.
    pub fn bells(&self) -> Bells {
        self.bells.clone()
    }

    /// Works until asked to stop. Leadership that is lost is sought again.
    pub async fn run(&self, stop: &Stop) -> Ended {
        stop.rings(&self.bells.lease);
        let ended = loop {
            self.pulse.take_role(Role::Standby);
            let (clock, bell) = (&*self.clock, &self.bells.lease);
            let asked = lease::acquire(&*self.store, clock, &self.settings, &self.pulse, bell, stop).await;
            let Some(beginning) = asked else { break Ended::Stopped };
            let (pulse, bells) = (self.pulse.clone(), self.bells.clone());
            let term = Arc::new(Term::begin(&beginning, self.clock.clone(), pulse, bells, stop));
            if let Err(panicked) = self.serve(&term).await {
                break panicked;
            }
            close(&*self.store, &term).await;
            match term.lost() {
                Some(lost) => LeaseLost { epoch: term.epoch, reason: lost.name() }.emit(),
                None => lease::release(&*self.store, &term).await,
            }
        };
        self.pulse.take_role(Role::Stopped);
        ended
    }

    /// Runs every room for one term. Returns when all have ended.
    async fn serve(&self, term: &Arc<Term<C>>) -> Result<(), Ended> {
        let mut rooms = self.open_rooms(term);
        let mut result = Ok(());
        while let Some(ended) = rooms.tasks.join_next().await {
            if let Err(error) = ended {
                let room = rooms.names.get(&error.id()).map_or("unknown room", |room| room.name());
                let words = panic_words(error);
                tracing::error!(room, "panic, the process must end: {words}");
                result = result.and(Err(Ended::Panicked { room, words }));
            }
            // Whichever room ends, the term is over for all.
            term.end();
        }
        result
    }

    fn open_rooms(&self, term: &Arc<Term<C>>) -> Rooms<C> {
        let mut rooms = Rooms {
            tasks: JoinSet::new(),
            names: HashMap::new(),
            term: term.clone(),
            patience: self.settings.patience,
        };
        let (mailbox, store, bells) = (&self.mailbox, &self.store, &self.bells);
        let settings = &self.settings;
        rooms.open_renewal(Renewal::new(store.clone(), term.clone(), settings.lease_ttl), settings, bells);
        let discovery = settings.discovery.clone();
        let audit = Audit::new(mailbox.clone(), store.clone(), term.clone(), discovery.clone());
        let discovery = Discovery::new(mailbox.clone(), store.clone(), term.clone(), discovery);
        rooms.open(Room::Discovery, &bells.discovery, discovery);
        rooms.open(Room::Audit, &bells.audit, audit);
        let pump = Pump::new(store.clone(), term.clone(), self.policy.clone(), settings.pump.clone());
        rooms.open(Room::Pump, &bells.pump, pump);
        for (target, bell) in Target::ALL.into_iter().zip(&bells.delivery) {
            let (sink, delivery) = (self.sink.clone(), settings.delivery.clone());
            let delivery = Delivery::new(target, store.clone(), sink, term.clone(), delivery);
            rooms.open(Room::of_delivery(target), bell, delivery);
        }
        let marks = Marks::new(mailbox.clone(), store.clone(), term.clone(), settings.marks.clone());
        rooms.open(Room::Marks, &bells.marks, marks);
        self.open_jobs(&mut rooms, term);
        rooms
    }

    fn open_jobs(&self, rooms: &mut Rooms<C>, term: &Arc<Term<C>>) {
        let (mailbox, store, bells, settings) = (&self.mailbox, &self.store, &self.bells, &self.settings);
        let history = History::new(store.clone(), term.clone(), self.policy.clone(), &settings.history);
        rooms.open(Room::History, &bells.history, history);
        let retention = Retention::new(store.clone(), term.clone(), settings.retention.clone());
        rooms.open(Room::Pauses, &bells.pauses, PauseWatch::new(store.clone(), term.clone()));
        rooms.open(Room::Retention, &bells.retention, retention);
        let archive = Archiver::new(store.clone(), term.clone(), settings.archive.clone());
        rooms.open(Room::Archive, &bells.archive, archive);
        let kept = &settings.retention;
        let archived = ArchiveRetention::new(mailbox.clone(), store.clone(), term.clone(), kept.clone());
        rooms.open(Room::ArchiveRetention, &bells.archive_retention, archived);
        let events = EventRetention::new(store.clone(), term.clone(), kept.clone());
        rooms.open(Room::EventRetention, &bells.event_retention, events);
        let raw = RawRetention::new(store.clone(), term.clone(), kept.clone());
        rooms.open(Room::RawRetention, &bells.raw_retention, raw);
        let comparison = Comparison::new(mailbox.clone(), store.clone(), term.clone(), settings.clone());
        rooms.open(Room::Comparison, &bells.comparison, comparison);
    }
}

/// The rooms of a term under way.
struct Rooms<C> {
    tasks: JoinSet<()>,
    names: HashMap<Id, Room>,
    term: Arc<Term<C>>,
    patience: Backoff,
}

impl<C: Clock> Rooms<C> {
    fn open(&mut self, room: Room, bell: &Wake, todo: impl Work + 'static) {
        let task = self.tasks.spawn(work(room, bell.clone(), self.term.clone(), self.patience, todo));
        self.names.insert(task.id(), room);
    }

    /// A renewal that failed is tried again several times before the lease runs out.
    fn open_renewal(&mut self, renewal: impl Work + 'static, settings: &Settings, bells: &Bells) {
        let patience = Backoff { first: settings.lease_ttl / 10, cap: settings.lease_ttl / 5 };
        let todo = work(Room::Lease, bells.lease.clone(), self.term.clone(), patience, renewal);
        let task = self.tasks.spawn(todo);
        self.names.insert(task.id(), Room::Lease);
    }
}

fn panic_words(error: JoinError) -> String {
    if !error.is_panic() {
        return error.to_string();
    }
    let panic = error.into_panic();
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned())
        .unwrap_or_else(|| "panic without words".to_owned())
}

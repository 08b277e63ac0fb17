//! Rooms that an operator has paused. The store says which; here it is looked up once a second, and
//! each room asks before its next step.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::lifecycle::{Pausable, Pause};
use jiff::Timestamp;

use crate::ports::{Clock, Store};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::term::Term;

/// How often pauses are looked up, and longest that a paused room sleeps before it asks again.
pub(crate) const LOOK: Duration = Duration::from_secs(1);

/// The pauses as last looked up.
#[derive(Debug)]
pub(crate) struct KnownPauses(Mutex<Vec<Pause>>);

impl KnownPauses {
    pub(crate) fn new(pauses: Vec<Pause>) -> Self {
        Self(Mutex::new(pauses))
    }

    fn set(&self, pauses: Vec<Pause>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = pauses;
    }

    /// The pause in force for a room.
    pub(crate) fn of(&self, room: Room, now: Timestamp) -> Option<Pause> {
        let pausable = pausable(room)?;
        let pauses = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        pauses.iter().find(|pause| pause.room == pausable && pause.holds(now)).cloned()
    }
}

/// What a room is paused with; `None` for one that always works.
fn pausable(room: Room) -> Option<Pausable> {
    match room {
        Room::Discovery | Room::Audit => Some(Pausable::Discovery),
        Room::Pump => Some(Pausable::Pump),
        Room::DeliveryMsg | Room::DeliverySchd => Some(Pausable::Delivery),
        Room::Marks => Some(Pausable::Marks),
        Room::Lease
        | Room::Pauses
        | Room::History
        | Room::Retention
        | Room::Archive
        | Room::ArchiveRetention
        | Room::EventRetention
        | Room::RawRetention
        | Room::Comparison => None,
    }
}

/// Looks pauses up, as long as its term lasts.
pub(crate) struct PauseWatch<S, C> {
    store: Arc<S>,
    term: Arc<Term<C>>,
}

impl<S: Store, C: Clock> PauseWatch<S, C> {
    pub(crate) fn new(store: Arc<S>, term: Arc<Term<C>>) -> Self {
        Self { store, term }
    }
}

impl<S: Store, C: Clock> Work for PauseWatch<S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        self.term.pauses.set(self.store.pauses().await?);
        Ok(Next::Pause(LOOK))
    }
}

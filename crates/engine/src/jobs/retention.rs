//! Retention: flights in history and steps of timelines that are older than a site keeps them are
//! forgotten.

use std::sync::Arc;

use super::pace::Pace;
use crate::happened::{Forgotten, Kept};
use crate::ports::{Clock, Store};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::RetentionSettings;
use crate::term::Term;
use crate::time::before;

/// Forgets, as long as its term lasts.
pub(crate) struct Retention<S, C> {
    store: Arc<S>,
    term: Arc<Term<C>>,
    settings: RetentionSettings,
    pace: Pace,
}

impl<S: Store, C: Clock> Work for Retention<S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        if let Some(pause) = self.pace.pause(self.term.monotonic()) {
            return Ok(pause);
        }
        let Some(turn) = self.term.turns.take(&self.term).await else { return Ok(Next::Again) };
        let (epoch, batch) = (self.term.epoch, self.settings.batch.max(1));
        let old = before(self.term.now(), self.settings.flight_history);
        let flights = self.store.forget_history(epoch, old, batch).await?;
        let old = before(self.term.now(), self.settings.flight_change);
        let changes = self.store.forget_changes(epoch, old, batch).await?;
        let rows = usize::try_from(flights + changes).unwrap_or(usize::MAX);
        self.term.pulse.selected(Room::Retention, rows);
        Forgotten { what: Kept::FlightHistory, rows: flights }.emit();
        Forgotten { what: Kept::FlightChange, rows: changes }.emit();
        let now = self.term.monotonic();
        turn.over(now);
        Ok(self.pace.next(now, flights.max(changes) < batch as u64))
    }
}

impl<S: Store, C: Clock> Retention<S, C> {
    /// Retention for one term.
    pub(crate) fn new(store: Arc<S>, term: Arc<Term<C>>, settings: RetentionSettings) -> Self {
        let pace = Pace::new(settings.interval);
        Self { store, term, settings, pace }
    }
}

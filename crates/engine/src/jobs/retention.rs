//! Retention: flights in history and steps of timelines that are older than a site keeps them are
//! forgotten.

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;

use super::pace::Pace;
use crate::happened::Forgotten;
use crate::ports::{Clock, Store};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::RetentionSettings;
use crate::term::Term;

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
        let (epoch, batch) = (self.term.epoch, self.settings.batch.max(1));
        let before = self.before(self.settings.flight_history);
        let flights = self.store.forget_history(epoch, before, batch).await?;
        let before = self.before(self.settings.flight_change);
        let changes = self.store.forget_changes(epoch, before, batch).await?;
        let rows = usize::try_from(flights + changes).unwrap_or(usize::MAX);
        self.term.pulse.selected(Room::Retention, rows);
        Forgotten { flights, changes }.emit();
        if flights.max(changes) < batch as u64 {
            self.pace.done(self.term.monotonic());
        }
        Ok(Next::Again)
    }
}

impl<S: Store, C: Clock> Retention<S, C> {
    /// Retention for one term.
    pub(crate) fn new(store: Arc<S>, term: Arc<Term<C>>, settings: RetentionSettings) -> Self {
        let pace = Pace::new(settings.interval);
        Self { store, term, settings, pace }
    }

    /// What is older is forgotten.
    fn before(&self, kept: Duration) -> Timestamp {
        self.term.now().checked_sub(kept).unwrap_or(Timestamp::MIN)
    }
}

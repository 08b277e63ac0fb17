//! Retention of events that were delivered (G-EVENT-RETENTION). No flight is touched, so that no
//! `PIPELINE_LOCK` is taken (INV-18).

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
pub(crate) struct EventRetention<S, C> {
    store: Arc<S>,
    term: Arc<Term<C>>,
    settings: RetentionSettings,
    pace: Pace,
}

impl<S: Store, C: Clock> Work for EventRetention<S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        if let Some(pause) = self.pace.pause(self.term.monotonic()) {
            return Ok(pause);
        }
        let Some(turn) = self.term.turns.take(&self.term).await else { return Ok(Next::Again) };
        let batch = self.settings.batch.max(1);
        let old = before(self.term.now(), self.settings.events);
        let rows = self.store.forget_events(self.term.epoch, old, batch).await?;
        self.term.pulse.selected(Room::EventRetention, usize::try_from(rows).unwrap_or(usize::MAX));
        Forgotten { what: Kept::Events, rows }.emit();
        let now = self.term.monotonic();
        turn.over(now);
        Ok(self.pace.next(now, rows < batch as u64))
    }
}

impl<S: Store, C: Clock> EventRetention<S, C> {
    /// The job for one term.
    pub(crate) fn new(store: Arc<S>, term: Arc<Term<C>>, settings: RetentionSettings) -> Self {
        let pace = Pace::new(settings.interval);
        Self { store, term, settings, pace }
    }
}

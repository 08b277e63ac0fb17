//! The history sweep: flights whose day has been over for long enough become history (INV-18).

use std::sync::Arc;

use domain::decide::Policy;
use domain::flight::HistoryDue;

use super::pace::Pace;
use crate::happened::FlightsSwept;
use crate::ports::{Clock, Store, Wake};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::HistorySettings;
use crate::term::Term;

/// Sweeps, as long as its term lasts.
pub(crate) struct History<S, C> {
    store: Arc<S>,
    term: Arc<Term<C>>,
    policy: Arc<Policy>,
    batch: usize,
    pace: Pace,
}

impl<S: Store, C: Clock> Work for History<S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        if let Some(pause) = self.pace.pause(self.term.monotonic()) {
            return Ok(pause);
        }
        let Some(turn) = self.term.turns.take(&self.term).await else { return Ok(Next::Again) };
        let at = self.term.now();
        let due = HistoryDue::at(at, self.policy.flight.history_after, &self.policy.zone);
        let swept = self.store.sweep_flights(self.term.epoch, due, self.batch, at).await?;
        self.term.pulse.selected(Room::History, usize::try_from(swept).unwrap_or(usize::MAX));
        if swept > 0 {
            self.term.pulse.swept(swept);
            FlightsSwept { flights: swept, before: due.day }.emit();
            self.term.bells.delivery.iter().for_each(Wake::ring);
        }
        let now = self.term.monotonic();
        turn.over(now);
        // Code-shares go after their main flights, with a later batch.
        Ok(self.pace.next(now, swept == 0))
    }
}

impl<S: Store, C: Clock> History<S, C> {
    /// The sweep for one term.
    pub(crate) fn new(
        store: Arc<S>,
        term: Arc<Term<C>>,
        policy: Arc<Policy>,
        settings: &HistorySettings,
    ) -> Self {
        let pace = Pace::new(settings.interval);
        Self { store, term, policy, batch: settings.batch.max(1), pace }
    }
}

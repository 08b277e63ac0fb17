//! Jobs take turns, and give way to the pump: one batch at a time, begun when a step of the pump has
//! just ended, followed by a rest longer than the batch took (FC-34).
//!
//! The pump never waits for a job. A job waits for the pump a short while only: what is due is done
//! also where the pump is idle, held, or has more to do than it can.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::ports::{Clock, Wake};
use crate::term::Term;

/// Longest wait for a step of the pump to end.
const PATIENCE: Duration = Duration::from_millis(100);

/// Jobs rest this many times as long as the batch took: at most a tenth of one connection's time is
/// theirs, all of them together, however much there is to do.
const REST: u32 = 9;

/// Longest rest: a sweep goes on also where batches are slow.
const REST_MAX: Duration = Duration::from_secs(1);

/// How often one who waits looks by itself; the end of another's turn rings.
const LOOK: Duration = Duration::from_secs(30);

/// Whose turn it is.
#[derive(Debug, Default)]
pub(crate) struct Turns(Mutex<Table>);

#[derive(Debug, Default)]
struct Table {
    is_taken: bool,
    /// Monotonic time before which no batch begins.
    not_before: Duration,
}

/// One job's turn; it ends when dropped.
#[must_use = "the turn ends when it is dropped"]
pub(crate) struct Turn<'a> {
    turns: &'a Turns,
    bell: &'a Wake,
    begun: Duration,
}

impl Turns {
    /// Waits for the turn: those who wait come in the order in which they asked. `None` when the term
    /// ends.
    pub(crate) async fn take<'a, C: Clock>(&'a self, term: &'a Term<C>) -> Option<Turn<'a>> {
        while term.goes_on() {
            if let Some(not_before) = self.claim() {
                let (turns, bell) = (self, &term.bells.turns);
                let mut turn = Turn { turns, bell, begun: Duration::ZERO };
                term.rest(&term.bells.stepped, not_before.saturating_sub(term.monotonic())).await;
                if term.goes_on() {
                    term.pause(&term.bells.stepped, PATIENCE).await;
                }
                turn.begun = term.monotonic();
                return term.goes_on().then_some(turn);
            }
            term.pause(&term.bells.turns, LOOK).await;
        }
        // The end rings once: whoever hears it passes it on.
        term.bells.turns.ring();
        None
    }

    fn claim(&self) -> Option<Duration> {
        let mut table = self.table();
        let is_free = !std::mem::replace(&mut table.is_taken, true);
        is_free.then_some(table.not_before)
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn<'_> {
    /// The batch is over, at `now`: the rest begins.
    pub(crate) fn over(self, now: Duration) {
        let took = now.saturating_sub(self.begun);
        self.turns.table().not_before = now + (took * REST).min(REST_MAX);
    }
}

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.turns.table().is_taken = false;
        self.bell.ring();
    }
}

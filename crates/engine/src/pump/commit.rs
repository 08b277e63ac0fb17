//! Commits of the pump, and what each answer of the store leads to: done, split, blamed, in doubt,
//! changed meanwhile, or not now.

use domain::MsgId;
use domain::decide::{Effects, read, refused_by_store};
use domain::message::{Candidate, Settled};
use jiff::Timestamp;

use super::run::Pump;
use crate::happened::{CommitInDoubt, MessageSettled, RunCommitted, RunSplit};
use crate::ports::{Clock, Store, StoreError, Wake};
use crate::room::Trouble;

/// What became of a commit.
pub(super) enum Committed {
    Yes,
    /// Nothing was written, or it isn't known: look at the head again.
    LookAgain,
}

impl<S: Store, C: Clock> Pump<S, C> {
    /// Commits effects and draws the consequence of each answer.
    pub(super) async fn commit(&mut self, effects: Effects, at: Timestamp) -> Result<Committed, Trouble> {
        if !self.term.goes_on() {
            return Ok(Committed::LookAgain);
        }
        let conflicted = std::mem::take(&mut self.conflicted);
        match self.store.commit_run(self.term.epoch, &effects, at).await {
            Ok(()) => {
                self.done(effects, at);
                Ok(Committed::Yes)
            }
            Err(StoreError::Data(error)) => {
                self.refused(&effects, &error).await?;
                Ok(Committed::LookAgain)
            }
            Err(StoreError::InDoubt(words)) => {
                CommitInDoubt { first: first(&effects), words }.emit();
                self.doubt = Some((effects, at));
                Ok(Committed::LookAgain)
            }
            // Once is an operator's action; again and again is something to wait for.
            Err(StoreError::Conflict(words)) if !conflicted => {
                self.conflicted = true;
                tracing::debug!("the head has changed meanwhile, reading it again: {words}");
                Ok(Committed::LookAgain)
            }
            Err(
                error @ (StoreError::Conflict(_)
                | StoreError::Unavailable(_)
                | StoreError::Fenced(_)
                | StoreError::Corrupt { .. }),
            ) => Err(error.into()),
        }
    }

    /// The store refused the data: cut the run in half, or blame the message that was alone.
    async fn refused(&mut self, effects: &Effects, error: &str) -> Result<(), Trouble> {
        let (first, messages) = (first(effects), effects.settled.len());
        if messages > 1 {
            RunSplit { messages, first }.emit();
            self.suspects.refused(messages);
            return Ok(());
        }
        let rows = self.store.head(1, self.settings.run_bytes_max).await?;
        let Some(row) = rows.into_iter().next().filter(|row| row.msg_id == first) else { return Ok(()) };
        let at = self.term.now();
        let blamed = alone(refused_by_store(&read(row, &self.policy), error, at, &self.policy));
        match self.store.commit_run(self.term.epoch, &blamed, at).await {
            Ok(()) => self.done(blamed, at),
            Err(StoreError::InDoubt(words)) => {
                CommitInDoubt { first, words }.emit();
                self.doubt = Some((blamed, at));
            }
            Err(StoreError::Conflict(_)) => {}
            Err(
                error @ (StoreError::Unavailable(_)
                | StoreError::Fenced(_)
                | StoreError::Data(_)
                | StoreError::Corrupt { .. }),
            ) => return Err(error.into()),
        }
        Ok(())
    }

    /// A commit was not answered: waits until it has happened or never will, then looks at the
    /// head to learn which.
    pub(super) async fn settle_doubt(&mut self) -> Result<(), Trouble> {
        let Some((effects, at)) = &self.doubt else { return Ok(()) };
        self.store.settle_doubt().await?;
        let rows = self.store.head(1, self.settings.run_bytes_max).await?;
        let happened = happened(effects, rows.first());
        let at = *at;
        if let Some((effects, _)) = self.doubt.take()
            && happened
        {
            self.done(effects, at);
        }
        Ok(())
    }

    /// Committed: tells it and wakes those who work on the new facts.
    fn done(&mut self, effects: Effects, at: Timestamp) {
        let messages = effects.settled.len();
        self.suspects.passed(messages);
        let term = &self.term;
        term.bells.marks.ring();
        if !effects.events.is_empty() {
            term.bells.delivery.iter().for_each(Wake::ring);
        }
        for settled in &effects.settled {
            let outcome = term.pulse.settled(settled);
            MessageSettled { settled, outcome }.emit();
        }
        let last = effects.settled.last().map_or(MsgId(0), |settled| settled.msg_id);
        let (flights, events) = (effects.written().count(), effects.events.len());
        RunCommitted { messages, flights, events, passed: effects.passed, last }.emit();
        let flights = effects.new_flights.into_iter().chain(effects.flights).collect();
        term.pulse.changed(flights, last, at);
    }
}

/// Effects of one message that touches nothing but its own row.
pub(super) fn alone(settled: Settled) -> Effects {
    Effects { settled: vec![settled], ..Effects::default() }
}

fn first(effects: &Effects) -> MsgId {
    effects.settled.first().map_or(MsgId(0), |settled| settled.msg_id)
}

/// Has a commit in doubt happened, to judge by the head? A run that was committed is no longer at
/// the head; a message that failed is still there, with one attempt more.
fn happened(effects: &Effects, head: Option<&Candidate>) -> bool {
    match (effects.settled.first(), head) {
        (Some(settled), Some(head)) if head.msg_id == settled.msg_id => {
            head.attempts != settled.attempts_seen
        }
        (Some(_), _) => true,
        (None, _) => false,
    }
}

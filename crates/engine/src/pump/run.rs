//! The loop of the pump: read the head, decide in memory, commit once.

use std::sync::Arc;
use std::time::Duration;

use domain::decide::{Effects, Policy, Reading, World, decide_run, read, refused_by_store};
use domain::message::{Candidate, Settled};
use domain::{Flid, MsgId};
use jiff::Timestamp;

use super::plan::{Ready, Suspects, ready};
use crate::happened::{CommitInDoubt, MessageSettled, RunCommitted, RunSplit};
use crate::ports::{Clock, Store, StoreError};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::PumpSettings;
use crate::term::Term;
use crate::time::age;

/// Processes messages, as long as its term lasts.
pub(crate) struct Pump<S, C> {
    store: Arc<S>,
    term: Arc<Term<C>>,
    policy: Arc<Policy>,
    settings: PumpSettings,
    suspects: Suspects,
    /// Effects whose commit was not answered, and their time.
    doubt: Option<(Effects, Timestamp)>,
    /// The last commit met something that had changed meanwhile.
    conflicted: bool,
}

/// What became of a commit.
enum Committed {
    Yes,
    /// Nothing was written, or it isn't known: look at the head again.
    LookAgain,
}

impl<S: Store, C: Clock> Work for Pump<S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        self.settle_doubt().await?;
        let limit = self.suspects.limit(self.settings.run_messages_max);
        let mut rows = self.store.head(limit, self.settings.run_bytes_max).await?;
        let now = self.term.now();
        self.term.pulse.head(rows.first(), now);
        self.term.pulse.selected(Room::Pump, rows.len());
        match ready(&rows, now) {
            Ready::Nothing => Ok(Next::Pause(self.settings.idle)),
            // An operator may skip or replay it from another process meanwhile.
            Ready::NotBefore(due) => Ok(Next::Pause(age(now, due).min(self.settings.idle).max(TICK))),
            Ready::Run(messages) => {
                rows.truncate(messages);
                self.run(rows, now).await?;
                Ok(Next::Again)
            }
        }
    }
}

/// Shortest wait for a head that is not due: store times have microseconds.
const TICK: Duration = Duration::from_micros(1);

impl<S: Store, C: Clock> Pump<S, C> {
    /// The pump for one term.
    pub(crate) fn new(
        store: Arc<S>,
        term: Arc<Term<C>>,
        policy: Arc<Policy>,
        settings: PumpSettings,
    ) -> Self {
        Self { store, term, policy, settings, suspects: Suspects::default(), doubt: None, conflicted: false }
    }

    /// Decides a run and commits it: first the messages that ended, then the one that failed,
    /// alone.
    async fn run(&mut self, rows: Vec<Candidate>, now: Timestamp) -> Result<(), Trouble> {
        let messages = rows.len();
        let readings: Vec<Reading> = rows.into_iter().map(|row| read(row, &self.policy)).collect();
        let world = self.world(&readings).await?;
        let mut effects = decide_run(readings, world, now, &self.policy);
        let blocked = effects.blocked.take();
        let verdicts = effects.settled.len() + usize::from(blocked.is_some());
        assert!(
            verdicts == messages || (verdicts < messages && blocked.is_some()),
            "a run has a verdict for each message up to the one that failed"
        );
        if !effects.settled.is_empty() {
            match self.commit(effects, now).await? {
                Committed::Yes => {}
                Committed::LookAgain => return Ok(()),
            }
        }
        if let Some(blocked) = blocked {
            self.commit(alone(blocked), now).await?;
        }
        Ok(())
    }

    async fn world(&self, readings: &[Reading]) -> Result<World, StoreError> {
        let mut keys: Vec<_> = readings.iter().flat_map(Reading::keys).collect();
        let mut flids: Vec<Flid> = readings.iter().flat_map(Reading::flids).collect();
        keys.sort_unstable();
        keys.dedup();
        flids.sort_unstable();
        flids.dedup();
        if keys.is_empty() && flids.is_empty() {
            return Ok(World::default());
        }
        self.store.world(&keys, &flids).await
    }

    /// Commits effects and draws the consequence of each answer.
    async fn commit(&mut self, effects: Effects, at: Timestamp) -> Result<Committed, Trouble> {
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
    async fn settle_doubt(&mut self) -> Result<(), Trouble> {
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
            term.bells.delivery.iter().for_each(crate::ports::Wake::ring);
        }
        for settled in &effects.settled {
            let outcome = term.pulse.settled(settled);
            MessageSettled { settled, outcome }.emit();
        }
        let last = effects.settled.last().map_or(MsgId(0), |settled| settled.msg_id);
        let (flights, events) = (effects.flights.len(), effects.events.len());
        RunCommitted { messages, flights, events, last }.emit();
        term.pulse.changed(effects.flights, last, at);
    }
}

/// Effects of one message that touches nothing but its own row.
fn alone(settled: Settled) -> Effects {
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

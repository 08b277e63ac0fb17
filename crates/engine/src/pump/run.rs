//! The loop of the pump: read the head, decide in memory, commit once.

use std::sync::Arc;
use std::time::Duration;

use domain::Flid;
use domain::decide::{Effects, Policy, Reading, World, decide_run, read};
use domain::message::Candidate;
use jiff::Timestamp;
use tokio::runtime::{Handle, RuntimeFlavor};

use super::careful::Careful;
use super::commit::{Committed, alone};
use super::plan::{Ready, Suspects, ready};
use crate::ports::{Clock, Store, StoreError};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::PumpSettings;
use crate::term::Term;
use crate::time::age;

/// Processes messages, as long as its term lasts.
pub(crate) struct Pump<S, C> {
    pub(super) store: Arc<S>,
    pub(super) term: Arc<Term<C>>,
    pub(super) policy: Arc<Policy>,
    pub(super) settings: PumpSettings,
    pub(super) suspects: Suspects,
    /// After an unclean end, messages are tried alone.
    pub(super) careful: Careful,
    /// Effects whose commit was not answered, and their time.
    pub(super) doubt: Option<(Effects, Timestamp)>,
    /// The last commit met something that had changed meanwhile.
    pub(super) conflicted: bool,
}

impl<S: Store, C: Clock> Work for Pump<S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        self.learn_last_end().await?;
        self.settle_doubt().await?;
        self.relax(false).await?;
        let limit = self.careful.limit(self.suspects.limit(self.settings.run_messages_max));
        let mut rows = self.store.head(limit, self.settings.run_bytes_max).await?;
        let now = self.term.now();
        self.term.pulse.head(rows.first(), now);
        self.term.pulse.selected(Room::Pump, rows.len());
        match ready(&rows, now) {
            Ready::Nothing => {
                self.relax(true).await?;
                Ok(Next::Pause(self.settings.idle))
            }
            // An operator may skip or replay it from another process meanwhile.
            Ready::NotBefore(due) => Ok(Next::Pause(age(now, due).min(self.settings.idle).max(TICK))),
            Ready::Run(messages) => {
                rows.truncate(messages);
                match rows.pop() {
                    Some(only) if self.careful.is_on() => self.try_alone(only, now).await?,
                    last => {
                        rows.extend(last);
                        self.run(rows, now).await?;
                    }
                }
                self.term.bells.stepped.ring();
                Ok(Next::Again)
            }
        }
    }
}

/// What became of a run.
pub(super) enum Ran {
    /// Every message of it has ended.
    Ended,
    /// Some of them have not: one failed, or it has to be looked at again.
    GoesOn,
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
        let (suspects, careful) = (Suspects::default(), Careful::default());
        Self { store, term, policy, settings, suspects, careful, doubt: None, conflicted: false }
    }

    /// Decides a run and commits it: first the messages that ended, then the one that failed,
    /// alone.
    pub(super) async fn run(&mut self, rows: Vec<Candidate>, now: Timestamp) -> Result<Ran, Trouble> {
        let messages = rows.len();
        let readings: Vec<Reading> = aside(|| rows.into_iter().map(|row| read(row, &self.policy)).collect());
        let world = self.world(&readings).await?;
        let mut effects = aside(|| decide_run(readings, world, now, &self.policy));
        let blocked = effects.blocked.take();
        let verdicts = effects.settled.len() + usize::from(blocked.is_some());
        assert!(
            verdicts == messages || (verdicts < messages && blocked.is_some()),
            "a run has a verdict for each message up to the one that failed"
        );
        if !effects.settled.is_empty() {
            match self.commit(effects, now).await? {
                Committed::Yes => {}
                Committed::LookAgain => return Ok(Ran::GoesOn),
            }
        }
        let Some(blocked) = blocked else { return Ok(Ran::Ended) };
        self.commit(alone(blocked), now).await?;
        Ok(Ran::GoesOn)
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
}

/// Thinks while others work: a message of ten megabytes takes seconds, and the rooms that share
/// this thread must go on renewing the lease and answering meanwhile. A runtime of one thread, as
/// in tests, has nobody to hand them to.
fn aside<T>(think: impl FnOnce() -> T) -> T {
    if Handle::current().runtime_flavor() == RuntimeFlavor::MultiThread {
        tokio::task::block_in_place(think)
    } else {
        think()
    }
}

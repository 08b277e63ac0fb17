//! A run, message by message.

use jiff::Timestamp;

use super::flights::{Handled, Handler};
use super::holders::{Claim, Holders};
use super::outgoing::Outgoing;
use super::reading::{Failure, Finding, Named, Reading};
use super::{Effects, Passed, Policy, World};
use crate::MsgId;
use crate::flight::{Draft, Fleet, FlightChange, HistoryDue};
use crate::message::{Conclusion, ErrorClass, Holder, IdentityKey, Settled};

/// Decides a run: verdicts in order; `DEAD` and `SKIPPED` go on, `FAILED` ends it. `at` is the
/// store's time now.
pub fn decide_run(readings: Vec<Reading>, world: World, at: Timestamp, policy: &Policy) -> Effects {
    let mut run = Run {
        holders: Holders::new(world.holders),
        fleet: Fleet::new(world.flights, world.past),
        outgoing: Outgoing::default(),
        changes: Vec::new(),
        passed: Passed::default(),
        settled: Vec::with_capacity(readings.len()),
        at,
        due: HistoryDue::at(at, policy.flight.history_after, &policy.zone),
        policy,
    };
    let mut blocked = None;
    for reading in readings {
        let settled = run.decide(&reading);
        if let Conclusion::Failed { .. } = settled.conclusion {
            blocked = Some(settled);
            break;
        }
        run.settled.push(settled);
    }
    let events = run.outgoing.finish(&run.fleet, policy);
    let (new_flights, flights) = run.fleet.into_changed();
    Effects {
        settled: run.settled,
        new_flights,
        flights,
        changes: run.changes,
        events,
        blocked,
        passed: run.passed,
    }
}

/// The end of a try that the store refused for the message's own data while it was alone in its
/// transaction: FAILED(INFRA) with back-off, or DEAD(EXHAUSTED). It holds no identity
/// meanwhile: its next try claims it anew.
pub fn refused_by_store(reading: &Reading, error: &str, at: Timestamp, policy: &Policy) -> Settled {
    let failure = Failure {
        class: ErrorClass::Infra,
        error: format!("the store refused the message's data: {error}; fix the cause named there and replay"),
    };
    reading.failed(&failure, None, at, policy)
}

struct Run<'a> {
    holders: Holders,
    fleet: Fleet,
    outgoing: Outgoing,
    changes: Vec<FlightChange>,
    passed: Passed,
    settled: Vec<Settled>,
    at: Timestamp,
    due: HistoryDue,
    policy: &'a Policy,
}

impl Run<'_> {
    fn decide(&mut self, reading: &Reading) -> Settled {
        match &reading.finding {
            Finding::Bad(failure) => reading.failed(failure, None, self.at, self.policy),
            Finding::Ignored { rule } => reading.skipped(format!("ignored:{rule}")),
            Finding::Named(message) => self.decide_named(reading, message),
        }
    }

    fn decide_named(&mut self, reading: &Reading, message: &Named) -> Settled {
        match self.holders.claim(reading.msg_id, message, self.policy.identity) {
            Claim::Skip { reason } => {
                self.holders.release(reading.msg_id, message);
                reading.skipped(reason)
            }
            Claim::Take { key, from } => self.process(reading, message, key, from),
        }
    }

    /// Runs the handler and settles the identity.
    fn process(
        &mut self,
        reading: &Reading,
        message: &Named,
        key: IdentityKey,
        from: Option<MsgId>,
    ) -> Settled {
        let mut draft = Draft::new(&self.fleet);
        let mut handler = Handler {
            by: reading.msg_id,
            draft: &mut draft,
            due: &self.due,
            passed: Passed::default(),
            policy: self.policy,
        };
        let handled = handler.handle(message);
        let passed = handler.passed;
        let settled = match handled {
            Err(failure) => reading.failed(&failure, Some(key), self.at, self.policy),
            Ok(Handled::Reference { reason }) => {
                self.holders.release(reading.msg_id, message);
                return reading.skipped(reason);
            }
            Ok(handled) => {
                let finished = draft.finish();
                self.passed += passed;
                for change in self.fleet.apply(finished) {
                    self.changes.push(change.step(reading.msg_id, &reading.labels, self.policy.dictionary));
                    self.outgoing.note(&change, reading.msg_id, &reading.labels, self.policy);
                }
                Settled { identity: Some(key), ..reading.settled(conclusion(handled)) }
            }
        };
        self.bind(message, settled, from)
    }

    /// Binds the key. A DEAD holder of the same run simply never gets it; one in the store
    /// yields it in the same transaction.
    fn bind(&mut self, message: &Named, settled: Settled, from: Option<MsgId>) -> Settled {
        let Some(key) = settled.identity.clone() else { return settled };
        let holder = Holder {
            key,
            msg_id: settled.msg_id,
            state: settled.conclusion.state(),
            content_hash: settled.content_hash,
        };
        self.holders.record(message, holder);
        match from.and_then(|dead| self.settled.iter_mut().find(|earlier| earlier.msg_id == dead)) {
            Some(earlier) => {
                earlier.identity = None;
                Settled { yields: earlier.yields.take(), ..settled }
            }
            None => Settled { yields: from, ..settled },
        }
    }
}

fn conclusion(handled: Handled) -> Conclusion {
    match handled {
        Handled::Done => Conclusion::Succeeded,
        Handled::NoFlight { reason } | Handled::Reference { reason } => Conclusion::Skipped { reason },
    }
}

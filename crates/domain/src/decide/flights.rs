//! Handlers: what a readable body does to flights.

use std::collections::BTreeSet;

use sis::{Body, Record, Request, Schedule, ScheduleKind};

use super::reading::{Failure, Named};
use super::{Passed, Policy};
use crate::flight::{Draft, Flight, HistoryDue, Life, OnDayConflict, fold};
use crate::message::ErrorClass;
use crate::{Flid, MsgId};

/// How a message that reached its handler ends, unless it failed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Handled {
    /// SUCCEEDED, with or without effect.
    Done,
    /// SKIPPED: none of its flights could take it.
    NoFlight {
        /// Such as `deleted-flight:7`, `unknown-flight:7` or `in-history:7`.
        reason: String,
    },
    /// SKIPPED: reference data, which has no handler and so holds no identity.
    Reference {
        /// `reference:<TYPE>-<STYP>`.
        reason: String,
    },
}

/// One message at work.
pub(super) struct Handler<'a, 'f> {
    pub(super) by: MsgId,
    /// What the message does; it counts only if handling it ends `Ok` (INV-19).
    pub(super) draft: &'a mut Draft<'f>,
    pub(super) due: &'a HistoryDue,
    /// What found nothing to act on.
    pub(super) passed: Passed,
    pub(super) policy: &'a Policy,
}

impl Handler<'_, '_> {
    /// Hands the body to its handler.
    pub(super) fn handle(&mut self, message: &Named) -> Result<Handled, Failure> {
        match message.body.as_ref().map_err(Clone::clone)? {
            Body::Schedule(schedule) => self.schedule(schedule),
            Body::Flop(records) => self.operate(records),
            Body::Delete(records) => self.delete(records),
            Body::Reference(_) => {
                let reason = format!("reference:{}-{}", message.meta.kind, message.meta.subtype);
                Ok(Handled::Reference { reason })
            }
            Body::Request(request) => Err(unsupported(
                message,
                &requested(request),
                "ask its sender why it came, and name it in ignore.rules if more will come",
            )),
            Body::Unknown(unknown) => {
                let elements = unknown.elements.join(", ");
                Err(unsupported(
                    message,
                    &format!("the dictionary has no entry for it (its elements: {elements})"),
                    "add it to the dictionary and replay, or name it in ignore.rules",
                ))
            }
        }
    }

    fn schedule(&mut self, schedule: &Schedule) -> Result<Handled, Failure> {
        let found = schedule.records.len();
        if let Some(declared) = schedule.declared_records
            && u64::try_from(found) != Ok(declared)
        {
            return Err(protocol(format!(
                "RECS says {declared} records, the message has {found}: nothing of it was applied; ask the sender to send it again"
            )));
        }
        match schedule.kind {
            ScheduleKind::Delete => self.delete(&schedule.records),
            ScheduleKind::Upsert => self.plan(&schedule.records),
        }
    }

    /// Brings every flight listed. One that is history stays there, unless this begins a new life.
    fn plan(&mut self, records: &[Record]) -> Result<Handled, Failure> {
        self.count_not_applied(records);
        let mut ends = Ends::default();
        for mut update in fold(records, &self.policy.zone) {
            if self.policy.flight.clear_absent_optional {
                update.clear_absent(self.policy.dictionary);
            }
            let flid = update.flid;
            let flight = match (self.draft.get(flid).cloned(), self.draft.past(flid)) {
                (Some(flight), _) => flight,
                (None, None) => Flight::unknown(flid, Life::Active),
                (None, Some(past)) => match past.for_revival(self.by, update.day(), self.due) {
                    Some(flight) => flight,
                    None => {
                        self.passed.in_history += 1;
                        ends.passed.push(format!("in-history:{flid}"));
                        continue;
                    }
                },
            };
            ends.applied = true;
            let flight = flight.scheduled(update, self.by, on_day_conflict(self.policy));
            self.draft.put(flight.map_err(protocol)?);
        }
        Ok(ends.handled())
    }

    /// A record for a deleted flight, for one in history, or for an unknown one where these are
    /// skipped, stops no other; only if none of them finds its flight is the message skipped.
    fn operate(&mut self, records: &[Record]) -> Result<Handled, Failure> {
        self.count_not_applied(records);
        let mut ends = Ends::default();
        for update in fold(records, &self.policy.zone) {
            let flid = update.flid;
            let flight = match (self.draft.get(flid).cloned(), self.draft.past(flid)) {
                (Some(flight), _) if flight.life == Life::Deleted => {
                    self.passed.deleted_flight += 1;
                    ends.passed.push(format!("deleted-flight:{flid}"));
                    continue;
                }
                (None, Some(_)) => {
                    self.passed.in_history += 1;
                    ends.passed.push(format!("in-history:{flid}"));
                    continue;
                }
                (None, None) if self.policy.flight.skip_unknown => {
                    self.passed.unknown_flight += 1;
                    ends.passed.push(format!("unknown-flight:{flid}"));
                    continue;
                }
                (Some(flight), _) => flight,
                (None, None) => Flight::unknown(flid, Life::Partial),
            };
            ends.applied = true;
            let flight = flight.operated(update, self.by, on_day_conflict(self.policy));
            self.draft.put(flight.map_err(protocol)?);
        }
        Ok(ends.handled())
    }

    /// Deletes flights and, with a main flight, its active code-shares (C-25, Q14). Deleting what
    /// is history succeeds without effect.
    fn delete(&mut self, records: &[Record]) -> Result<Handled, Failure> {
        let listed: BTreeSet<Flid> = records.iter().map(|record| Flid(record.flid)).collect();
        for flid in records.iter().map(|record| Flid(record.flid)) {
            match self.draft.get(flid).cloned() {
                Some(flight) => self.delete_one(flight, &listed)?,
                None if self.draft.past(flid).is_some() => self.passed.in_history += 1,
                None => self.draft.put(Flight::never_seen(flid, self.by)),
            }
        }
        Ok(Handled::Done)
    }

    fn delete_one(&mut self, flight: Flight, listed: &BTreeSet<Flid>) -> Result<(), Failure> {
        let flid = flight.flid;
        if flight.can_be_deleted(self.by) {
            let children = self.draft.active_children(flid);
            if self.policy.flight.reject_delete_of_main
                && let Some(child) = children.iter().find(|child| !listed.contains(child))
            {
                return Err(protocol(format!(
                    "flight {flid} is the main flight of the active code-share flight {child}: nothing of the message was applied; delete the code-share flights first (or set flight.delete-main = cascade)"
                )));
            }
            for child in children {
                if let Some(child) = self.draft.get(child).cloned() {
                    self.draft.put(child.deleted(self.by));
                }
            }
        }
        self.draft.put(flight.deleted(self.by));
        Ok(())
    }

    fn count_not_applied(&mut self, records: &[Record]) {
        let elements: usize = records.iter().map(|record| record.not_applied.len()).sum();
        self.passed.not_applied += elements as u64;
    }
}

/// What became of a message's records.
#[derive(Default)]
struct Ends {
    applied: bool,
    passed: Vec<String>,
}

impl Ends {
    fn handled(self) -> Handled {
        if self.applied || self.passed.is_empty() {
            Handled::Done
        } else {
            Handled::NoFlight { reason: self.passed.join(" ") }
        }
    }
}

fn requested(request: &Request) -> String {
    match request {
        Request::Schedule { .. } => "RQFD is a request that goes out, none is answered here".into(),
        Request::ReferenceList { list } => {
            format!("RQRD for {list} is a request that goes out, none is answered here")
        }
    }
}

fn unsupported(message: &Named, why: &str, next: &str) -> Failure {
    let (kind, subtype) = (&message.meta.kind, &message.meta.subtype);
    Failure {
        class: ErrorClass::Unsupported,
        error: format!("no handler for TYPE {kind}, STYP {subtype}: {why}; {next}"),
    }
}

fn protocol(error: impl ToString) -> Failure {
    Failure { class: ErrorClass::Protocol, error: error.to_string() }
}

fn on_day_conflict(policy: &Policy) -> OnDayConflict {
    if policy.flight.keep_day { OnDayConflict::KeepDay } else { OnDayConflict::Refuse }
}

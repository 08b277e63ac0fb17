//! Handlers: what a readable body does to flights.

use std::collections::BTreeSet;

use sis::{Body, Record, Request, Schedule, ScheduleKind};

use super::Policy;
use super::reading::{Failure, Named};
use crate::flight::{Draft, Flight, Life, OnDayConflict, fold};
use crate::message::ErrorClass;
use crate::{Flid, MsgId};

/// How a message that reached its handler ends, unless it failed.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Handled {
    /// SUCCEEDED, with or without effect.
    Done,
    /// SKIPPED: none of its flights could take it.
    NoFlight {
        /// Such as `deleted-flight:7` or `unknown-flight:7`.
        reason: String,
    },
    /// SKIPPED: reference data, which has no handler and so holds no identity.
    Reference {
        /// `reference:<TYPE>-<STYP>`.
        reason: String,
    },
}

/// Hands a body to its handler; what it does goes into `draft`, which counts only if this is
/// `Ok` (INV-19).
pub(super) fn handle(
    message: &Named,
    by: MsgId,
    draft: &mut Draft<'_>,
    policy: &Policy,
) -> Result<Handled, Failure> {
    match message.body.as_ref().map_err(Clone::clone)? {
        Body::Schedule(schedule) => self::schedule(schedule, by, draft, policy),
        Body::Flop(records) => operate(records, by, draft, policy),
        Body::Delete(records) => delete(records, by, draft, policy),
        Body::Reference(_) => {
            let reason = format!("reference:{}-{}", message.meta.kind, message.meta.subtype);
            Ok(Handled::Reference { reason })
        }
        Body::Request(request) => Err(unsupported(message, &requested(request))),
        Body::Unknown(unknown) => {
            let elements = unknown.elements.join(", ");
            Err(unsupported(
                message,
                &format!("the dictionary has no entry for it (its elements: {elements})"),
            ))
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

fn unsupported(message: &Named, why: &str) -> Failure {
    let (kind, subtype) = (&message.meta.kind, &message.meta.subtype);
    Failure {
        class: ErrorClass::Unsupported,
        error: format!(
            "no handler for TYPE {kind}, STYP {subtype}: {why}; add it to the dictionary and replay, or name it in ignore.rules"
        ),
    }
}

fn protocol(error: impl ToString) -> Failure {
    Failure { class: ErrorClass::Protocol, error: error.to_string() }
}

fn schedule(
    schedule: &Schedule,
    by: MsgId,
    draft: &mut Draft<'_>,
    policy: &Policy,
) -> Result<Handled, Failure> {
    let found = schedule.records.len();
    if let Some(declared) = schedule.declared_records
        && u64::try_from(found) != Ok(declared)
    {
        return Err(protocol(format!(
            "RECS says {declared} records, the message has {found}: nothing of it was applied; ask the sender to send it again"
        )));
    }
    match schedule.kind {
        ScheduleKind::Delete => delete(&schedule.records, by, draft, policy),
        ScheduleKind::Upsert => {
            for mut update in fold(&schedule.records, &policy.zone) {
                if policy.flight.clear_absent_optional {
                    update.clear_absent(policy.dictionary);
                }
                let known = draft.get(update.flid).cloned();
                let flight = known.unwrap_or_else(|| Flight::unknown(update.flid, Life::Active));
                draft.put(flight.scheduled(update, by, on_day_conflict(policy)).map_err(protocol)?);
            }
            Ok(Handled::Done)
        }
    }
}

/// A record for a deleted flight, or for an unknown one where these are skipped, stops no other;
/// only if none of them finds its flight is the message skipped.
fn operate(
    records: &[Record],
    by: MsgId,
    draft: &mut Draft<'_>,
    policy: &Policy,
) -> Result<Handled, Failure> {
    let mut applied = false;
    let mut passed: Vec<String> = Vec::new();
    for update in fold(records, &policy.zone) {
        let known = draft.get(update.flid).cloned();
        let flight = match known {
            Some(flight) if flight.life == Life::Deleted => {
                passed.push(format!("deleted-flight:{}", update.flid));
                continue;
            }
            None if policy.flight.skip_unknown => {
                passed.push(format!("unknown-flight:{}", update.flid));
                continue;
            }
            Some(flight) => flight,
            None => Flight::unknown(update.flid, Life::Partial),
        };
        applied = true;
        draft.put(flight.operated(update, by, on_day_conflict(policy)).map_err(protocol)?);
    }
    if applied || passed.is_empty() {
        Ok(Handled::Done)
    } else {
        Ok(Handled::NoFlight { reason: passed.join(" ") })
    }
}

/// Deletes flights and, with a main flight, its active code-shares (C-25, Q14).
fn delete(records: &[Record], by: MsgId, draft: &mut Draft<'_>, policy: &Policy) -> Result<Handled, Failure> {
    let listed: BTreeSet<Flid> = records.iter().map(|record| Flid(record.flid)).collect();
    for flid in records.iter().map(|record| Flid(record.flid)) {
        let Some(flight) = draft.get(flid).cloned() else {
            draft.put(Flight::never_seen(flid, by));
            continue;
        };
        if flight.can_be_deleted(by) {
            let children = draft.active_children(flid);
            if policy.flight.reject_delete_of_main
                && let Some(child) = children.iter().find(|child| !listed.contains(child))
            {
                return Err(protocol(format!(
                    "flight {flid} is the main flight of the active code-share flight {child}: nothing of the message was applied; delete the code-share flights first (or set flight.delete-main = cascade)"
                )));
            }
            for child in
                children.into_iter().filter_map(|child| draft.get(child).cloned()).collect::<Vec<_>>()
            {
                draft.put(child.deleted(by));
            }
        }
        draft.put(flight.deleted(by));
    }
    Ok(Handled::Done)
}

fn on_day_conflict(policy: &Policy) -> OnDayConflict {
    if policy.flight.keep_day { OnDayConflict::KeepDay } else { OnDayConflict::Refuse }
}

//! Events of a run: one per message and flight changed, and each flight's last state once.

use std::collections::BTreeSet;

use super::Policy;
use crate::event::{Cause, EventType, NewEvent, Target, change_payload, flight_payload};
use crate::flight::{Change, Fleet, Life};
use crate::message::Labels;
use crate::{Flid, MsgId};

/// Events in the order in which the messages caused them.
#[derive(Debug, Default)]
pub(super) struct Outgoing(Vec<Entry>);

#[derive(Debug)]
enum Entry {
    Change(NewEvent),
    /// Written when the run is over: only the last state of a flight is published.
    State {
        flid: Flid,
        msg_id: MsgId,
    },
}

impl Outgoing {
    /// Notes what a message changed. PARTIAL flights and what was never published say nothing.
    pub(super) fn note(&mut self, change: &Change, msg_id: MsgId, labels: &Labels, policy: &Policy) {
        let flight = &change.after;
        if flight.life != Life::Active && !change.is_deletion() {
            return;
        }
        let payload = change_payload(change, Cause { msg_id, labels }, policy.dictionary);
        self.0.push(Entry::Change(NewEvent {
            target: Target::Msg,
            flid: flight.flid,
            event_type: EventType::Upsert,
            state_version: flight.state_version,
            payload,
            msg_id,
        }));
        self.0.push(Entry::State { flid: flight.flid, msg_id });
    }

    /// The events, states as `fleet` has them now.
    pub(super) fn finish(self, fleet: &Fleet, policy: &Policy) -> Vec<NewEvent> {
        let mut told: BTreeSet<Flid> = BTreeSet::new();
        let mut events = Vec::with_capacity(self.0.len());
        for entry in self.0.into_iter().rev() {
            match entry {
                Entry::Change(event) => events.push(event),
                Entry::State { flid, msg_id } => {
                    if told.insert(flid) {
                        events.extend(state(fleet, flid, msg_id, policy));
                    }
                }
            }
        }
        events.reverse();
        events
    }
}

fn state(fleet: &Fleet, flid: Flid, msg_id: MsgId, policy: &Policy) -> Option<NewEvent> {
    let flight = fleet.get(flid)?;
    let (event_type, payload) = match flight.life {
        Life::Active => {
            (EventType::Upsert, flight_payload(flight, &fleet.code_shares(flid), policy.dictionary))
        }
        Life::Deleted | Life::Partial => (EventType::Delete, "null".to_owned()),
    };
    Some(NewEvent {
        target: Target::Schd,
        flid,
        event_type,
        state_version: flight.state_version,
        payload,
        msg_id,
    })
}

//! The head of the queue and the world around it.

use std::collections::BTreeSet;

use domain::Flid;
use domain::decide::World;
use domain::flight::Flight;
use domain::message::{Candidate, IdentityKey, State, StoredBody};

use super::tables::Tables;

impl Tables {
    pub(super) fn head(&self, rows_max: usize, bytes_max: u64) -> Vec<Candidate> {
        let Some(watermark) = self.watermark else { return Vec::new() };
        let unfinished = self.rows.range(..=watermark).filter(|(_, row)| is_unfinished(row.state));
        let mut bytes = 0;
        let mut head = Vec::new();
        for (id, row) in unfinished.take(rows_max) {
            let (body, _) = self.raw.get(id).expect("an unfinished message keeps its body");
            bytes += match &**body {
                StoredBody::Bytes(body) => body.len() as u64,
                StoredBody::Missing | StoredBody::Oversized { .. } => 0,
            };
            if bytes > bytes_max && !head.is_empty() {
                break;
            }
            head.push(Candidate {
                msg_id: *id,
                state: row.state,
                attempts: row.attempts,
                due: row.due,
                enqueued_at: row.enqueued_at,
                body: StoredBody::clone(body),
            });
        }
        head
    }

    pub(super) fn world(&self, keys: &[IdentityKey], flids: &[Flid]) -> World {
        let holders = self.rows.iter().filter_map(|(id, row)| {
            let key = row.identity.clone().filter(|key| keys.contains(key))?;
            Some(self.holder(*id, row, key))
        });
        let family = self.families(flids);
        let flights = family.iter().filter_map(|flid| self.current(*flid)).cloned();
        World { holders: holders.collect(), flights: flights.collect(), past: self.past_of(flids) }
    }

    /// The flights asked for, their mains, and the children of both; children of a flight
    /// asked for are found even where the flight itself isn't known yet.
    fn families(&self, flids: &[Flid]) -> BTreeSet<Flid> {
        let mains = flids.iter().filter_map(|flid| self.current(*flid)?.main_flid());
        let mains = mains.filter(|main| self.flights.contains_key(main));
        let parents: BTreeSet<Flid> = flids.iter().copied().chain(mains).collect();
        let is_child = |flid: &Flid| {
            self.current(*flid).and_then(Flight::main_flid).is_some_and(|f| parents.contains(&f))
        };
        let children: Vec<Flid> = self.flights.keys().copied().filter(is_child).collect();
        parents.into_iter().chain(children).collect()
    }
}

/// PENDING and FAILED hold a place in the queue (INV-3).
pub(super) fn is_unfinished(state: State) -> bool {
    match state {
        State::Pending | State::Failed => true,
        State::Succeeded | State::Skipped | State::Dead | State::Archived => false,
    }
}

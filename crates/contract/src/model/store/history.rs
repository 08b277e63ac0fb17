//! Flights that become history, and what is forgotten.

use std::collections::BTreeMap;

use domain::Flid;
use domain::event::{EventType, NewEvent, Target};
use domain::flight::{Flight, HistoryDue, Life, PastFlight};
use jiff::Timestamp;

use super::tables::{Current, Tables};

impl Tables {
    pub(super) fn current(&self, flid: Flid) -> Option<&Flight> {
        self.flights.get(&flid).map(|current| &current.flight)
    }

    /// Of the flights asked for, the newest life of those without a current one.
    pub(super) fn past_of(&self, flids: &[Flid]) -> Vec<PastFlight> {
        let gone = flids.iter().filter(|flid| !self.flights.contains_key(flid));
        gone.filter_map(|flid| {
            let (_, (flight, _)) = self.past.range((*flid, i32::MIN)..=(*flid, i32::MAX)).next_back()?;
            let Flight { state_version, incarnation, last_by, .. } = *flight;
            Some(PastFlight { flid: *flid, state_version, incarnation, last_by })
        })
        .collect()
    }

    pub(super) fn sweep(&mut self, due: HistoryDue, limit: usize, at: Timestamp) -> u64 {
        let mut flights: Vec<&Flight> = self
            .flights
            .values()
            .filter(|current| is_due(current, due) && !self.stays_for_its_main(&current.flight, due))
            .map(|current| &current.flight)
            .collect();
        flights.sort_by_key(|flight| {
            let day = flight.operation_day;
            (day.is_none(), day, flight.flid)
        });
        flights.truncate(limit);
        let flights: Vec<Flid> = flights.into_iter().map(|flight| flight.flid).collect();
        for flid in &flights {
            let swept = self.flights.remove(flid).expect("found above");
            self.keep(swept.flight, at);
        }
        flights.len() as u64
    }

    /// Its main flight would lose it, and its projection would change without a message. Two that name
    /// each other go together.
    fn stays_for_its_main(&self, flight: &Flight, due: HistoryDue) -> bool {
        let main = flight.main_flid().filter(|main| *main != flight.flid);
        main.and_then(|main| self.flights.get(&main))
            .filter(|main| main.flight.life == Life::Active)
            .is_some_and(|main| main.flight.main_flid() != Some(flight.flid) || !is_due(main, due))
    }

    fn keep(&mut self, mut flight: Flight, at: Timestamp) {
        if flight.life == Life::Active {
            flight.state_version += 1;
            let tombstone = NewEvent {
                target: Target::Schd,
                flid: flight.flid,
                event_type: EventType::Delete,
                state_version: flight.state_version,
                payload: "null".to_owned(),
                msg_id: flight.last_by,
            };
            self.write_event(&tombstone, at);
        }
        self.past.insert((flight.flid, flight.incarnation), (flight, at));
    }

    pub(super) fn forget_history(&mut self, before: Timestamp, limit: usize) -> u64 {
        forget(&mut self.past, before, limit)
    }

    pub(super) fn forget_changes(&mut self, before: Timestamp, limit: usize) -> u64 {
        forget(&mut self.changes, before, limit)
    }
}

fn is_due(current: &Current, due: HistoryDue) -> bool {
    match current.flight.operation_day {
        Some(day) => day < due.day,
        None => current.updated_at < due.silent_since,
    }
}

/// Removes the oldest rows written before `before`.
fn forget<K: Copy + Ord, R>(rows: &mut BTreeMap<K, (R, Timestamp)>, before: Timestamp, limit: usize) -> u64 {
    let mut old: Vec<(Timestamp, K)> =
        rows.iter().filter(|(_, (_, at))| *at < before).map(|(key, (_, at))| (*at, *key)).collect();
    old.sort_unstable();
    old.truncate(limit);
    for (_, key) in &old {
        rows.remove(key);
    }
    old.len() as u64
}

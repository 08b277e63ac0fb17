//! The flights a run knows, as its messages leave them one after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{Flight, Life, PastFlight};
use crate::Flid;

/// An entry of the projection MAFL of a main flight (INV-21).
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CodeShare {
    /// The code-share flight.
    pub(crate) flid: i64,
    /// Its FLNO.
    pub(crate) flight_number: Option<String>,
}

impl CodeShare {
    fn of(flight: &Flight) -> Self {
        Self { flid: flight.flid.0, flight_number: flight.flight_number().map(str::to_owned) }
    }
}

/// MAFL of a main flight, worked out from any flights that hold its children.
pub(crate) fn code_shares(main: Flid, flights: &[Flight]) -> Vec<CodeShare> {
    let is_child = |flight: &&Flight| link(flight).is_some_and(|(found, _)| found == main);
    let mut shares: Vec<CodeShare> = flights.iter().filter(is_child).map(CodeShare::of).collect();
    shares.sort_by_key(|share| share.flid);
    shares
}

/// Stored flights with what the run has made of them. States are shared, not copied: a message
/// costs one copy of each flight it touches.
#[derive(Debug, Default)]
pub(crate) struct Fleet {
    stored: BTreeMap<Flid, Rc<Flight>>,
    /// Flights that messages of the run have touched.
    touched: BTreeMap<Flid, Rc<Flight>>,
    /// FLIDs by the main flight they name, whatever their life.
    children: BTreeMap<Flid, BTreeSet<Flid>>,
    /// Flights that are history and have no current life.
    past: BTreeMap<Flid, PastFlight>,
}

impl Fleet {
    pub(crate) fn new(flights: Vec<Flight>, past: Vec<PastFlight>) -> Self {
        let past = past.into_iter().map(|flight| (flight.flid, flight)).collect();
        let mut fleet = Self { past, ..Self::default() };
        for flight in flights {
            if let Some(main) = flight.main_flid() {
                fleet.children.entry(main).or_default().insert(flight.flid);
            }
            fleet.stored.insert(flight.flid, Rc::new(flight));
        }
        fleet
    }

    pub(crate) fn get(&self, flid: Flid) -> Option<&Flight> {
        self.shared(flid).map(Rc::as_ref)
    }

    fn shared(&self, flid: Flid) -> Option<&Rc<Flight>> {
        self.touched.get(&flid).or_else(|| self.stored.get(&flid))
    }

    /// Those the store doesn't have, and those that differ from what it gave; by FLID.
    pub(crate) fn into_changed(self) -> (Vec<Flight>, Vec<Flight>) {
        let Self { stored, touched, .. } = self;
        let changed = touched.into_values().filter(|flight| stored.get(&flight.flid) != Some(flight));
        changed.map(Rc::unwrap_or_clone).partition(|flight| !stored.contains_key(&flight.flid))
    }

    fn put(&mut self, flight: Rc<Flight>) {
        let before = self.get(flight.flid).and_then(Flight::main_flid);
        let after = flight.main_flid();
        if before != after {
            if let Some(main) = before {
                self.children.entry(main).or_default().remove(&flight.flid);
            }
            if let Some(main) = after {
                self.children.entry(main).or_default().insert(flight.flid);
            }
        }
        self.touched.insert(flight.flid, flight);
    }
}

/// What one message makes of the fleet: nothing of it counts before [`Draft::finish`].
#[derive(Debug)]
pub(crate) struct Draft<'a> {
    fleet: &'a Fleet,
    flights: BTreeMap<Flid, Rc<Flight>>,
    /// In the order in which the message named them.
    order: Vec<Flid>,
    /// FLIDs of `flights` by a main flight they name or named: a message may bring thousands, and
    /// asking all of them for each main flight would take for ever.
    children: BTreeMap<Flid, BTreeSet<Flid>>,
}

/// A flight that a message changed, to be told of.
#[derive(Debug)]
pub(crate) struct Change {
    pub(crate) before: Option<Rc<Flight>>,
    pub(crate) after: Rc<Flight>,
    pub(crate) code_shares_before: Vec<CodeShare>,
    pub(crate) code_shares_after: Vec<CodeShare>,
}

impl<'a> Draft<'a> {
    pub(crate) fn new(fleet: &'a Fleet) -> Self {
        Self { fleet, flights: BTreeMap::new(), order: Vec::new(), children: BTreeMap::new() }
    }

    pub(crate) fn get(&self, flid: Flid) -> Option<&Flight> {
        self.flights.get(&flid).map(Rc::as_ref).or_else(|| self.fleet.get(flid))
    }

    /// A flight that has no current life, but had one.
    pub(crate) fn past(&self, flid: Flid) -> Option<&PastFlight> {
        if self.get(flid).is_some() { None } else { self.fleet.past.get(&flid) }
    }

    pub(crate) fn put(&mut self, flight: Flight) {
        if !self.flights.contains_key(&flight.flid) {
            self.order.push(flight.flid);
        }
        if let Some(main) = flight.main_flid() {
            self.children.entry(main).or_default().insert(flight.flid);
        }
        self.flights.insert(flight.flid, Rc::new(flight));
    }

    /// ACTIVE code-share flights of a main flight, FLID ascending (INV-21): its own self and
    /// others' are never among them.
    pub(crate) fn active_children(&self, main: Flid) -> Vec<Flid> {
        let known = [&self.fleet.children, &self.children].into_iter().filter_map(|index| index.get(&main));
        let candidates: BTreeSet<Flid> = known.flatten().copied().collect();
        let is_child = |flid: &Flid| self.get(*flid).and_then(link).is_some_and(|(found, _)| found == main);
        candidates.into_iter().filter(is_child).collect()
    }

    fn code_shares(&self, main: Flid) -> Vec<CodeShare> {
        self.active_children(main).into_iter().filter_map(|flid| self.get(flid)).map(CodeShare::of).collect()
    }

    /// Moves versions, one step per flight (INV-13), main flights of changed code-shares
    /// included (INV-22), and says what changed: the message's own flights in its order, then
    /// main flights by FLID.
    pub(crate) fn finish(mut self) -> Finished {
        let mut changed: BTreeSet<Flid> = BTreeSet::new();
        let mut mains: BTreeSet<Flid> = BTreeSet::new();
        for (flid, after) in &mut self.flights {
            let before = self.fleet.get(*flid);
            if after.shows_same(before) {
                continue;
            }
            let version = before.map_or(after.state_version, |before| before.state_version);
            Rc::make_mut(after).state_version = version + 1;
            changed.insert(*flid);
            let (old, new) = (before.and_then(link), link(after));
            if old != new {
                mains.extend(old.into_iter().chain(new).map(|(main, _)| main));
            }
        }
        for main in mains {
            let Some(flight) = self.get(main).filter(|flight| flight.life == Life::Active) else { continue };
            if changed.insert(main) {
                let bumped = Flight { state_version: flight.state_version + 1, ..flight.clone() };
                self.put(bumped);
            }
        }
        let earlier = Draft::new(self.fleet);
        let changes = self.order.iter().filter(|flid| changed.contains(flid)).map(|flid| Change {
            before: self.fleet.shared(*flid).cloned(),
            after: Rc::clone(&self.flights[flid]),
            code_shares_before: earlier.code_shares(*flid),
            code_shares_after: self.code_shares(*flid),
        });
        Finished { changes: changes.collect(), flights: self.flights }
    }
}

/// A message's changes, ready to become the fleet's.
#[derive(Debug)]
pub(crate) struct Finished {
    pub(crate) changes: Vec<Change>,
    flights: BTreeMap<Flid, Rc<Flight>>,
}

impl Fleet {
    /// Makes a message's changes the state that the next one meets.
    pub(crate) fn apply(&mut self, finished: Finished) -> Vec<Change> {
        for flight in finished.flights.into_values() {
            self.put(flight);
        }
        finished.changes
    }

    /// The code-shares of a main flight as they are now.
    pub(crate) fn code_shares(&self, main: Flid) -> Vec<CodeShare> {
        Draft::new(self).code_shares(main)
    }
}

/// What a flight adds to the projection of which main flight.
fn link(flight: &Flight) -> Option<(Flid, Option<&str>)> {
    let main = flight.main_flid().filter(|main| *main != flight.flid)?;
    (flight.life == Life::Active).then(|| (main, flight.flight_number()))
}

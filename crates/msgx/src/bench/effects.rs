//! What the pipeline would decide about the messages, decided beforehand for the floor.

use std::collections::{BTreeMap, BTreeSet};

use domain::decide::{Effects, Policy, World, decide_run, read};
use domain::flight::Flight;
use domain::message::{Candidate, State, StoredBody};
use domain::{Flid, MsgId};
use jiff::Timestamp;

/// Effects of consecutive bulks of `bulk` messages; message `n` has ID `n + 1`.
pub(super) fn effects(letters: &[Vec<u8>], bulk: usize, policy: &Policy, at: Timestamp) -> Vec<Effects> {
    let mut fleet = BTreeMap::new();
    let mut next = 1;
    let mut runs = Vec::new();
    for bodies in letters.chunks(bulk) {
        let readings: Vec<_> =
            bodies.iter().map(|body| read(candidate(&mut next, body, at), policy)).collect();
        let flids: BTreeSet<Flid> = readings.iter().flat_map(domain::decide::Reading::flids).collect();
        let world = World { flights: families(&fleet, &flids), ..World::default() };
        let effects = decide_run(readings, world, at, policy);
        fleet.extend(effects.written().map(|flight| (flight.flid, flight.clone())));
        runs.push(effects);
    }
    runs
}

fn candidate(next: &mut i64, body: &[u8], at: Timestamp) -> Candidate {
    let msg_id = MsgId(*next);
    *next += 1;
    let body = StoredBody::Bytes(body.to_vec());
    Candidate { msg_id, state: State::Pending, attempts: 0, due: None, enqueued_at: at, body }
}

/// The flights asked for, their main flights, and the children of all of these.
fn families(fleet: &BTreeMap<Flid, Flight>, flids: &BTreeSet<Flid>) -> Vec<Flight> {
    let mains = flids.iter().filter_map(|flid| fleet.get(flid).and_then(Flight::main_flid));
    let heads: BTreeSet<Flid> = flids.iter().copied().chain(mains).collect();
    let belongs = |flight: &&Flight| {
        heads.contains(&flight.flid) || flight.main_flid().is_some_and(|main| heads.contains(&main))
    };
    fleet.values().filter(belongs).cloned().collect()
}

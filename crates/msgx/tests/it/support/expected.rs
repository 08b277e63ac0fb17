//! The end state that must come about, worked out in memory: the messages in order, once.

use std::collections::BTreeMap;
use std::time::Duration;

use domain::backoff::Backoff;
use domain::decide::{FlightPolicy, Policy, World, decide_run, read};
use domain::flight::Flight;
use domain::message::{
    Candidate, Conclusion, Holder, IdentityKey, IdentityPolicy, IgnoreRules, State, StoredBody,
};
use domain::{Flid, MsgId};
use jiff::Timestamp;

use super::upstream::Landed;

/// What must be there at the end.
#[derive(Debug, Default)]
pub(crate) struct Expected {
    pub(crate) states: BTreeMap<MsgId, State>,
    pub(crate) flights: BTreeMap<Flid, Flight>,
}

/// Processes every row in ID order.
pub(crate) fn expected(landed: &Landed) -> Expected {
    let policy = policy();
    let mut holders: BTreeMap<IdentityKey, Holder> = BTreeMap::new();
    let mut expected = Expected::default();
    for (id, body) in landed {
        let mut attempts = 0;
        while !step(&mut expected, &mut holders, (*id, body), &mut attempts, &policy) {}
    }
    expected
}

/// One try of one message; true when it has reached a terminal state.
fn step(
    expected: &mut Expected,
    holders: &mut BTreeMap<IdentityKey, Holder>,
    (id, body): (i64, &Option<Vec<u8>>),
    attempts: &mut u32,
    policy: &Policy,
) -> bool {
    let at = Timestamp::UNIX_EPOCH;
    let candidate = Candidate {
        msg_id: MsgId(id),
        state: if *attempts == 0 { State::Pending } else { State::Failed },
        attempts: *attempts,
        due: None,
        enqueued_at: at,
        body: body.clone().map_or(StoredBody::Missing, StoredBody::Bytes),
    };
    let reading = read(candidate, policy);
    let world = World {
        holders: reading.keys().iter().filter_map(|key| holders.get(key).cloned()).collect(),
        flights: families(&expected.flights, &reading.flids()),
        past: Vec::new(),
    };
    let effects = decide_run(vec![reading], world, at, policy);
    expected.flights.extend(effects.written().map(|flight| (flight.flid, flight.clone())));
    let settled = effects.settled.first().or(effects.blocked.as_ref()).expect("a verdict");
    *attempts = settled.attempts;
    let state = settled.conclusion.state();
    if let Some(key) = &settled.identity {
        let holder =
            Holder { key: key.clone(), msg_id: settled.msg_id, state, content_hash: settled.content_hash };
        holders.insert(key.clone(), holder);
    }
    expected.states.insert(settled.msg_id, state);
    !matches!(settled.conclusion, Conclusion::Failed { .. })
}

/// The flights a store would give: those asked for, their main flights, the children of all.
fn families(flights: &BTreeMap<Flid, Flight>, flids: &[Flid]) -> Vec<Flight> {
    let mains: Vec<Flid> = flids.iter().filter_map(|flid| flights.get(flid)?.main_flid()).collect();
    let head = |flid: &Flid| flids.contains(flid) || mains.contains(flid);
    let belongs = |flight: &&Flight| head(&flight.flid) || flight.main_flid().is_some_and(|main| head(&main));
    flights.values().filter(belongs).cloned().collect()
}

fn policy() -> Policy {
    Policy {
        dictionary: sis::Dictionary::baseline(),
        carrier: sis::Carrier::Text,
        limits: sis::Limits::default(),
        zone: jiff::tz::TimeZone::get("Asia/Shanghai").expect("a zone"),
        ignore: IgnoreRules::baseline(),
        identity: IdentityPolicy::default(),
        max_attempts: 5,
        decode_max_attempts: 2,
        backoff: Backoff { first: Duration::from_millis(50), cap: Duration::from_secs(30) },
        flight: FlightPolicy::default(),
    }
}

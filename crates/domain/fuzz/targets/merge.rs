//! Any letters, one after the other: deciding them never panics, versions move by one, and
//! processing the good ones again changes nothing.
#![no_main]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;
use std::time::Duration;

use domain::backoff::Backoff;
use domain::decide::{FlightPolicy, Policy, Reading, World, decide_run, read};
use domain::flight::Flight;
use domain::message::{Candidate, Holder, IdentityPolicy, IgnoreRules, Settled, State, StoredBody};
use domain::{Flid, MsgId};
use jiff::Timestamp;
use jiff::tz::{TimeZone, offset};
use libfuzzer_sys::fuzz_target;
use sis::{Carrier, Dictionary, Limits};

static POLICY: LazyLock<Policy> = LazyLock::new(|| Policy {
    dictionary: Dictionary::baseline(),
    carrier: Carrier::Text,
    limits: Limits::default(),
    zone: TimeZone::fixed(offset(8)),
    ignore: IgnoreRules::baseline(),
    identity: IdentityPolicy::default(),
    max_attempts: 5,
    decode_max_attempts: 2,
    backoff: Backoff { first: Duration::from_secs(1), cap: Duration::from_secs(30) },
    flight: FlightPolicy::default(),
});

/// Letters stand one after the other, each ended by a byte that no letter may have.
fuzz_target!(|bytes: &[u8]| {
    let readings: Vec<Reading> = (1..).zip(bytes.split(|byte| *byte == 0)).map(letter).collect();
    let mut office = Office::default();
    for reading in &readings {
        office.decides(reading);
    }
    let flights = office.flights.clone();
    for reading in readings.iter().rev().filter(|reading| office.ended_well.contains(&reading.msg_id())) {
        let mut again = Office { flights: flights.clone(), ..office.clone() };
        again.decides(reading);
        assert_eq!(again.flights, flights, "message {} again", reading.msg_id());
    }
});

fn letter((msg_id, body): (i64, &[u8])) -> Reading {
    let candidate = Candidate {
        msg_id: MsgId(msg_id),
        state: State::Pending,
        attempts: 0,
        due: None,
        enqueued_at: Timestamp::UNIX_EPOCH,
        body: StoredBody::Bytes(body.to_vec()),
    };
    read(candidate, &POLICY)
}

/// A store in memory.
#[derive(Default, Clone)]
struct Office {
    flights: BTreeMap<Flid, Flight>,
    rows: BTreeMap<MsgId, Settled>,
    ended_well: BTreeSet<MsgId>,
}

impl Office {
    fn decides(&mut self, reading: &Reading) {
        let holders = self.rows.values().filter_map(|row| {
            let (key, state) = (row.identity.clone()?, row.conclusion.state());
            Some(Holder { key, msg_id: row.msg_id, state, content_hash: row.content_hash })
        });
        let flights = self.flights.values().cloned().collect();
        let world = World { holders: holders.collect(), flights, past: Vec::new() };
        let effects = decide_run(vec![reading.clone()], world, Timestamp::UNIX_EPOCH, &POLICY);
        for flight in effects.written() {
            let fields = Flight::parse_document(&flight.document());
            assert_eq!(fields.as_ref(), Ok(&flight.fields), "a document comes back");
            let before = self.flights.insert(flight.flid, flight.clone());
            let version = before.map_or(0, |before| before.state_version);
            assert!((version..=version + 1).contains(&flight.state_version), "one step");
        }
        for settled in effects.settled.into_iter().chain(effects.blocked) {
            if let Some(dead) = settled.yields.and_then(|dead| self.rows.get_mut(&dead)) {
                dead.identity = None;
            }
            match settled.conclusion.state() {
                State::Succeeded | State::Skipped => self.ended_well.insert(settled.msg_id),
                State::Pending | State::Failed | State::Dead | State::Archived => false,
            };
            self.rows.insert(settled.msg_id, settled);
        }
    }
}

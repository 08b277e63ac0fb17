//! Replay converges, through lives, floors and history: whatever was processed in order may be
//! processed again, in any order and any number of times, and nothing moves.

use std::collections::BTreeMap;
use std::time::Duration;

use jiff::Timestamp;
use proptest::prelude::*;
use proptest::sample::Index;

use super::FlightPolicy;
use super::acts::{Act, acts, dated};
use super::reading::Reading;
use super::testing::*;
use crate::event::{Target, newest_record};
use crate::flight::{Flight, HistoryDue, Life};
use crate::message::State;
use crate::{Flid, MsgId};

/// What happens next at the mailbox.
#[derive(Debug, Clone)]
enum Step {
    /// A message; its schedules are for that day.
    Message(Act, i8),
    /// An earlier message comes again under a number of its own.
    Resent(Index),
    /// So many nights pass; then comes the sweep.
    Nights(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => (acts(), 7_i8..10).prop_map(|(act, day)| Step::Message(act, day)),
        1 => any::<Index>().prop_map(Step::Resent),
        2 => (0_u8..5).prop_map(Step::Nights),
    ];
    proptest::collection::vec(step, 1..12)
}

fn policies() -> impl Strategy<Value = FlightPolicy> {
    let choices = (any::<bool>(), any::<bool>(), any::<bool>());
    choices.prop_map(|(clear_absent_optional, keep_day, reject_delete_of_main)| FlightPolicy {
        clear_absent_optional,
        keep_day,
        reject_delete_of_main,
        ..FlightPolicy::default()
    })
}

/// An office through which the nights pass, and every message it has read.
struct Airport {
    office: Office,
    heard: BTreeMap<Flid, Timestamp>,
    read: Vec<Reading>,
    /// The newest payload of each flight on `KAFKA:schd`.
    topic: BTreeMap<Flid, String>,
}

impl Airport {
    /// Midnight before 7 April 2026.
    fn opened(policy: FlightPolicy) -> Self {
        let mut office = Office::with(policy);
        office.clock = "2026-04-06T16:00:00Z".parse().expect("a time");
        Self { office, heard: BTreeMap::new(), read: Vec::new(), topic: BTreeMap::new() }
    }

    fn goes_through(&mut self, step: &Step) {
        let msg_id = i64::try_from(self.read.len()).expect("few") + 1;
        match step {
            Step::Message(act, day) => self.hears(dated(msg_id, act, *day)),
            Step::Resent(_) if self.read.is_empty() => {}
            Step::Resent(which) => {
                let again = Reading { msg_id: MsgId(msg_id), ..which.get(&self.read).clone() };
                self.hears(again);
            }
            Step::Nights(nights) => {
                self.office.clock += Duration::from_secs(u64::from(*nights) * 86_400);
                self.sweeps();
            }
        }
    }

    fn hears(&mut self, reading: Reading) {
        let effects = self.office.one(reading.clone());
        for flight in effects.written() {
            self.heard.insert(flight.flid, self.office.clock);
        }
        let states = effects.events.into_iter().filter(|event| event.target == Target::Schd);
        self.topic.extend(states.map(|event| (event.flid, event.payload)));
        self.read.push(reading);
    }

    /// What is due goes, batch by batch: a code-share after its main flight, two that name each other
    /// together.
    fn sweeps(&mut self) {
        while self.sweeps_a_batch() {}
    }

    fn sweeps_a_batch(&mut self) -> bool {
        let flights = &self.office.flights;
        let goes = |flight: &&Flight| {
            let main = flight.main_flid().filter(|main| *main != flight.flid);
            let main = main.and_then(|main| flights.get(&main)).filter(|main| main.life == Life::Active);
            let stays = main.is_some_and(|main| main.main_flid() != Some(flight.flid) || !self.is_due(main));
            self.is_due(flight) && !stays
        };
        let old: Vec<Flid> = flights.values().filter(goes).map(|flight| flight.flid).collect();
        for flid in &old {
            if self.office.flight(flid.0).life == Life::Active {
                self.topic.insert(*flid, "null".into());
            }
            self.office.sweep(flid.0);
        }
        !old.is_empty()
    }

    fn is_due(&self, flight: &Flight) -> bool {
        let policy = &self.office.policy;
        let due = HistoryDue::at(self.office.clock, policy.flight.history_after, &policy.zone);
        match flight.operation_day {
            Some(day) => day < due.day,
            None => self.heard[&flight.flid] < due.silent_since,
        }
    }

    /// A message that ended DEAD or FAILED has had no effect: its replay is its first one.
    fn has_ended_well(&self, reading: &Reading) -> bool {
        match self.office.rows[&reading.msg_id()].conclusion.state() {
            State::Succeeded | State::Skipped => true,
            State::Pending | State::Failed | State::Dead | State::Archived => false,
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn clm_03_replay_converges_through_lives_floors_and_history(
        steps in steps(),
        replayed in proptest::collection::vec(any::<Index>(), 1..12),
        policy in policies(),
    ) {
        let mut airport = Airport::opened(policy);
        for step in &steps {
            airport.goes_through(step);
        }
        let good: Vec<Reading> =
            airport.read.iter().filter(|reading| airport.has_ended_well(reading)).cloned().collect();
        let (flights, past) = (airport.office.flights.clone(), airport.office.past.clone());
        for which in replayed.iter().filter(|_| !good.is_empty()) {
            let reading = which.get(&good);
            let again = airport.office.one(reading.clone());
            let msg_id = reading.msg_id();
            prop_assert!(again.events.is_empty() && again.changes.is_empty(), "{} again: {:?}", msg_id, again);
            prop_assert!(!again.touches_flights(), "{} again: {:?}", msg_id, again);
        }
        prop_assert_eq!(&airport.office.flights, &flights);
        prop_assert_eq!(&airport.office.past, &past);
    }

    #[test]
    fn inv_21_what_is_published_last_is_the_state_through_history_too(steps in steps(), policy in policies()) {
        let mut airport = Airport::opened(policy);
        for step in &steps {
            airport.goes_through(step);
            let flights: Vec<Flight> = airport.office.flights.values().cloned().collect();
            for flight in &flights {
                let told = airport.topic.get(&flight.flid).map(|payload| payload.as_str());
                match newest_record(flight, &flights, airport.office.policy.dictionary) {
                    None | Some(None) => prop_assert!(told.is_none_or(|told| told == "null")),
                    Some(Some(state)) => prop_assert_eq!(told, Some(state.as_str())),
                }
            }
            for flid in airport.office.past.keys().filter(|flid| !airport.office.flights.contains_key(flid)) {
                prop_assert!(airport.topic.get(flid).is_none_or(|told| told == "null"));
            }
        }
    }
}

/// The one choice of a site that lets a replay do something: a message that was skipped because
/// nobody knew its flight finds it when it is replayed after the schedule.
#[test]
fn a_message_skipped_for_its_unknown_flight_takes_effect_when_replayed_after_the_schedule() {
    let mut office = Office::with(FlightPolicy { skip_unknown: true, ..FlightPolicy::default() });
    let early = flop(5, vec![record(1).set("stand", text("231"))]);
    assert_eq!(office.one(early.clone()).end(), "SKIPPED unknown-flight:1");
    office.one(schedule(6, vec![flight(1, "ZZ1", 7)]));
    assert_eq!(office.one(early.clone()).end(), "SUCCEEDED");
    assert_eq!((office.flight(1).stand(), office.version(1)), (Some("231"), 2));
    assert!(!office.one(early).touches_flights(), "once");
}

//! What must hold whatever the messages are and in whatever order they come.

use std::collections::BTreeMap;

use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::acts::{acts, changes, policies, readings};
use super::testing::*;
use crate::event::{EventType, NewEvent, Target};
use crate::flight::{Flight, Life};
use crate::{Flid, MsgId};

/// Everything of a flight that order must not change.
fn essence(office: &Office) -> BTreeMap<Flid, Flight> {
    let strip = |flight: &Flight| Flight { state_version: 0, ..flight.clone() };
    office.flights.iter().map(|(flid, flight)| (*flid, strip(flight))).collect()
}

/// Publishes events as a compacted topic would keep them, checking that versions rise.
fn publish(topic: &mut BTreeMap<(Target, Flid), (i64, Json)>, events: &[NewEvent]) {
    for event in events {
        let payload = serde_json::from_str(&event.payload).expect("JSON");
        assert_eq!(payload == Json::Null, event.event_type == EventType::Delete);
        let before = topic.insert((event.target, event.flid), (event.state_version, payload));
        assert!(before.is_none_or(|(version, _)| version < event.state_version), "versions rise: {event:?}");
    }
}

fn projection(office: &Office, main: Flid) -> Json {
    let children = office
        .flights
        .values()
        .filter(|child| child.life == Life::Active && child.flid != main && child.main_flid() == Some(main));
    children.map(|child| json!({"flid": child.flid.0, "flightNumber": child.flight_number()})).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1_000))]

    #[test]
    fn dec_02_within_one_life_the_order_of_messages_does_not_matter(
        (acts, shuffled) in proptest::collection::vec(changes(), 1..6)
            .prop_flat_map(|acts| { let order: Vec<usize> = (0..acts.len()).collect(); (Just(acts), Just(order).prop_shuffle()) }),
        policy in policies(),
    ) {
        let all = readings(&acts);
        let (mut straight, mut mixed) = (Office::with(policy), Office::with(policy));
        for reading in &all {
            straight.one(reading.clone());
        }
        for place in shuffled {
            mixed.one(all[place].clone());
        }
        prop_assert_eq!(essence(&straight), essence(&mixed));
    }

    #[test]
    fn inv_20_doing_everything_again_in_any_order_changes_nothing(
        (acts, shuffled) in proptest::collection::vec(acts(), 1..6)
            .prop_flat_map(|acts| { let order: Vec<usize> = (0..acts.len()).collect(); (Just(acts), Just(order).prop_shuffle()) }),
    ) {
        let all = readings(&acts);
        let mut office = Office::new();
        for reading in &all {
            office.one(reading.clone());
        }
        let before = office.flights.clone();
        for place in shuffled {
            let again = office.one(all[place].clone());
            prop_assert!(again.events.is_empty(), "{:?} again: {:?}", acts[place], again.events);
        }
        prop_assert_eq!(office.flights, before);
    }

    #[test]
    fn inv_21_what_is_published_last_is_the_state(acts in proptest::collection::vec(acts(), 1..10), cut in 1_usize..5) {
        let all = readings(&acts);
        let (mut office, mut topic) = (Office::new(), BTreeMap::new());
        for run in all.chunks(cut) {
            publish(&mut topic, &office.run(run.to_vec()).events);
        }
        for flight in office.flights.values() {
            let published = topic.get(&(Target::Schd, flight.flid));
            match flight.life {
                Life::Partial => prop_assert!(published.is_none()),
                Life::Deleted => prop_assert!(published.is_none_or(|(_, payload)| payload == &Json::Null)),
                Life::Active => {
                    let (version, payload) = published.expect("published");
                    prop_assert_eq!(*version, flight.state_version);
                    prop_assert_eq!(&payload["codeShares"], &projection(&office, flight.flid));
                    let view = office.view(flight.flid.0);
                    for (name, value) in view.as_object().expect("an object") {
                        if name != "life" {
                            prop_assert_eq!(&payload[name.as_str()], value);
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn a_run_does_what_its_messages_do_one_by_one(acts in proptest::collection::vec(acts(), 1..8)) {
        let all = readings(&acts);
        let (mut together, mut singly) = (Office::new(), Office::new());
        let run = together.run(all.clone());
        let (mut topic, mut changes) = (BTreeMap::new(), Vec::new());
        for reading in all {
            let events = singly.one(reading).events;
            publish(&mut topic, &events);
            changes.extend(events.into_iter().filter(|event| event.target == Target::Msg));
        }
        prop_assert_eq!(&together.flights, &singly.flights);
        let (told, states): (Vec<NewEvent>, Vec<NewEvent>) =
            run.events.into_iter().partition(|event| event.target == Target::Msg);
        prop_assert_eq!(told, changes);
        for state in states {
            let (version, payload) = &topic[&(Target::Schd, state.flid)];
            prop_assert_eq!(*version, state.state_version);
            prop_assert_eq!(&serde_json::from_str::<Json>(&state.payload).expect("JSON"), payload);
        }
    }

    #[test]
    fn inv_13_a_version_moves_by_one_with_every_message_that_changes_a_flight(acts in proptest::collection::vec(acts(), 1..8)) {
        let mut office = Office::new();
        for reading in readings(&acts) {
            let before = office.flights.clone();
            let msg_id: MsgId = reading.msg_id();
            let effects = office.one(reading);
            for flight in effects.written() {
                let version = before.get(&flight.flid).map_or(0, |before| before.state_version);
                prop_assert!(flight.state_version - version <= 1);
                prop_assert!(flight.last_by <= msg_id);
            }
            for event in &effects.events {
                let version = before.get(&event.flid).map_or(0, |before| before.state_version);
                prop_assert_eq!(event.state_version, version + 1);
            }
        }
    }
}

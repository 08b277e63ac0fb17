//! The life of a code-share, step by step: who changes, and what each main flight shows.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};

use super::reading::Reading;
use super::testing::*;
use crate::Flid;
use crate::event::{EventType, Target};
use crate::flight::Life;

/// What happens; `(FLID, version)` of the flights told of, in order; FLIDs that flights 1 and 2
/// show as their code-shares afterwards, nothing where the flight isn't active.
type Step = (&'static str, Reading, Vec<(i64, i64)>, [Option<Vec<i64>>; 2]);

fn story() -> Vec<Step> {
    let share = |flid: i64, main: i64| flight(flid, &format!("XX{flid}"), 7).main(main);
    let own = |flid: i64| flight(flid, &format!("ZZ{flid}"), 7);
    let (none, empty) = (None, Some(vec![]));
    let shows = |flids: &[i64]| Some(flids.to_vec());
    vec![
        (
            "a child waits for its main flight",
            schedule(10, vec![share(5, 1)]),
            vec![(5, 1)],
            [none.clone(), none.clone()],
        ),
        (
            "the main flight comes after it",
            schedule(11, vec![own(1)]),
            vec![(1, 1)],
            [shows(&[5]), none.clone()],
        ),
        (
            "a child with a smaller FLID is added",
            schedule(12, vec![share(3, 1)]),
            vec![(3, 1), (1, 2)],
            [shows(&[3, 5]), none.clone()],
        ),
        (
            "a main flight is known from operation alone",
            flop(13, vec![record(2).set("stand", text("7"))]),
            vec![],
            [shows(&[3, 5]), none.clone()],
        ),
        (
            "a child is re-pointed to it",
            flop(14, vec![record(5).main(2)]),
            vec![(5, 2), (1, 3)],
            [shows(&[3]), none.clone()],
        ),
        ("its schedule comes", schedule(15, vec![own(2)]), vec![(2, 2)], [shows(&[3]), shows(&[5])]),
        (
            "a child known from operation alone doesn't count",
            flop(16, vec![record(6).main(2)]),
            vec![],
            [shows(&[3]), shows(&[5])],
        ),
        (
            "its schedule comes, which says no main flight",
            schedule(17, vec![own(6)]),
            vec![(6, 2), (2, 3)],
            [shows(&[3]), shows(&[5, 6])],
        ),
        (
            "a main flight names itself",
            flop(18, vec![record(2).main(2)]),
            vec![(2, 4)],
            [shows(&[3]), shows(&[5, 6])],
        ),
        (
            "a child names a flight that isn't there",
            flop(19, vec![record(6).main(99)]),
            vec![(6, 3), (2, 5)],
            [shows(&[3]), shows(&[5])],
        ),
        (
            "that child names itself",
            flop(20, vec![record(6).main(6)]),
            vec![(6, 4)],
            [shows(&[3]), shows(&[5])],
        ),
        (
            "two children change places in one message",
            flop(21, vec![record(5).main(1), record(3).main(2)]),
            vec![(5, 3), (3, 2), (1, 4), (2, 6)],
            [shows(&[5]), shows(&[3])],
        ),
        ("a child is deleted", delete(22, &[3]), vec![(3, 3), (2, 7)], [shows(&[5]), empty.clone()]),
        (
            "it is brought back without a main flight",
            schedule(23, vec![own(3)]),
            vec![(3, 4)],
            [shows(&[5]), empty.clone()],
        ),
        (
            "it joins the other",
            flop(24, vec![record(3).main(1)]),
            vec![(3, 5), (1, 5)],
            [shows(&[3, 5]), empty.clone()],
        ),
        (
            "the main flight is deleted and takes them along",
            delete(25, &[1]),
            vec![(3, 6), (5, 4), (1, 6)],
            [none.clone(), empty.clone()],
        ),
        (
            "a child comes back before it",
            schedule(26, vec![share(5, 1)]),
            vec![(5, 5)],
            [none, empty.clone()],
        ),
        (
            "the main flight comes back",
            schedule(27, vec![own(1)]),
            vec![(1, 7)],
            [shows(&[5]), empty.clone()],
        ),
        (
            "the old message that added a child is replayed",
            flop(24, vec![record(3).main(1)]),
            vec![],
            [shows(&[5]), empty],
        ),
    ]
}

#[test]
fn inv_21_inv_22_a_code_shares_life_from_waiting_to_coming_back() {
    let mut office = Office::new();
    let mut newest: BTreeMap<Flid, Json> = BTreeMap::new();
    for (step, reading, told, shown) in story() {
        let effects = office.one(reading);
        assert_eq!(effects.told(Target::Msg), told, "{step}");
        assert_eq!(effects.told(Target::Schd), told, "{step}");
        for event in effects.events.iter().filter(|event| event.target == Target::Schd) {
            let state = serde_json::from_str(&event.payload).expect("JSON");
            assert_eq!(event.event_type == EventType::Delete, state == Json::Null, "{step}");
            newest.insert(event.flid, state);
        }
        for (main, flids) in [1, 2].into_iter().zip(shown) {
            let shares: Option<Json> = flids.map(|flids| {
                let share =
                    |flid: i64| json!({ "flid": flid, "flightNumber": office.flight(flid).flight_number() });
                flids.into_iter().map(share).collect()
            });
            let told = newest.get(&Flid(main)).and_then(|state| state.get("codeShares"));
            assert_eq!(told, shares.as_ref(), "{step}: flight {main} as consumers know it");
        }
        for flight in office.flights.values().filter(|flight| flight.life == Life::Active) {
            assert_eq!(newest[&flight.flid]["stateVersion"], json!(flight.state_version), "{step}");
        }
    }
}

//! The life of a code-share, step by step: who changes, and what each main flight shows.

use std::collections::BTreeMap;

use serde_json::{Value as Json, json};
use sis::Record;

use super::reading::Reading;
use super::testing::*;
use crate::Flid;
use crate::event::{EventType, Target};
use crate::flight::Life;

/// What happens; `FLID:version` of the flights told of, in order; FLIDs that flights 1 and 2 show as
/// their code-shares afterwards, `-` where the flight isn't active.
type Step = (&'static str, Reading, &'static str, [&'static str; 2]);

fn share(flid: i64, main: i64) -> Record {
    flight(flid, &format!("XX{flid}"), 7).main(main)
}

fn own(flid: i64) -> Record {
    flight(flid, &format!("ZZ{flid}"), 7)
}

fn links() -> Vec<Step> {
    let links = |msg_id: i64, links: &[(i64, i64)]| {
        flop(msg_id, links.iter().map(|(flid, main)| record(*flid).main(*main)).collect())
    };
    let heard = flop(13, vec![record(2).set("stand", text("7"))]);
    vec![
        ("a child waits for its main flight", schedule(10, vec![share(5, 1)]), "5:1", ["-", "-"]),
        ("the main flight comes after it", schedule(11, vec![own(1)]), "1:1", ["5", "-"]),
        ("a child with a smaller FLID comes", schedule(12, vec![share(3, 1)]), "3:1 1:2", ["3 5", "-"]),
        ("a main flight is known from operation alone", heard, "", ["3 5", "-"]),
        ("a child is re-pointed to it", links(14, &[(5, 2)]), "5:2 1:3", ["3", "-"]),
        ("its schedule comes", schedule(15, vec![own(2)]), "2:2", ["3", "5"]),
        ("a child without schedule doesn't count", links(16, &[(6, 2)]), "", ["3", "5"]),
        ("that child's schedule comes", schedule(17, vec![own(6)]), "6:2 2:3", ["3", "5 6"]),
        ("a main flight names itself", links(18, &[(2, 2)]), "2:4", ["3", "5 6"]),
        ("a child names a flight that isn't there", links(19, &[(6, 99)]), "6:3 2:5", ["3", "5"]),
        ("it names itself", links(20, &[(6, 6)]), "6:4", ["3", "5"]),
        ("two change places", links(21, &[(5, 1), (3, 2)]), "5:3 3:2 1:4 2:6", ["5", "3"]),
    ]
}

fn lives() -> Vec<Step> {
    let joins = || flop(24, vec![record(3).main(1)]);
    vec![
        ("a child is deleted", delete(22, &[3]), "3:3 2:7", ["5", ""]),
        ("it comes back without a main flight", schedule(23, vec![own(3)]), "3:4", ["5", ""]),
        ("it joins the other", joins(), "3:5 1:5", ["3 5", ""]),
        ("the main flight is deleted, and they with it", delete(25, &[1]), "3:6 5:4 1:6", ["-", ""]),
        ("a child comes back before it", schedule(26, vec![share(5, 1)]), "5:5", ["-", ""]),
        ("the main flight comes back", schedule(27, vec![own(1)]), "1:7", ["5", ""]),
        ("what once joined a child is replayed", joins(), "", ["5", ""]),
    ]
}

#[test]
fn inv_21_inv_22_a_code_shares_life_from_waiting_to_coming_back() {
    let mut office = Office::new();
    let mut newest: BTreeMap<Flid, Json> = BTreeMap::new();
    for (step, reading, told, shown) in links().into_iter().chain(lives()) {
        let effects = office.one(reading);
        for target in Target::ALL {
            let found: Vec<String> =
                effects.told(target).iter().map(|(flid, version)| format!("{flid}:{version}")).collect();
            assert_eq!(found.join(" "), told, "{step}");
        }
        for event in effects.events.iter().filter(|event| event.target == Target::Schd) {
            let state = serde_json::from_str(&event.payload).expect("JSON");
            assert_eq!(event.event_type == EventType::Delete, state == Json::Null, "{step}");
            newest.insert(event.flid, state);
        }
        for (main, flids) in [1, 2].into_iter().zip(shown) {
            let share = |flid: &str| {
                let flid: i64 = flid.parse().expect("a FLID");
                json!({ "flid": flid, "flightNumber": office.flight(flid).flight_number() })
            };
            let shares: Option<Json> = (flids != "-").then(|| flids.split_whitespace().map(share).collect());
            let told = newest.get(&Flid(main)).and_then(|state| state.get("codeShares"));
            assert_eq!(told, shares.as_ref(), "{step}: flight {main} as consumers know it");
        }
        for flight in office.flights.values().filter(|flight| flight.life == Life::Active) {
            assert_eq!(newest[&flight.flid]["stateVersion"], json!(flight.state_version), "{step}");
        }
    }
}

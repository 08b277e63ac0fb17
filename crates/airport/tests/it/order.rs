//! What is told of one flight comes in the order in which it happens.

use std::collections::{BTreeMap, BTreeSet};

use airport::{Expect, Letter, Options, Trouble, traffic};

use crate::text::{body, element, elements, flid};

const LETTERS: usize = 40_000;

fn options() -> Options {
    Options { seed: 5, flights: 200, trouble: Trouble::none(), ..Options::default() }
}

/// What has been told of a flight so far.
#[derive(Default)]
struct Told {
    arrival: bool,
    deleted: bool,
    subtypes: BTreeSet<String>,
}

/// (what, movement, must have been told before)
const BEFORE: [(&str, bool, &str); 12] = [
    ("ACTT", true, "ESTT"),
    ("ACTT", true, "PADT"),
    ("ACTT", true, "RUNW"),
    ("CHOT", true, "ACTT"),
    ("ABTM", true, "CHOT"),
    ("PORT", true, "CHOT"),
    ("ACTT", false, "ESTT"),
    ("ACTT", false, "CHOT"),
    ("CHOT", false, "FINT"),
    ("FINT", false, "LACL"),
    ("LACL", false, "BOTM"),
    ("BOTM", false, "CKDT"),
];

fn check_change(told: &mut Told, subtype: &str, record: &str, operating: bool) {
    assert!(!told.deleted, "told of a deleted flight: {record}");
    for (what, arrival, earlier) in BEFORE {
        if operating && what == subtype && arrival == told.arrival && !early_long_haul(earlier, record) {
            assert!(told.subtypes.contains(earlier), "{what} before {earlier}: {record}");
        }
    }
    told.subtypes.insert(subtype.to_owned());
}

/// Some aircraft from far away left before the download knew of their flight.
fn early_long_haul(earlier: &str, record: &str) -> bool {
    earlier == "PADT" && element(record, "FFID").unwrap().ends_with("-I")
}

#[test]
fn flights_are_told_of_in_their_natural_order() {
    let mut flights: BTreeMap<i64, Told> = BTreeMap::new();
    let mut shares = BTreeSet::new();
    for letter in traffic(&options()).take(LETTERS) {
        let text = body(&letter);
        let subtype = element(text, "STYP").unwrap();
        for record in elements(text, "FLTR") {
            let told = flights.entry(flid(record)).or_default();
            assert!(!told.deleted, "scheduled after its deletion: {record}");
            if subtype == "DEL" {
                told.deleted = true;
                continue;
            }
            told.arrival = element(record, "MVIN") == Some("A");
            if record.contains("<MAID>") {
                shares.insert(flid(record));
            }
        }
        for record in elements(text, "FLOP") {
            let told = flights.get_mut(&flid(record)).unwrap_or_else(|| panic!("never scheduled: {record}"));
            check_change(told, subtype, record, !shares.contains(&flid(record)));
            told.deleted = subtype == "FDEL";
        }
    }
    let ended = flights.values().filter(|told| told.subtypes.contains("ACTT")).count();
    assert!(ended > 700, "only {ended} flights landed or took off");
    assert!(flights.values().any(|told| told.deleted));
}

#[test]
fn everything_that_happens_at_an_airport_happens_here() {
    let seen: BTreeSet<String> = traffic(&options())
        .take(LETTERS * 3)
        .map(|letter| {
            format!("{} {}", element(body(&letter), "TYPE").unwrap(), element(body(&letter), "STYP").unwrap())
        })
        .collect();
    let subtypes = "ABTM ACFT ACTT APPT BOTM CHDT CHOT CKDT CLDT CNCL COBT CSFT CTOT DELY EGSR EGST EOBT ERUT \
                    ESTT EXSS FDEL FDIV FINT FLAB FLIN FLTY FRET FTSS GTDT HAGT IEST LACL LBNO MAXP NAAT NEAT \
                    PADT PAXC PEDT PORT PSDT PSHT REMC RENO RUNW SRVT STND TAOP TIPT TOBT TRML VIPF VIPP";
    let missing: Vec<&str> =
        subtypes.split_whitespace().filter(|subtype| !seen.contains(&format!("FLOP {subtype}"))).collect();
    assert!(missing.is_empty(), "{missing:?}");
    for kind in ["SCHD DNLD", "SCHD RESP", "SCHD ADFT", "SCHD DEL", "GLST DNLD", "STTS UPD", "AIRC UPD"] {
        assert!(seen.contains(kind), "{kind}");
    }
}

#[test]
fn a_flight_has_25_to_40_changes() {
    let options = Options { flights: 200, ..options() };
    let end = options.day.tomorrow().unwrap().tomorrow().unwrap().at(0, 0, 0, 0);
    let changes = traffic(&options)
        .take_while(|letter| letter.sent_at < end)
        .filter(|letter| body(letter).contains("<FLOP>"))
        .count();
    let per_flight = changes / (2 * 200);
    assert!((25..=40).contains(&per_flight), "{per_flight}");
}

#[test]
fn time_never_runs_backwards_and_is_the_dttm() {
    let mut last = None;
    for letter in traffic(&options()).take(LETTERS) {
        assert!(last.is_none_or(|last| last <= letter.sent_at));
        assert_eq!(
            element(body(&letter), "DTTM").unwrap(),
            letter.sent_at.strftime("%Y%m%d%H%M%S").to_string()
        );
        last = Some(letter.sent_at);
    }
}

#[test]
fn seqn_rises_by_one_with_each_message_of_its_own() {
    let options = Options { trouble: Trouble::default(), ..options() };
    let own = |letter: &Letter| {
        letter.fate.lands() && !matches!(letter.expect, Expect::Duplicate | Expect::Malformed)
    };
    let mut last: Option<u32> = None;
    for letter in traffic(&options).filter(own).take(LETTERS) {
        let text = element(body(&letter), "SEQN").unwrap().to_owned();
        assert_eq!(text.len(), 6);
        let number: u32 = text.parse().unwrap();
        assert!(last.is_none_or(|last| number == last + 1), "{number} after {last:?}");
        last = Some(number);
    }
}

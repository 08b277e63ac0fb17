//! The evening download: complete, and consistent in itself.

use std::collections::BTreeMap;

use airport::{Options, Trouble, traffic};

use crate::text::{body, element, elements, flid};

fn options() -> Options {
    Options { seed: 3, flights: 240, trouble: Trouble::none(), ..Options::default() }
}

/// The FLTRs of the first day, by FLID.
fn download() -> BTreeMap<i64, String> {
    traffic(&options())
        .take_while(|letter| matches!(letter.label, "reference list" | "schedule"))
        .flat_map(|letter| elements(body(&letter), "FLTR").map(str::to_owned).collect::<Vec<_>>())
        .map(|record| (flid(&record), record))
        .collect()
}

#[test]
fn the_day_begins_with_the_download_on_the_evening_before() {
    let first = traffic(&options()).find(|letter| letter.label == "schedule").unwrap();
    assert_eq!(first.sent_at.date(), options().day.yesterday().unwrap());
    let operating = download().values().filter(|record| element(record, "MAID").is_none()).count();
    assert_eq!(operating, 240);
    for record in download().values() {
        assert_eq!(element(record, "SODT").unwrap()[..7], *"07APR26", "{record}");
    }
}

#[test]
fn a_message_holds_fifty_flights_at_most_and_says_how_many() {
    for letter in traffic(&options()).take(20_000).filter(|letter| body(letter).contains("<SCHD>")) {
        let records = elements(body(&letter), "FLTR").count();
        assert!((1..=50).contains(&records), "{records}");
        assert_eq!(element(body(&letter), "RECS").unwrap(), records.to_string());
    }
}

#[test]
fn turnaround_links_are_mutual_and_of_one_aircraft() {
    let flights = download();
    let mut pairs = 0;
    for (flid, record) in &flights {
        let Some(partner) = element(record, "TAID") else { continue };
        let partner = &flights[&partner.parse().unwrap()];
        assert_eq!(element(partner, "TAID").unwrap(), flid.to_string());
        for (mine, theirs) in [("TAFL", "FLNO"), ("TAOP", "ALCD"), ("RENO", "RENO"), ("STND", "STND")] {
            assert_eq!(element(record, mine), element(partner, theirs), "{record}");
        }
        assert_ne!(element(record, "MVIN"), element(partner, "MVIN"));
        pairs += 1;
    }
    assert!(pairs > 120, "{pairs}");
}

#[test]
fn code_shares_name_the_flight_they_are_sold_on() {
    let flights = download();
    let shares: Vec<&String> = flights.values().filter(|record| record.contains("<MAID>")).collect();
    assert!(shares.len() > 10);
    for share in shares {
        let main = &flights[&element(share, "MAID").unwrap().parse().unwrap()];
        assert_eq!(element(share, "CSFT"), element(main, "FLNO"));
        assert_eq!(element(share, "CSOP"), element(main, "ALCD"));
        assert_eq!(element(share, "SODT"), element(main, "SODT"));
        assert!(element(main, "MAID").is_none(), "a flight that is sold on is operated itself");
    }
}

#[test]
fn routes_begin_or_end_at_home() {
    for record in download().values() {
        let route = record.split("<ERUT ").skip(1).map(|stop| element(stop, "APCD").unwrap());
        let route: Vec<&str> = route.collect();
        let home = if element(record, "MVIN") == Some("A") { route.last() } else { route.first() };
        assert_eq!(home, Some(&"TAO"), "{record}");
        assert!(route.len() >= 2);
    }
}

#[test]
fn each_day_has_new_flights() {
    let mut seen = BTreeMap::new();
    let schedules = traffic(&options()).take(40_000).filter(|letter| letter.label == "schedule");
    for letter in schedules {
        for record in elements(body(&letter), "FLTR") {
            let day = element(record, "SODT").unwrap()[..7].to_owned();
            assert_eq!(seen.insert(flid(record), day), None, "{record}");
        }
    }
    let days: std::collections::BTreeSet<&String> = seen.values().collect();
    assert!(days.len() >= 3, "{days:?}");
}

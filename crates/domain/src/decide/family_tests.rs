//! Code-shares and their main flights.

use serde_json::json;

use super::FlightPolicy;
use super::testing::*;
use crate::event::{EventType, Target};
use crate::flight::Life;

#[test]
fn inv_21_the_projection_is_the_active_children_by_flid() {
    let mut office = Office::new();
    office.run(vec![
        schedule(10, vec![flight(5, "XX5", 7).main(1), flight(1, "ZZ1", 7), flight(3, "XX3", 7).main(1)]),
        schedule(11, vec![flight(7, "XX7", 7).main(7), flight(8, "XX8", 7).main(99)]),
        flop(12, vec![record(4).main(1)]),
    ]);
    let shown = office.one(flop(13, vec![record(1).set("stand", text("1"))]));
    assert_eq!(
        shown.payload(Target::Schd, 1)["codeShares"],
        json!([{"flid": 3, "flightNumber": "XX3"}, {"flid": 5, "flightNumber": "XX5"}])
    );
    let own = office.one(flop(14, vec![record(7).set("stand", text("1"))]));
    assert_eq!(own.payload(Target::Schd, 7)["codeShares"], json!([]), "a flight is not its own code-share");
    let deleted = office.one(delete(15, &[3]));
    assert_eq!(deleted.payload(Target::Schd, 1)["codeShares"], json!([{"flid": 5, "flightNumber": "XX5"}]));
}

/// A message of the size limit brings tens of thousands of records: the work must grow with their
/// number, not with its square, or the lease runs out before such a message is decided.
#[test]
fn a_message_with_very_many_records_is_decided_in_one_go() {
    const RECORDS: i64 = 20_000;
    let mut office = Office::new();
    let share = |flid: i64| flight(flid, "XX1", 7).main(if flid % 2 == 0 { flid - 1 } else { 1 });
    let effects = office.one(schedule(10, (1..=RECORDS).map(share).collect()));
    assert_eq!(effects.written().count() as i64, RECORDS);
    let effects =
        office.one(flop(11, (1..=RECORDS).map(|flid| record(flid).set("stand", text("1"))).collect()));
    assert_eq!(effects.written().count() as i64, RECORDS);
    let effects = office.one(delete(12, &(1..=RECORDS).collect::<Vec<_>>()));
    assert!(effects.flights.iter().all(|flight| flight.life == Life::Deleted));
}

#[test]
fn inv_22_a_changed_projection_moves_the_main_flight_once() {
    let mut office = Office::new();
    office.one(schedule(10, vec![flight(1, "ZZ1", 7), flight(2, "ZZ2", 7), flight(9, "ZZ9", 7)]));
    let share = |flid: i64, number: &str| flight(flid, number, 7);
    for (step, reading, told) in [
        (
            "two children come",
            schedule(20, vec![share(3, "XX3").main(1), share(4, "XX4").main(1)]),
            vec![(3, 1), (4, 1), (1, 2)],
        ),
        (
            "a child is renamed",
            flop(21, vec![record(3).set("flightNumber", text("XX33"))]),
            vec![(3, 2), (1, 3)],
        ),
        ("a child's other field changes", flop(22, vec![record(3).set("stand", text("1"))]), vec![(3, 3)]),
        ("a child moves", flop(23, vec![record(4).main(2)]), vec![(4, 2), (1, 4), (2, 2)]),
        (
            "a child moves to a flight that isn't there",
            flop(24, vec![record(4).main(77)]),
            vec![(4, 3), (2, 3)],
        ),
        (
            "main and child change together",
            flop(25, vec![record(1).set("stand", text("9")), record(3).clear("codeShare")]),
            vec![(1, 5), (3, 4)],
        ),
        ("a child joins again", flop(26, vec![record(3).main(1)]), vec![(3, 5), (1, 6)]),
        ("a child is deleted", delete(27, &[3]), vec![(3, 6), (1, 7)]),
    ] {
        let effects = office.one(reading);
        assert_eq!(effects.told(Target::Msg), told, "{step}");
        assert_eq!(effects.told(Target::Schd), told, "{step}");
    }
    let main = office.one(schedule(30, vec![share(6, "XX6").main(1)])).payload(Target::Msg, 1);
    assert_eq!(
        main["changes"],
        json!([{"field": "codeShares", "from": null, "to": [{"flid": 6, "flightNumber": "XX6"}]}])
    );
}

#[test]
fn inv_22_a_main_flight_that_comes_later_shows_its_waiting_children() {
    let mut office = Office::new();
    office.one(schedule(10, vec![flight(3, "XX3", 7).main(1)]));
    let main = office.one(schedule(11, vec![flight(1, "ZZ1", 7)]));
    assert_eq!(main.payload(Target::Schd, 1)["codeShares"], json!([{"flid": 3, "flightNumber": "XX3"}]));
    assert_eq!(main.told(Target::Msg), [(1, 1)]);
}

#[test]
fn c_25_deleting_a_main_flight_takes_its_children_along_or_is_refused() {
    let brought =
        || schedule(10, vec![flight(1, "ZZ1", 7), flight(3, "XX3", 7).main(1), flight(4, "XX4", 7).main(1)]);
    let mut office = Office::new();
    office.one(brought());
    let cascade = office.one(delete(20, &[1]));
    assert_eq!(cascade.told(Target::Schd), [(3, 2), (4, 2), (1, 2)]);
    assert!(
        cascade
            .events
            .iter()
            .filter(|event| event.target == Target::Schd)
            .all(|event| event.event_type == EventType::Delete)
    );
    assert!([1, 3, 4].iter().all(|flid| office.flight(*flid).life == Life::Deleted));
    let mut strict = Office::with(FlightPolicy { reject_delete_of_main: true, ..FlightPolicy::default() });
    strict.one(brought());
    let refused = strict.one(delete(20, &[3, 1]));
    assert_eq!((refused.end().as_str(), refused.written().count()), ("DEAD PROTOCOL", 0));
    let words = error(&refused.settled[0]);
    assert!(words.contains("flight 1") && words.contains("flight 4"), "{words}");
    assert_eq!(strict.one(delete(21, &[1, 3, 4])).end(), "SUCCEEDED", "listed together with its children");
}

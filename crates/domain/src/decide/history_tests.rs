//! Messages that speak of flights in history (INV-18).

use jiff::Timestamp;

use super::Passed;
use super::testing::*;
use crate::MsgId;
use crate::event::Target;
use crate::flight::Life;

/// The office's clock stands at 1970-01-01: every day of April 2026 lies ahead of the sweep.
fn office_with_history() -> Office {
    let mut office = Office::new();
    office.one(schedule(5, vec![flight(1, "ZZ", 7)]));
    office.sweep(1);
    office
}

#[test]
fn inv_18_a_message_for_a_flight_in_history_has_no_effect_and_is_counted() {
    let mut office = office_with_history();
    let flop = office.one(flop(6, vec![record(1).set("stand", text("231"))]));
    assert_eq!((flop.end().as_str(), flop.written().count()), ("SKIPPED in-history:1", 0));
    assert_eq!(flop.passed, Passed { in_history: 1, ..Passed::default() });
    let gone = office.one(delete(7, &[1]));
    assert_eq!((gone.end().as_str(), gone.written().count()), ("SUCCEEDED", 0));
    assert_eq!(gone.passed, Passed { in_history: 1, ..Passed::default() });
    let mixed = office.one(schedule(4, vec![flight(1, "ZZ", 7), flight(2, "ZZ", 7)]));
    assert_eq!((mixed.end().as_str(), mixed.told(Target::Schd)), ("SUCCEEDED", vec![(2, 1)]));
}

#[test]
fn inv_18_a_schedule_of_a_day_that_is_not_over_begins_a_new_life() {
    let mut office = office_with_history();
    let before = office.past[&crate::Flid(1)];
    let again = office.one(schedule(8, vec![flight(1, "ZZ", 8)]));
    assert_eq!(
        (again.end().as_str(), again.told(Target::Schd)),
        ("SUCCEEDED", vec![(1, before.state_version + 1)])
    );
    let flight = office.flight(1);
    assert_eq!(
        (flight.life, flight.incarnation, flight.floor),
        (Life::Active, before.incarnation + 1, MsgId(8))
    );
    assert_eq!(
        again.changes.iter().map(|step| step.state_version).collect::<Vec<_>>(),
        [before.state_version + 1]
    );
}

#[test]
fn inv_18_a_schedule_of_the_past_stays_there() {
    for (by, clock) in [(4, at(1_000)), (8, "2026-04-20T00:00:00Z".parse::<Timestamp>().expect("a time"))] {
        let mut office = office_with_history();
        office.clock = clock;
        let past = office.one(schedule(by, vec![flight(1, "ZZ", 7)]));
        assert_eq!(
            (past.end().as_str(), past.written().count()),
            ("SKIPPED in-history:1", 0),
            "{by} at {clock}"
        );
    }
}

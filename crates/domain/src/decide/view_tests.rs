//! What people see of a flight beyond its fields: stands, turnaround, who said what.

use serde_json::json;
use sis::{Entry, Record, Value, Write};

use super::testing::*;
use crate::flight::story::Language;
use crate::flight::{Flight, Partner, turnaround};
use crate::{Flid, MsgId};

fn by_stand(stand: &str, hour: i8) -> Write {
    let value = Value::Object(vec![("time", time(7, hour)), ("stand", text(stand))]);
    Write::Merge { clear: false, entries: vec![Entry { key: stand.into(), value: Some(value) }] }
}

fn planned(stand: &str, hour: i8) -> Value {
    Value::Object(vec![("stand", text(stand)), ("plannedStart", time(7, hour))])
}

#[test]
fn push_backs_and_tractors_stand_with_their_stands() {
    let mut office = Office::new();
    let plan = Value::List(vec![planned("231", 6), planned("107", 8), planned("231", 9)]);
    office.run(vec![
        schedule(10, vec![flight(1, "ZZ1", 7).set("standPlan", plan).set("stand", text("500"))]),
        flop(11, vec![record(1).write("tractors", by_stand("107", 9))]),
        flop(12, vec![record(1).write("pushBacks", by_stand("107", 10))]),
        flop(13, vec![record(1).write("pushBacks", by_stand("099", 11))]),
    ]);
    let at = |hour: i8| format!("2026-04-07T{hour:02}:10:00+08:00");
    assert_eq!(
        serde_json::to_value(office.flight(1).stands()).expect("text keys"),
        json!([
            {"stand": "231", "isCurrent": false, "planned": [[at(6), null], [at(9), null]],
             "tractorInPlace": null, "pushedBack": null},
            {"stand": "107", "isCurrent": false, "planned": [[at(8), null]],
             "tractorInPlace": at(9), "pushedBack": at(10)},
            {"stand": "500", "isCurrent": true, "planned": [], "tractorInPlace": null, "pushedBack": null},
            {"stand": "099", "isCurrent": false, "planned": [], "tractorInPlace": null, "pushedBack": at(11)},
        ])
    );
}

fn turn(flid: i64, partner: i64) -> Record {
    let link = vec![("airline", text("ZZ")), ("flid", Value::Integer(partner))];
    flight(flid, &format!("ZZ{flid}"), 7).set("turnaround", Value::Object(link))
}

#[test]
fn a_turnaround_is_found_from_both_sides_and_a_dangling_link_stays() {
    let mut office = Office::new();
    let unnumbered = Value::Object(vec![("flightNumber", text("ZZ99"))]);
    office.one(schedule(
        10,
        vec![
            turn(1, 2),
            turn(2, 1),
            turn(3, 2),
            turn(4, 99),
            turn(5, 5),
            flight(6, "ZZ6", 7).set("turnaround", unnumbered),
            flight(7, "ZZ7", 7),
            turn(8, 7),
        ],
    ));
    let fleet: Vec<Flight> = office.flights.values().cloned().collect();
    let found = |flid: i64| {
        let found = turnaround(office.flight(flid), &fleet);
        let named_by: Vec<i64> = found.named_by.iter().map(|flight| flight.flid.0).collect();
        (found.partner, named_by)
    };
    assert_eq!(found(1), (Some(Partner::Mutual(office.flight(2))), vec![]));
    assert_eq!(found(2), (Some(Partner::Mutual(office.flight(1))), vec![3]));
    assert_eq!(found(3), (Some(Partner::OneSided(office.flight(2))), vec![]));
    assert_eq!(found(4), (Some(Partner::Dangling(Flid(99))), vec![]));
    assert_eq!(found(5), (Some(Partner::Itself), vec![]));
    assert_eq!(found(6), (Some(Partner::Unnumbered), vec![]));
    assert_eq!(found(7), (None, vec![8]), "known from the other side alone");
}

#[test]
fn dec_02_each_value_is_shown_with_the_message_that_set_it() {
    let mut office = Office::new();
    office.run(vec![
        schedule(10, vec![flight(1, "ZZ1", 7).set("stand", text("1")).with_extra("NEWX", "x")]),
        flop(11, vec![record(1).set("stand", text("231"))]),
        flop(12, vec![record(1).delays(false, &[("WX", Some("雷雨"))])]),
        flop(13, vec![record(1).write("vips", by_stand("P77", 9))]),
        flop(14, vec![record(1).delays(false, &[("XX", Some("流量控制"))])]),
    ]);
    let values = |language: Language| -> Vec<(String, String, MsgId)> {
        let values = office.flight(1).values(office.policy.dictionary, language);
        values.into_iter().map(|found| (found.label, found.value, found.by)).collect()
    };
    let expected = [
        ("Flight number", "ZZ1", 10),
        ("Arrival or departure", "D", 10),
        ("Scheduled time", "09:10", 10),
        ("Current stand", "231", 11),
        ("Delays", "WX (雷雨)", 12),
        ("Delays", "XX (流量控制)", 14),
        ("NEWX", "x", 10),
    ];
    let expected = expected.map(|(label, value, by)| (label.to_owned(), value.to_owned(), MsgId(by)));
    assert_eq!(values(Language::English), expected);
    assert_eq!(values(Language::Chinese)[4], ("延误".into(), "WX（雷雨）".into(), MsgId(12)));
}

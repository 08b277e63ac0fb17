//! What leaves the house, and what doesn't.

use serde_json::json;
use sis::Value;

use super::testing::*;
use crate::Flid;
use crate::event::Target;
use crate::flight::story::Language;

#[test]
fn a_run_publishes_each_change_and_only_the_last_state() {
    let mut office = Office::new();
    let effects = office.run(vec![
        schedule(10, vec![flight(1, "ZZ1", 7), flight(2, "ZZ2", 7)]),
        flop(11, vec![record(1).set("stand", text("1"))]),
        flop(12, vec![record(1).set("stand", text("2"))]),
        delete(13, &[2]),
    ]);
    assert_eq!(effects.told(Target::Msg), [(1, 1), (2, 1), (1, 2), (1, 3), (2, 2)]);
    assert_eq!(effects.told(Target::Schd), [(1, 3), (2, 2)]);
    assert_eq!(effects.payload(Target::Schd, 1)["stand"], json!("2"));
    assert_eq!(effects.written().map(|flight| flight.flid).collect::<Vec<_>>(), [Flid(1), Flid(2)]);
}

#[test]
fn personal_data_stays_in_the_house() {
    let mut office = Office::new();
    let person = Value::Object(vec![("person", text("VIP7")), ("entourage", Value::Integer(2))]);
    let entries = vec![sis::Entry { key: "VIP7".into(), value: Some(person) }];
    let effects = office.one(schedule(
        10,
        vec![
            flight(1, "ZZ1", 7)
                .write("vips", sis::Write::Merge { clear: true, entries })
                .with_extra("NEWX", "x"),
        ],
    ));
    assert!(effects.events.iter().all(|event| !event.payload.contains("VIP7")));
    assert!(!office.view(1).to_string().contains("VIP7"));
    let full = office.flight(1).view_with_personal(office.policy.dictionary);
    assert_eq!(full["vips"], json!([{"person": "VIP7", "entourage": 2}]));
    let only_personal = office
        .one(flop(11, vec![record(1).write("vips", sis::Write::Merge { clear: true, entries: vec![] })]));
    assert_eq!(
        only_personal.payload(Target::Msg, 1)["changes"],
        json!([]),
        "the version moves, the words don't"
    );
    let step = &only_personal.changes[0];
    assert!(step.changes.contains("VIP7"), "the timeline keeps it");
    assert_eq!(step.public_changes(office.policy.dictionary), Ok(vec![]), "and gives it to nobody");
    assert_eq!((step.kind.as_deref(), step.subtype.as_deref()), (Some("FLOP"), Some("TEST")));
}

#[test]
fn elements_nobody_knows_are_kept_and_published() {
    let mut office = Office::new();
    let effects = office.one(schedule(
        10,
        vec![flight(1, "ZZ1", 7).with_extra("NEWX", "a").with_extra("NEWX", "b").with_extra("OTHR", "c")],
    ));
    assert_eq!(effects.payload(Target::Schd, 1)["extra"], json!({"NEWX": ["a", "b"], "OTHR": "c"}));
    assert!(effects.changed(1).ends_with(&["extra.NEWX".into(), "extra.OTHR".into()]));
    assert_eq!(office.view(1)["extra"]["OTHR"], json!("c"));
}

#[test]
fn a_part_nobody_knows_is_as_personal_as_the_group_it_stands_in() {
    let mut office = Office::new();
    let effects = office.one(schedule(
        10,
        vec![flight(1, "ZZ1", 7).with_extra("VIPF/NEWX", "someone").with_extra("NEWX", "a")],
    ));
    let dictionary = office.policy.dictionary;
    let step = &effects.changes[0];
    assert!(step.changes.contains("someone"), "the timeline keeps it");
    let told = [
        effects.payload(Target::Schd, 1),
        effects.payload(Target::Msg, 1),
        office.view(1),
        json!(step.public_changes(dictionary)),
        json!(format!("{:?}", office.flight(1).values(dictionary, Language::English))),
    ];
    for (place, told) in told.iter().enumerate() {
        let told = told.to_string();
        assert!(!told.contains("someone") && !told.contains("VIPF/NEWX"), "{place}: {told}");
        assert!(told.contains("NEWX"), "{place}: what stands outside is told: {told}");
    }
    let full = office.flight(1).view_with_personal(dictionary);
    assert_eq!(full["extra"], json!({"NEWX": "a", "VIPF/NEWX": "someone"}));
}

#[test]
fn a_step_that_cannot_be_read_says_so() {
    let mut office = Office::new();
    let mut step = office.one(schedule(10, vec![flight(1, "ZZ1", 7)])).changes.remove(0);
    step.changes.truncate(9);
    let error = step.public_changes(office.policy.dictionary).expect_err("cut off");
    assert!(error.starts_with("flight 1, version 1: its changes can't be read: EOF"), "{error}");
}

#[test]
fn boards_read_single_values() {
    let mut office = Office::new();
    let gates = Value::List(vec![
        Value::Object(vec![("gate", text("A14"))]),
        Value::Object(vec![("gate", text("A15"))]),
    ]);
    office.one(schedule(10, vec![flight(1, "ZZ1", 7).set("gates", gates).set("stand", text("231")).main(9)]));
    let flight = office.flight(1);
    assert_eq!(
        (flight.flight_number(), flight.movement(), flight.stand()),
        (Some("ZZ1"), Some("D"), Some("231"))
    );
    assert_eq!(flight.scheduled_time(), Some("2026-04-07T09:10:00+08:00"));
    assert_eq!((flight.gates(), flight.main_flid()), (vec!["A14", "A15"], Some(Flid(9))));
    assert_eq!((flight.actual_time(), flight.status()), (None, None));
}

//! What leaves the house, and what doesn't.

use serde_json::json;
use sis::Value;

use super::testing::*;
use crate::event::Target;
use crate::flight::story::{Language, Teller};
use crate::flight::{FieldState, Stamped};
use crate::{Flid, MsgId};

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
fn personal_data_in_parts_nobody_knows_is_told_to_nobody() {
    for (part, content) in [
        ("VIPF/NEWX", "someone"),
        ("VIPF@NEW", "someone"),
        ("vipf", "<vipf>someone</vipf>"),
        ("VPCD", "<VPCD>someone</VPCD>"),
        ("VCMN", "<VCMN>someone</VCMN>"),
        ("VIPL", "<VIPL><VPCD>someone</VPCD></VIPL>"),
        ("DELY/VIPF", "<VIPF>someone</VIPF>"),
        ("FOOO", "<FOOO><X/><VIPF VPCD='someone'/></FOOO>"),
        ("FOOO", "<FOOO vpcd = 'someone'/>"),
    ] {
        let mut office = Office::new();
        let effects = office
            .one(schedule(10, vec![flight(1, "ZZ1", 7).with_extra(part, content).with_extra("NEWX", "a")]));
        let dictionary = office.policy.dictionary;
        let step = &effects.changes[0];
        assert!(step.changes.contains("someone"), "the timeline keeps it");
        let teller = Teller { dictionary, zone: &office.policy.zone, language: Language::English };
        let told = [
            effects.payload(Target::Schd, 1).to_string(),
            effects.payload(Target::Msg, 1).to_string(),
            office.view(1).to_string(),
            format!("{:?}", step.public_changes(dictionary)),
            format!("{:?}", office.flight(1).values(dictionary, Language::English)),
        ];
        for (place, told) in told.iter().enumerate() {
            assert!(!told.contains("someone"), "{part}, {place}: {told}");
            assert!(told.contains("NEWX"), "{part}, {place}: what is not personal is told: {told}");
        }
        let story = teller.story(&[(step.clone(), office.clock)], &[]);
        assert!(!story.contains("someone"), "{part}: {story}");
        let full = office.flight(1).view_with_personal(dictionary).to_string();
        assert!(full.contains("someone"), "{part}: {full}");
    }
}

#[test]
fn what_the_dictionary_has_forgotten_or_reads_otherwise_now_is_told_to_nobody() {
    let mut office = Office::new();
    office.one(schedule(10, vec![flight(1, "ZZ1", 7)]));
    let mut flight = office.flight(1).clone();
    let mut state = |name: &str, value| {
        flight.fields.insert(name.into(), FieldState::Single(Stamped { value: Some(value), by: MsgId(10) }));
    };
    state("gates", json!([{"gate": "A1", "phone": "secret"}, {"gate": 7}]));
    state("delays", json!("secret"));
    state("stand", json!(["secret"]));
    let told = flight.view(office.policy.dictionary);
    assert_eq!(told["gates"], json!([{"gate": "A1"}, {}]));
    assert!(!told.to_string().contains("secret"), "{told}");
    assert!(flight.view_with_personal(office.policy.dictionary).to_string().contains("secret"));
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

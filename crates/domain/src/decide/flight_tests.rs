//! Rules about flights, each told by whole messages.

use serde_json::{Value as Json, json};
use sis::{Body, Schedule, ScheduleKind};

use super::FlightPolicy;
use super::testing::*;
use crate::MsgId;
use crate::event::{EventType, Target};
use crate::flight::Life;
use crate::message::ErrorClass;

fn fields(office: &Office, flid: i64, names: &[&str]) -> Vec<Json> {
    let view = office.view(flid);
    names.iter().map(|name| view.get(*name).cloned().unwrap_or(Json::Null)).collect()
}

#[test]
fn inv_13_one_message_is_one_version_step_per_flight() {
    let mut office = Office::new();
    let brought = office.one(schedule(10, vec![flight(1, "ZZ1", 7), flight(2, "ZZ2", 7)]));
    assert_eq!(brought.told(Target::Msg), [(1, 1), (2, 1)]);
    assert_eq!(brought.told(Target::Schd), [(1, 1), (2, 1)]);
    let moved = office.one(flop(11, vec![record(1).set("stand", text("231")).set("terminal", text("T1"))]));
    assert_eq!(moved.end(), "SUCCEEDED");
    assert_eq!(moved.told(Target::Msg), [(1, 2)]);
    assert_eq!(moved.changed(1), ["terminal", "stand"]);
    let payload = moved.payload(Target::Msg, 1);
    assert_eq!(payload["changes"][1], json!({"field": "stand", "from": null, "to": "231"}));
    assert_eq!(
        (&payload["msgId"], &payload["type"], &payload["life"]),
        (&json!(11), &json!("FLOP"), &json!("ACTIVE"))
    );
    assert_eq!(moved.payload(Target::Schd, 1)["stand"], json!("231"));
}

#[test]
fn inv_20_the_same_message_again_has_no_version_and_no_event() {
    let messages = || {
        [
            schedule(
                10,
                vec![flight(1, "ZZ1", 7).delays(true, &[("WX", Some("fog"))]).with_extra("NEWX", "a")],
            ),
            flop(
                11,
                vec![
                    record(1).set("stand", text("231")).delays(false, &[("WX", None), ("RL", Some("late"))]),
                ],
            ),
            flop(12, vec![record(1).clear("stand")]),
            flop(13, vec![record(9).set("stand", text("1"))]),
            delete(14, &[1, 77]),
            schedule(15, vec![flight(1, "ZZ1", 8).main(9)]),
        ]
    };
    let mut office = Office::new();
    for message in messages() {
        office.one(message);
    }
    let before = office.flights.clone();
    for message in messages() {
        let again = office.one(message);
        assert!(again.events.is_empty() && again.written().count() == 0, "{again:?}");
    }
    assert_eq!(office.flights, before);
}

#[test]
fn dec_02_an_equal_value_moves_provenance_without_version_or_event() {
    let mut office = Office::new();
    office.one(schedule(10, vec![flight(1, "ZZ1", 7).set("stand", text("231"))]));
    let equal = office.one(flop(20, vec![record(1).set("stand", text("231")).clear("remarks")]));
    assert_eq!((equal.end().as_str(), equal.events.len(), equal.written().count()), ("SUCCEEDED", 0, 1));
    let older = office.one(flop(15, vec![record(1).set("stand", text("5")).set("remarks", text("old"))]));
    assert_eq!((older.events.len(), office.version(1)), (0, 1));
    assert_eq!(fields(&office, 1, &["stand", "remarks"]), [json!("231"), Json::Null]);
}

#[test]
fn inv_14_absent_keeps_and_empty_clears() {
    for (policy, kept) in [
        (FlightPolicy::default(), json!("231")),
        (FlightPolicy { clear_absent_optional: true, ..FlightPolicy::default() }, Json::Null),
    ] {
        let mut office = Office::with(policy);
        let full = flight(1, "ZZ1", 7)
            .set("stand", text("231"))
            .set("remarks", text("hello"))
            .delays(true, &[("WX", Some("fog"))]);
        office.one(schedule(10, vec![full]));
        office.one(flop(11, vec![record(1).set("calculatedTakeOffTime", time(7, 10))]));
        office.one(schedule(12, vec![flight(1, "ZZ1", 7).clear("remarks")]));
        let ctot = json!("2026-04-07T10:10:00+08:00");
        assert_eq!(
            fields(&office, 1, &["stand", "remarks", "calculatedTakeOffTime"]),
            [kept.clone(), Json::Null, ctot]
        );
        assert_eq!(office.view(1).get("delays").is_none(), kept.is_null());
        let before = office.flight(1).state_version;
        office.one(flop(13, vec![record(1).set("terminal", text("T2"))]));
        assert_eq!(office.version(1), before + 1, "a FLOP never clears what it doesn't carry");
        assert_eq!(fields(&office, 1, &["stand"]), [kept]);
    }
}

#[test]
fn inv_12_the_operation_day_is_set_once() {
    let mut office = Office::new();
    office.one(schedule(10, vec![flight(1, "ZZ1", 7)]));
    let before = office.flights.clone();
    let conflict = office.one(schedule(11, vec![flight(2, "ZZ2", 7), flight(1, "ZZ1", 8)]));
    assert_eq!(conflict.end(), "DEAD PROTOCOL");
    let words = error(&conflict.settled[0]);
    for part in ["flight 1", "2026-04-07", "2026-04-08", "keep-day"] {
        assert!(words.contains(part), "{words}");
    }
    assert_eq!(office.flights, before, "inv_19: nothing of the message is applied");
    assert!(conflict.events.is_empty());
    office.policy.flight.keep_day = true;
    let kept = office.one(schedule(12, vec![flight(1, "ZZ1", 8)]));
    assert_eq!(kept.end(), "SUCCEEDED");
    assert_eq!(
        fields(&office, 1, &["operationDay", "scheduledTime"]),
        [json!("2026-04-07"), json!("2026-04-08T09:10:00+08:00")]
    );
}

#[test]
fn inv_12_records_of_one_message_that_disagree_on_the_day_refuse_it() {
    for (known, records) in [
        (Some(7), [flight(1, "ZZ1", 8), flight(1, "ZZ1", 7)]),
        (Some(7), [flight(1, "ZZ1", 7), flight(1, "ZZ1", 8)]),
        (None, [flight(1, "ZZ1", 7), flight(1, "ZZ1", 8)]),
    ] {
        let mut office = Office::new();
        known.into_iter().for_each(|day| drop(office.one(schedule(10, vec![flight(1, "ZZ1", day)]))));
        let before = office.flights.clone();
        assert_eq!(office.one(schedule(11, records.to_vec())).end(), "DEAD PROTOCOL");
        assert_eq!(office.flights, before, "inv_19: nothing of the message is applied");
    }
}

#[test]
fn inv_15_absence_from_a_schedule_deletes_nothing_and_a_list_does() {
    let mut office = Office::new();
    office.one(schedule(10, vec![flight(1, "ZZ1", 7), flight(2, "ZZ2", 7)]));
    office.one(schedule(11, vec![flight(1, "ZZ1", 7)]));
    assert_eq!(office.flight(2).life, Life::Active);
    let listed = Schedule {
        kind: ScheduleKind::Delete,
        declared_records: Some(2),
        records: vec![record(2), record(3)],
    };
    let deleted = office.one(message(12, "SCHD", "DEL", Ok(Body::Schedule(listed))));
    assert_eq!(deleted.end(), "SUCCEEDED");
    assert_eq!(deleted.told(Target::Schd), [(2, 2)]);
    assert_eq!(office.flight(2).life, Life::Deleted);
}

#[test]
fn inv_19_declared_records_must_agree() {
    for (declared, records, end) in [
        (None, 2, "SUCCEEDED"),
        (Some(2), 2, "SUCCEEDED"),
        (Some(0), 0, "SUCCEEDED"),
        (None, 0, "SUCCEEDED"),
        (Some(3), 2, "DEAD PROTOCOL"),
        (Some(1), 2, "DEAD PROTOCOL"),
        (Some(1), 0, "DEAD PROTOCOL"),
    ] {
        let mut office = Office::new();
        let records: Vec<_> = (1..=records).map(|flid| flight(flid, "ZZ", 7)).collect();
        let count = records.len();
        let body = Schedule { kind: ScheduleKind::Upsert, declared_records: declared, records };
        let effects = office.one(message(10, "SCHD", "DNLD", Ok(Body::Schedule(body))));
        assert_eq!(effects.end(), end, "RECS {declared:?}, {count} records");
        assert_eq!(effects.written().count(), if end == "SUCCEEDED" { count } else { 0 });
        if end != "SUCCEEDED" {
            let words = error(&effects.settled[0]);
            assert!(words.contains(&format!("RECS says {}", declared.unwrap_or_default())), "{words}");
            assert!(effects.settled[0].identity.is_some());
        }
    }
}

#[test]
fn inv_19_an_unchanged_record_stops_no_other_and_one_flid_is_folded() {
    let mut office = Office::new();
    office.one(schedule(10, vec![flight(1, "ZZ1", 7).set("stand", text("1")), flight(2, "ZZ2", 7)]));
    let effects = office.one(flop(
        11,
        vec![
            record(1).set("stand", text("1")),
            record(2).set("stand", text("2")).delays(false, &[("A", Some("a"))]),
            record(2).set("stand", text("3")).delays(false, &[("B", Some("b"))]),
        ],
    ));
    assert_eq!(effects.told(Target::Msg), [(2, 2)]);
    let delays = json!([{"code": "A", "comment": "a"}, {"code": "B", "comment": "b"}]);
    assert_eq!(fields(&office, 2, &["stand", "delays"]), [json!("3"), delays]);
}

#[test]
fn keyed_collections_merge_by_key_and_a_schedule_replaces_them() {
    let mut office = Office::new();
    office.one(schedule(10, vec![flight(1, "ZZ1", 7).delays(true, &[("A", Some("a")), ("B", Some("b"))])]));
    let codes = |office: &Office| {
        let delays = office.view(1).get("delays").cloned().unwrap_or(json!([]));
        delays
            .as_array()
            .expect("a list")
            .iter()
            .map(|delay| delay["code"].as_str().expect("a code").to_owned())
            .collect::<Vec<_>>()
    };
    office.one(flop(20, vec![record(1).delays(false, &[("B", None), ("C", Some("c"))])]));
    assert_eq!(codes(&office), ["A", "C"]);
    let same = office
        .one(schedule(30, vec![flight(1, "ZZ1", 7).delays(true, &[("A", Some("a")), ("C", Some("c"))])]));
    assert!(same.events.is_empty(), "sent again whole, nothing changed");
    office.one(flop(25, vec![record(1).delays(false, &[("D", Some("d"))])]));
    assert_eq!(codes(&office), ["A", "C"], "a clear beats older entries");
    office.one(schedule(40, vec![flight(1, "ZZ1", 7).delays(true, &[("E", Some("e"))])]));
    assert_eq!(codes(&office), ["E"]);
    office.one(flop(41, vec![record(1).delays(true, &[])]));
    assert_eq!(codes(&office), [""; 0]);
}

#[test]
fn dec_03_a_flop_for_an_unknown_flight_is_kept_silently_until_a_schedule_comes() {
    let mut office = Office::new();
    let partial = office.one(flop(10, vec![record(1).set("stand", text("231"))]));
    assert_eq!(
        (partial.end().as_str(), partial.events.len(), partial.written().count()),
        ("SUCCEEDED", 0, 1)
    );
    assert_eq!(office.flight(1).life, Life::Partial);
    let brought = office.one(schedule(5, vec![flight(1, "ZZ1", 7).set("stand", text("9"))]));
    assert_eq!(office.flight(1).life, Life::Active);
    assert_eq!(brought.payload(Target::Schd, 1)["stand"], json!("231"), "the newer message wins");
    let changes = brought.changed(1);
    assert!(changes.contains(&"stand".into()) && changes[0] == "life", "all of it is news: {changes:?}");
    let mut strict = Office::with(FlightPolicy { skip_unknown: true, ..FlightPolicy::default() });
    let skipped = strict.one(flop(10, vec![record(1).set("stand", text("231"))]));
    assert_eq!((skipped.end().as_str(), skipped.written().count()), ("SKIPPED unknown-flight:1", 0));
}

#[test]
fn dec_04_fdel_deletes_and_later_flops_are_skipped() {
    let mut office = Office::new();
    office.one(schedule(10, vec![flight(1, "ZZ1", 7), flight(2, "ZZ2", 7)]));
    let deleted = office.one(delete(20, &[1]));
    assert_eq!(deleted.told(Target::Schd), [(1, 2)]);
    let tombstone = deleted.events.iter().find(|event| event.target == Target::Schd).expect("a tombstone");
    assert_eq!((tombstone.event_type, tombstone.payload.as_str()), (EventType::Delete, "null"));
    let told = deleted.payload(Target::Msg, 1);
    assert_eq!(told["life"], json!("DELETED"));
    assert_eq!(told["changes"], json!([{"field": "life", "from": "ACTIVE", "to": "DELETED"}]));
    let later = office.one(flop(21, vec![record(1).set("stand", text("1"))]));
    assert_eq!((later.end().as_str(), later.written().count()), ("SKIPPED deleted-flight:1", 0));
    let mixed =
        office.one(flop(22, vec![record(1).set("stand", text("1")), record(2).set("stand", text("2"))]));
    assert_eq!((mixed.end().as_str(), mixed.told(Target::Msg)), ("SUCCEEDED", vec![(2, 2)]));
}

#[test]
fn dec_04_deletion_of_what_is_not_there_only_keeps_older_schedules_away() {
    let mut office = Office::new();
    let nothing = office.one(delete(20, &[1]));
    assert_eq!((nothing.end().as_str(), nothing.events.len()), ("SUCCEEDED", 0));
    assert_eq!((office.version(1), office.flight(1).floor), (0, MsgId(20)));
    let older = office.one(schedule(10, vec![flight(1, "ZZ1", 7)]));
    assert_eq!((older.end().as_str(), older.events.len()), ("SUCCEEDED", 0));
    let newer = office.one(schedule(30, vec![flight(1, "ZZ1", 7)]));
    assert_eq!(newer.told(Target::Schd), [(1, 1)]);
    assert_eq!((office.flight(1).life, office.flight(1).incarnation), (Life::Active, 1));
}

#[test]
fn q16_a_schedule_revives_with_empty_fields_and_a_rising_version() {
    let mut office = Office::new();
    office.one(schedule(10, vec![flight(1, "ZZ1", 7).set("stand", text("231"))]));
    office.one(delete(20, &[1]));
    let older = office.one(schedule(15, vec![flight(1, "ZZ1", 7)]));
    assert!(older.events.is_empty() && older.written().count() == 0, "older than the FDEL");
    let revived = office.one(schedule(30, vec![flight(1, "ZZ1", 9)]));
    assert_eq!(revived.told(Target::Schd), [(1, 3)]);
    let flight = office.flight(1);
    assert_eq!((flight.life, flight.incarnation, flight.floor), (Life::Active, 2, MsgId(30)));
    assert_eq!(fields(&office, 1, &["stand", "operationDay"]), [Json::Null, json!("2026-04-09")]);
    let below = office.one(flop(25, vec![record(1).set("stand", text("9"))]));
    assert!(below.events.is_empty() && below.written().count() == 0, "below the floor of this life");
    let old_deletion = office.one(delete(22, &[1]));
    assert!(old_deletion.events.is_empty() && old_deletion.written().count() == 0);
    assert_eq!(office.flight(1).life, Life::Active);
}

#[test]
fn an_fdel_older_than_the_newest_schedule_has_no_effect() {
    let mut office = Office::new();
    office.one(schedule(30, vec![flight(1, "ZZ1", 7)]));
    let late = office.one(delete(20, &[1]));
    assert_eq!((late.end().as_str(), late.events.len(), late.written().count()), ("SUCCEEDED", 0, 0));
    office.one(flop(50, vec![record(1).set("stand", text("1"))]));
    office.one(delete(40, &[1]));
    assert_eq!(office.flight(1).life, Life::Deleted, "only schedules stand above an FDEL");
}

#[test]
fn a_refused_message_keeps_its_identity_and_says_so() {
    let mut office = Office::new();
    office.one(schedule(10, vec![flight(1, "ZZ1", 7)]));
    let dead = office.one(schedule(11, vec![flight(1, "ZZ1", 8)]));
    let settled = &dead.settled[0];
    assert!(settled.identity.is_some());
    assert_eq!(settled.attempt_failure.as_ref().map(|(class, _)| *class), Some(ErrorClass::Protocol));
    assert_eq!((settled.attempts_seen, settled.attempts), (0, 1));
}

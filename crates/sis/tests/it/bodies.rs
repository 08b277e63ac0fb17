//! What present, empty, absent, repeated and unknown elements do.

use serde_json::json;
use sis::{Body, Carrier, Dictionary, Limits};

use crate::support::{fields, flop, good, records, schedule, xml};

#[test]
fn inv_14_present_and_empty_clears_and_absent_changes_nothing() {
    for (text, expected) in [
        (flop("STND", "<STND/>"), json!({ "stand": null })),
        (flop("VIPP", "<VIPR>2</VIPR>"), json!({ "vipRank": 2 })),
        (
            flop("HAGT", "<PHAG/><MHAG>420233</MHAG>"),
            json!({ "passengerAgent": null, "maintenanceAgent": 420233 }),
        ),
        (flop("GTDT", "<GTDT/>"), json!({ "gates": null })),
        (flop("GTDT", "<GTDT GTNO='1'><GATE/></GTDT>"), json!({ "gates": null })),
        (flop("GTDT", "<GTDT/><GTDT><GATE>C1</GATE></GTDT>"), json!({ "gates": [{ "gate": "C1" }] })),
        (
            flop("DELY", "<DELY CODE='' STRT=''></DELY>"),
            json!({ "delays": { "clear": true, "entries": {} } }),
        ),
        (flop("FDIV", "<FDIV DDES='' DDIR='TO'>x</FDIV>"), json!({ "diversion": null })),
        (flop("FRET", "<FRET/>"), json!({ "flightReturn": null })),
        (flop("EXSS", "<EXSC/><EXSR>x</EXSR>"), json!({ "externalStatus": null })),
        (flop("EXSS", "<EXSC>OK</EXSC>"), json!({ "externalStatus": { "status": "OK" } })),
        (flop("TAOP", "<TAOP>QY</TAOP><TAFL/><TAID>9</TAID>"), json!({ "turnaround": null })),
        (flop("CSFT", "<CSOP>QY</CSOP><CSFT>QY1</CSFT>"), json!({ "codeShare": null })),
        (
            flop("CSFT", "<MAID>9</MAID><CSOP>QY</CSOP><CSFT>QY1</CSFT>"),
            json!({ "codeShare": { "airline": "QY", "flightNumber": "QY1", "mainFlid": 9 } }),
        ),
    ] {
        assert_eq!(fields(&text), expected, "{text}");
    }
}

#[test]
fn keyed_groups_merge_in_a_flop_and_replace_in_a_schedule() {
    let elements = "<DELY CODE='A'>one</DELY><STND>1</STND><DELY CODE='B'/><DELY CODE='A'>two</DELY>";
    let entries = json!({ "B": { "code": "B" }, "A": { "code": "A", "comment": "two" } });
    assert_eq!(fields(&flop("DELY", elements)), json!({ "delays": { "clear": false, "entries": entries } }));
    let scheduled = &fields(&schedule(elements))["delays"];
    assert_eq!(*scheduled, json!({ "clear": true, "entries": entries }));
    let cleared = flop("DELY", "<DELY CODE='A'/><DELY/>");
    assert_eq!(fields(&cleared)["delays"], json!({ "clear": true, "entries": { "A": { "code": "A" } } }));
}

#[test]
fn an_entry_without_its_time_removes_that_key_only() {
    for (text, name, expected) in [
        (flop("PORT", "<PORT><POTM/><POID>C</POID></PORT>"), "doors", json!({ "C": null })),
        (flop("TIPT", "<TIPT><TRST>305</TRST></TIPT>"), "tractors", json!({ "305": null })),
    ] {
        assert_eq!(fields(&text)[name], json!({ "clear": false, "entries": expected }));
    }
}

#[test]
fn a_flop_applies_only_what_its_subtype_declares() {
    let text = flop(
        "ESTT",
        "<FFID>x</FFID><SODT>2026-09-13</SODT><STND>1</STND><ESTT/><GTDT/><STND>2</STND><NEW a='1'>新</NEW>",
    );
    let message = good(&text);
    let record = &records(&message)[0];
    assert_eq!(record.writes.len(), 1);
    assert_eq!(record.not_applied, ["STND", "GTDT"]);
    assert_eq!(record.extra, [("NEW".to_owned(), "<NEW a='1'>新</NEW>".to_owned())]);
}

#[test]
fn parts_nobody_knows_are_kept_with_their_place() {
    let text =
        schedule("<DELY CODE='A' XX='1'><YY/>late</DELY><GTDT><GATE z='2'>1</GATE><QQ>3</QQ></GTDT>stray");
    let message = good(&text);
    let names: Vec<_> = records(&message)[0].extra.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["#text", "GTDT/QQ", "DELY@XX", "DELY/YY"]);
}

#[test]
fn inv_15_schedule_delete_needs_nothing_but_flid() {
    let message = good(&xml(
        "SCHD",
        "del",
        "<SCHD><FLTR><FLID>1</FLID></FLTR><FLTR><FLID>2</FLID><STND>3</STND></FLTR></SCHD>",
    ));
    assert!(matches!(&message.body, Body::Schedule(schedule) if schedule.kind == sis::ScheduleKind::Delete));
    assert_eq!(records(&message).iter().map(|record| record.flid).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(records(&message)[1].not_applied, ["STND"]);
}

#[test]
fn dec_4_a_type_fdel_deletes_too() {
    for body in
        ["<FLOP><FLID>1</FLID></FLOP>", "<FDEL><FLID>1</FLID></FDEL>", "<FLOP><FLID>1</FLID><FDEL/></FLOP>"]
    {
        assert!(matches!(good(&xml("FDEL", "NONE", body)).body, Body::Delete(records) if records.len() == 1));
    }
}

#[test]
fn what_the_dictionary_does_not_know_is_unknown_and_no_problem() {
    for (kind, subtype) in [("LDM", "NONE"), ("FLOP", "ZZZZ"), ("RSTA", ""), ("EROR", "X")] {
        let message = good(&xml(kind, subtype, "<A/><B/><A/>"));
        assert!(matches!(&message.body, Body::Unknown(unknown) if unknown.elements == ["A", "B"]), "{kind}");
    }
}

#[test]
fn a_schedule_may_be_empty_and_its_subtype_new() {
    for subtype in ["DNLD", "RESP", "ADFT", "ADD", "UPD", "WHAT", ""] {
        let message = good(&xml("SCHD", subtype, "<SCHD><RECS>0</RECS></SCHD>"));
        assert!(matches!(&message.body, Body::Schedule(schedule)
            if schedule.kind == sis::ScheduleKind::Upsert && schedule.declared_records == Some(0)));
    }
}

#[test]
fn absent_may_mean_clear_where_a_site_says_so() {
    let site = r#"subtypes = [
        { name = "VIPP", fields = ["vipCount", "vipRank"], absent = "clear", zh = "要客", en = "VIP" },
        { name = "DELY", fields = ["delays"], absent = "clear", zh = "延误", en = "Delays" },
    ]"#;
    let dictionary = Dictionary::overlaid(site).expect("a good overlay").leak();
    for (text, expected) in [(flop("VIPP", "<VIPR>1</VIPR>"), 2), (flop("DELY", ""), 1)] {
        let message = sis::decode(text.as_bytes(), Carrier::Text, &Limits::default(), dictionary);
        assert_eq!(records(&message.expect("a good message"))[0].writes.len(), expected);
    }
}

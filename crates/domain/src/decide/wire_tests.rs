//! The way of real letters: what is judged first, and how each ends.

use serde_json::json;

use super::letters::*;
use super::testing::*;
use crate::event::Target;

const FLIGHT: &str = "<FLTR><FLID>7</FLID><ALCD>ZZ</ALCD><FLNO>ZZ6238</FLNO><MVIN>D</MVIN><SODT>07APR260945</SODT>\
    <FLTY>J</FLTY><FLIN>D</FLIN><ACFT>321</ACFT><GTDT GTNO=\"1\"><GATE>A14</GATE></GTDT>\
    <DELY CODE=\"WX\" STRT=\"07APR260945\" DURA=\"0110\">雷雨</DELY></FLTR>";

#[test]
fn a_flight_lives_from_schedule_to_deletion() {
    let mut office = Office::new();
    let brought = send(&mut office, 1, "SCHD", "DNLD", &format!("<SCHD><RECS>1</RECS>{FLIGHT}</SCHD>"));
    assert_eq!(brought.end(), "SUCCEEDED");
    let state = brought.payload(Target::Schd, 7);
    assert_eq!(state["operationDay"], json!("2026-04-07"));
    assert_eq!(state["scheduledTime"], json!("2026-04-07T09:45:00+08:00"));
    assert_eq!(state["delays"][0]["durationMinutes"], json!(70));
    assert_eq!(office.flight(7).gates(), ["A14"]);
    let late = send(&mut office, 2, "FLOP", "ESTT", "<FLOP><FLID>7</FLID><ESTT>07APR260958</ESTT></FLOP>");
    let change = &late.payload(Target::Msg, 7)["changes"];
    assert_eq!(*change, json!([{"field": "estimatedTime", "from": null, "to": "2026-04-07T09:58:00+08:00"}]));
    let cleared = send(&mut office, 3, "FLOP", "DELY", "<FLOP><FLID>7</FLID><DELY></DELY></FLOP>");
    assert_eq!(cleared.payload(Target::Schd, 7).get("delays"), None);
    let deleted = send(&mut office, 4, "FLOP", "FDEL", "<FLOP><FLID>7</FLID><FDEL/></FLOP>");
    assert_eq!((deleted.end().as_str(), deleted.told(Target::Schd)), ("SUCCEEDED", vec![(7, 4)]));
}

#[test]
fn every_letter_has_its_end() {
    let flop = "<FLOP><FLID>7</FLID><ESTT>07APR260958</ESTT></FLOP>";
    let whole =
        |kind: &str, subtype: &str, body: &str| format!("<MSG>{}{body}</MSG>", meta(kind, subtype, "1"));
    let nameless = |kind: &str| format!("<MSG><META><TYPE>{kind}</TYPE><STYP>X</STYP></META>{flop}</MSG>");
    for (body, end, labelled) in [
        (whole("FLOP", "ESTT", flop), "SUCCEEDED", true),
        (whole("LDM", "NONE", "<LDM/>"), "SKIPPED ignored:LDM-*", true),
        (whole("REGN", "UPD", "<RECS>0</RECS>"), "SKIPPED ignored:REGN-*", true),
        (whole("GLST", "DNLD", "<RECS>0</RECS>"), "SKIPPED reference:GLST-DNLD", true),
        (nameless("LDM"), "SKIPPED ignored:LDM-*", true),
        (nameless("FLOP"), "DEAD MALFORMED", true),
        (whole("NEWS", "X", "<NEWS/>"), "FAILED UNSUPPORTED", true),
        (whole("FLOP", "ESTT", "<FLOP><FLID>7</FLID></FLOP>"), "DEAD MALFORMED", true),
        (whole("FLOP", "ESTT", "<FLOP><ESTT>07APR260958</ESTT></FLOP>"), "DEAD MALFORMED", true),
        (whole("FLOP", "ESTT", "<FLOP><FLID>7</FLID><ESTT>noon</ESTT></FLOP>"), "FAILED CODEC_ERROR", true),
        (whole("SCHD", "DNLD", &format!("<SCHD><RECS>2</RECS>{FLIGHT}</SCHD>")), "DEAD PROTOCOL", true),
        (whole("SCHD", "DNLD", "<SCHD><RECS>0</RECS></SCHD>"), "SUCCEEDED", true),
        ("<MSG>".into(), "DEAD MALFORMED", false),
        ("<MSG></MSG>".into(), "DEAD MALFORMED", false),
        (String::new(), "DEAD MALFORMED", false),
    ] {
        let effects = Office::new().one(letter(1, body.as_bytes()));
        assert_eq!(effects.end(), end, "{body}");
        let settled = effects.settled.first().or(effects.blocked.as_ref()).expect("one");
        assert_eq!(
            (settled.labels.kind.is_some(), settled.content_hash.is_some()),
            (labelled, labelled),
            "{body}"
        );
    }
}

#[test]
fn c_04_layout_is_no_content_but_dttm_is() {
    let mut office = Office::new();
    let flop = "<FLOP><FLID>7</FLID><ESTT>07APR260958</ESTT></FLOP>";
    let first = format!("<MSG>{}{flop}</MSG>", meta("FLOP", "ESTT", "1"));
    let laid_out =
        format!("<?xml version=\"1.0\"?>\n<MSG>\n  {}\n  {flop}\n</MSG>\n", meta("FLOP", "ESTT", "1"));
    let another_day = first.replace("20260407081530", "20260408081530");
    let ends = [first, laid_out, another_day].map(|body| body.into_bytes());
    let ends: Vec<String> = (1..).zip(&ends).map(|(id, body)| office.one(letter(id, body)).end()).collect();
    assert_eq!(ends, ["SUCCEEDED", "SKIPPED duplicate-of:1", "SUCCEEDED"]);
}

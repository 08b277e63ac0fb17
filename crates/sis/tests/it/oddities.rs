//! The table of oddities in `docs/wire-format.md`, row by row: what senders really send, and
//! what becomes of it.

use encoding_rs::GB18030;
use serde_json::{Value, json};
use sis::{Carrier, Dictionary, Limits, Problem};

use crate::support::{FLIGHT, flop, schedule, xml};

/// What a row asks for.
enum Expected {
    /// The message as JSON has this value at this pointer.
    Has(&'static str, Value),
    /// The problem's words.
    Refused(&'static str),
}

use Expected::{Has, Refused};

/// Number of the row, the message, and what is expected of it.
type Row = (u8, Vec<u8>, Expected);

const FIELDS: &str = "/body/records/0/fields";

fn field(name: &str, value: Value) -> Expected {
    Has(String::leak(format!("{FIELDS}/{name}")), value)
}

fn meta(before: &str, after: &str) -> Vec<u8> {
    let text = flop("STND", "<STND>1</STND>");
    assert!(text.contains(before), "{before}");
    text.replace(before, after).into_bytes()
}

fn bytes(text: impl Into<String>) -> Vec<u8> {
    text.into().into_bytes()
}

fn of_meta() -> Vec<Row> {
    vec![
        (
            1,
            meta("20260913091530", "2026-09-13 09:15:30"),
            Has("/meta/sentAt", json!("2026-09-13T09:15:30+08:00")),
        ),
        (2, meta("<SEQN>1<", "<SEQN>8105809911223344556<"), Has("/meta/seqn", json!("8105809911223344556"))),
        (4, meta("SEQN>", "SEQS>"), Has("/meta/seqn", json!("1"))),
        (18, meta("<DTTM>2", "<DTTM> 2"), Has("/meta/seqn", json!("1"))),
        (
            21,
            meta("<DTTM>20260913091530</DTTM>", "<DDTM>20260913091530123</DDTM>"),
            Refused("sibling format (it has DDTM or MGID), not of SIS"),
        ),
        (
            21,
            meta("<SNDR>", "<MGID>7</MGID><SNDR>"),
            Refused("sibling format (it has DDTM or MGID), not of SIS"),
        ),
    ]
}

fn of_dialects() -> Vec<Row> {
    let milestone = "<FLID>7</FLID><FFID>QY-3105-A-20260913-D-W/Z</FFID><SODT>2026-09-13</SODT><ALCD>QY</ALCD>\
        <FLNO>3105</FLNO><DPAPCD>XNN</DPAPCD><ARAPCD>TAO</ARAPCD><PointEnCode>KCGB</PointEnCode>\
        <PointName>客舱关闭</PointName><PointFinishTime>2026-09-13 09:15:03</PointFinishTime>";
    let read = json!({ "clear": false, "entries": { "KCGB":
        { "code": "KCGB", "title": "客舱关闭", "finished": "2026-09-13T09:15:03+08:00" } } });
    let wrapped = json!({ "mainType": "FLOP", "subType": "STND", "sender": "AODB",
        "message": flop("STND", "<STND>登</STND>") });
    vec![
        (
            3,
            bytes(xml("FLOP", "SFGS", &format!("<SFGS>{milestone}</SFGS>"))),
            field("serviceMilestones", read.clone()),
        ),
        (
            3,
            bytes(xml("FLOP", "SFGS", &format!("<FLOP>{milestone}</FLOP>"))),
            field("serviceMilestones", read),
        ),
        (
            5,
            bytes(flop("STND", "<STND/><AOCID>QY3105-1-XNN-TAO</AOCID>")),
            Has("/body/records/0/extra/0/name", json!("AOCID")),
        ),
        (6, bytes(flop("FUEL-BGN", "<X>1</X>")), Has("/body/records/0/extra/0/content", json!("<X>1</X>"))),
        (6, bytes(flop("FUEL-END", "")), Has("/body/records/0/flid", json!(7))),
        (6, bytes(flop("A-LONG-ONE", "")), Has("/body/kind", json!("unknown"))),
        (7, bytes(wrapped.to_string()), field("stand", json!("登"))),
        (7, bytes("{\"mainType\":\"FLOP\"}"), Refused("`message`")),
        (7, bytes("{\"message\":\"not XML\"}"), Refused("no XML root")),
    ]
}

fn of_values() -> Vec<Row> {
    vec![
        (
            8,
            bytes(flop("GTDT", "<GTDT GTNO='\u{201d}2\u{201d}'><GATE>A1</GATE></GTDT>")),
            field("gates/0/sequence", json!(2)),
        ),
        (
            8,
            bytes(flop("GTDT", "<GTDT GTNO=\u{201d}2\u{201d}><GATE>A1</GATE></GTDT>")),
            Refused("not in quotes"),
        ),
        (
            9,
            bytes(flop("MAXP", "<FFID>QY3105-D-20260914-I-W/Z</FFID><MAXP>9</MAXP>")),
            Has(FIELDS, json!({ "seatCapacity": 9 })),
        ),
        (
            10,
            bytes(flop("PSDT", "<PSDT PSNO = \"1\" ><PSST >218</PSST ></PSDT >")),
            field("standPlan/0", json!({ "sequence": 1, "stand": "218" })),
        ),
        (
            11,
            bytes(flop("ESTT", "<ESTT>07Apr260915</ESTT>")),
            field("estimatedTime", json!("2026-04-07T09:15:00+08:00")),
        ),
        (
            11,
            bytes(flop("ESTT", "<ESTT>07apr26</ESTT>")),
            field("estimatedTime", json!("2026-04-07T00:00:00+08:00")),
        ),
        (14, bytes(flop("REMC", "<REMC></REMC>")), field("remarks", json!(null))),
        (14, bytes(flop("MAXP", "<MAXP/>")), field("seatCapacity", json!(null))),
        (14, bytes(flop("ESTT", "<ESTT />")), field("estimatedTime", json!(null))),
        (14, bytes(flop("GTDT", "<GTDT GTNO=\"\"></GTDT>")), field("gates", json!(null))),
        (
            14,
            bytes(flop("DELY", "<DELY CODE='A' STRT='' DURA=\"\"/>")),
            field("delays/entries/A", json!({ "code": "A" })),
        ),
        (19, bytes(flop("FLTY", "<FLTY>W/Z</FLTY>")), field("flightType", json!("W/Z"))),
        (20, bytes(flop("MAXP", "<MAXP>70000</MAXP>")), field("seatCapacity", json!(70000))),
        (20, bytes(flop("PAXC", "<PAXC>180.0</PAXC>")), field("passengerCount", json!(180))),
        (20, bytes(flop("LBNO", "<LBNO>12.5</LBNO>")), field("localBagCount", json!("12.5"))),
    ]
}

fn of_documents() -> Vec<Row> {
    let remark = |start: &str| format!("{start}{}", flop("REMC", "<REMC>晚到</REMC>"));
    let late = || field("remarks", json!("晚到"));
    let gbk = |label: &str| {
        GB18030.encode(&remark(&format!("<?xml version='1.0' encoding='{label}'?>"))).0.into_owned()
    };
    let list = xml("REGN", "UPD", "<RECS>5</RECS><REGN><RNUM>B1</RNUM></REGN>");
    let counted = |records: &str| schedule("").replace("<SCHD>", &format!("<SCHD>{records}"));
    vec![
        (12, bytes(remark(" \r\n<?xml version=\"1.0\" encoding=\"utf-8\"?>")), late()),
        (12, bytes(remark("\u{feff}<?xml version=\"1.0\" encoding=\"UTF-8\"?>")), late()),
        (12, bytes(remark("")), late()),
        (13, gbk("GB2312"), late()),
        (13, gbk("gbk"), late()),
        (13, gbk("GB18030"), late()),
        (15, bytes(counted("<RECS>9</RECS>")), Has("/body/declaredRecords", json!(9))),
        (15, bytes(counted("<RECS>9</RECS>")), Has("/body/records/1", json!(null))),
        (16, bytes(list), Has("/body/declaredRecords", json!(5))),
        (16, bytes(counted("")), Has("/body/declaredRecords", json!(null))),
        (
            17,
            bytes(xml(
                "SCHD",
                "DNLD",
                &format!(
                    "<SCHD><FLTR><GTDT><GATE>B</GATE></GTDT>{FLIGHT}<GTDT><GATE>A</GATE></GTDT></FLTR></SCHD>"
                ),
            )),
            field("gates", json!([{ "gate": "B" }, { "gate": "A" }])),
        ),
        (22, bytes(remark("<!DOCTYPE MSG SYSTEM 'http://127.0.0.1/x.dtd'>")), Refused("DTD")),
        (22, bytes(flop("REMC", "<REMC>&xxe;</REMC>")), Refused("entity")),
    ]
}

#[test]
fn every_oddity_has_its_answer() {
    let rows: Vec<Row> =
        [of_meta(), of_dialects(), of_values(), of_documents()].into_iter().flatten().collect();
    for number in 1..=22 {
        assert!(rows.iter().any(|row| row.0 == number), "row {number} has no case");
    }
    for (number, sent, expected) in rows {
        let found = decoded(&sent);
        match (expected, found) {
            (Has(pointer, value), Ok(found)) => {
                let there = found.pointer(pointer).cloned().unwrap_or_default();
                assert_eq!(there, value, "row {number}, {pointer}: {found}");
            }
            (Refused(words), Err(problem)) => {
                assert!(problem.text.contains(words), "row {number}: {problem}")
            }
            (_, found) => panic!("row {number}: {found:?}"),
        }
    }
}

fn decoded(sent: &[u8]) -> Result<Value, Problem> {
    let message = sis::decode(sent, Carrier::Bytes, &Limits::default(), Dictionary::baseline())?;
    Ok(sis::json::message(&message, &jiff::tz::TimeZone::fixed(jiff::tz::offset(8))))
}

/// Row 13: what a database has decoded is text, whatever it says of itself.
#[test]
fn a_declaration_in_a_text_column_means_nothing() {
    let text = format!("<?xml version='1.0' encoding='GB2312'?>{}", flop("REMC", "<REMC>晚到</REMC>"));
    assert!(sis::read(text.as_bytes(), Carrier::Text, &Limits::default()).is_ok());
}

#[test]
fn the_page_has_the_same_rows() {
    let page = include_str!("../../../../docs/wire-format.md");
    let section =
        page.split("## Oddities").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("a section");
    let numbers =
        section.lines().filter_map(|line| line.strip_prefix("| ")?.split(' ').next()?.parse::<u8>().ok());
    assert!(numbers.eq(1..=22));
}

//! What people read.

use jiff::tz::{Offset, TimeZone};
use serde_json::{Value, json};

use super::*;
use crate::Flid;
use crate::flight::Life;

fn step(version: i64, life: Life, styp: &str, changes: Value) -> (FlightChange, Timestamp) {
    let at = Timestamp::constant(1_775_500_000, 0)
        + std::time::Duration::from_secs(3_600 * version.unsigned_abs());
    let change = FlightChange {
        flid: Flid(7),
        state_version: version,
        incarnation: 1,
        life,
        msg_id: MsgId(90_000 + version),
        kind: Some("FLOP".into()),
        subtype: Some(styp.into()),
        changes: changes.to_string(),
    };
    (change, at)
}

fn steps() -> Vec<(FlightChange, Timestamp)> {
    let time = |clock: &str| json!(format!("2026-04-07T{clock}:00+08:00"));
    let gate = |sequence: i64, name: &str| json!({"sequence": sequence, "gate": name});
    let delay = |minutes: i64| json!({"code": "WX", "durationMinutes": minutes, "comment": "雷雨"});
    vec![
        step(
            1,
            Life::Active,
            "DNLD",
            json!([
                {"field": "life", "from": null, "to": "ACTIVE"},
                {"field": "operationDay", "from": null, "to": "2026-04-07"},
                {"field": "flightNumber", "from": null, "to": "ZZ6238"},
                {"field": "scheduledTime", "from": null, "to": time("09:45")},
                {"field": "terminal", "from": null, "to": "T1"},
            ]),
        ),
        step(2, Life::Active, "ESTT", json!([{"field": "estimatedTime", "from": null, "to": time("09:58")}])),
        step(
            3,
            Life::Active,
            "GTDT",
            json!([{"field": "gates", "from": [gate(1, "A12")], "to": [gate(1, "A14"), gate(2, "A15")]}]),
        ),
        step(4, Life::Active, "DELY", json!([{"field": "delays", "from": null, "to": [delay(25)]}])),
        step(
            5,
            Life::Active,
            "DELY",
            json!([{"field": "delays", "from": [delay(25)], "to": [delay(40), {"code": "AT", "durationMinutes": 5}]}]),
        ),
        step(6, Life::Active, "CNCL", json!([{"field": "cancelledTime", "from": null, "to": time("10:10")}])),
        step(7, Life::Active, "CNCL", json!([{"field": "cancelledTime", "from": time("10:10"), "to": null}])),
        step(8, Life::Active, "STND", json!([{"field": "stand", "from": "231", "to": null}])),
        step(
            9,
            Life::Active,
            "CSFT",
            json!([{"field": "codeShares", "from": [{"flid": 9, "flightNumber": "XX1"}], "to": [{"flid": 8, "flightNumber": "XX4706"}]}]),
        ),
        step(10, Life::Deleted, "FDEL", json!([{"field": "life", "from": "ACTIVE", "to": "DELETED"}])),
        step(
            24,
            Life::Active,
            "ADD",
            json!([
                {"field": "life", "from": "DELETED", "to": "ACTIVE"},
                {"field": "flightNumber", "from": null, "to": "ZZ6238"},
            ]),
        ),
        step(25, Life::Active, "VIPF", json!([{"field": "vips", "from": null, "to": [{"person": "P77"}]}])),
    ]
}

fn told(language: Language) -> String {
    teller(language, &TimeZone::fixed(Offset::constant(8))).story(&steps())
}

fn teller(language: Language, zone: &TimeZone) -> Teller<'_> {
    Teller { dictionary: Dictionary::baseline(), zone, language }
}

#[test]
fn a_story_is_told_in_english() {
    let expected = "\
2026-04-07
  03:26  v1    comes with the schedule; Flight number ZZ6238, Scheduled time 09:45, and 1 field more  (FLOP DNLD, message 90001)
  04:26  v2    Estimated time 09:58  (FLOP ESTT, message 90002)
  05:26  v3    Gates A12 → A14, +A15  (FLOP GTDT, message 90003)
  06:26  v4    Delays WX (25 min, 雷雨)  (FLOP DELY, message 90004)
  07:26  v5    Delays WX: Duration in minutes 25 min → 40 min, +AT (5 min)  (FLOP DELY, message 90005)
  08:26  v6    cancelled at 10:10  (FLOP CNCL, message 90006)
  09:26  v7    reinstated  (FLOP CNCL, message 90007)
  10:26  v8    Current stand cleared (was 231)  (FLOP STND, message 90008)
  11:26  v9    Code-shares +XX4706 −XX1  (FLOP CSFT, message 90009)
  12:26  v10   deleted  (FLOP FDEL, message 90010)
2026-04-08
  02:26  v24   begins a new life; Flight number ZZ6238  (FLOP ADD, message 90024)
  03:26  v25   VIP parties changed (not shown)  (FLOP VIPF, message 90025)
";
    assert_eq!(told(Language::English), expected);
}

#[test]
fn a_story_is_told_in_chinese() {
    let expected = "\
2026-04-07
  03:26  v1    随计划建立；航班号 ZZ6238，计划时间 09:45，另有 1 项  （FLOP DNLD，报文 90001）
  04:26  v2    预计时间 09:58  （FLOP ESTT，报文 90002）
  05:26  v3    登机口 A12 → A14，+A15  （FLOP GTDT，报文 90003）
  06:26  v4    延误 WX（25 分钟，雷雨）  （FLOP DELY，报文 90004）
  07:26  v5    延误 WX：时长（分钟） 25 分钟 → 40 分钟，+AT（5 分钟）  （FLOP DELY，报文 90005）
  08:26  v6    航班取消 10:10  （FLOP CNCL，报文 90006）
  09:26  v7    撤销取消，恢复执行  （FLOP CNCL，报文 90007）
  10:26  v8    当前机位 清空（原 231）  （FLOP STND，报文 90008）
  11:26  v9    共享航班 +XX4706 −XX1  （FLOP CSFT，报文 90009）
  12:26  v10   航班删除  （FLOP FDEL，报文 90010）
2026-04-08
  02:26  v24   重新建立，新的一生；航班号 ZZ6238  （FLOP ADD，报文 90024）
  03:26  v25   要客 有变（不显示）  （FLOP VIPF，报文 90025）
";
    assert_eq!(told(Language::Chinese), expected);
}

/// One field's change in English, the day being 7 April.
fn change(field: &str, from: Value, to: Value) -> String {
    let zone = TimeZone::fixed(Offset::constant(8));
    let step = step(1, Life::Active, "TEST", json!([{"field": field, "from": from, "to": to}]));
    let story = teller(Language::English, &zone).story(&[step]);
    let line = story.lines().nth(1).expect("a line");
    line.split("v1    ").nth(1).and_then(|rest| rest.split("  (").next()).expect("a sentence").to_owned()
}

#[test]
fn lists_tell_what_changed_within() {
    let gate = |sequence: i64, name: &str| json!({"sequence": sequence, "gate": name});
    let opened =
        |sequence: i64, name: &str, at: &str| json!({"sequence": sequence, "gate": name, "actualOpen": at});
    let nine = "2026-04-07T09:20:00+08:00";
    let late = "2026-04-08T00:10:00+08:00";
    for (from, to, words) in [
        (json!([gate(1, "A1")]), json!([gate(1, "A2")]), "Gates A1 → A2"),
        (json!([gate(1, "A1"), gate(2, "A2")]), json!([gate(1, "A2")]), "Gates −A1"),
        (
            json!([gate(1, "A1"), gate(2, "A2")]),
            json!([gate(1, "A2"), gate(2, "A1")]),
            "Gates now in the order A2, A1",
        ),
        (json!([gate(1, "A1")]), json!([opened(1, "A1", nine)]), "Gates A1: Actual opening 09:20"),
        (
            json!([opened(1, "A1", nine)]),
            json!([opened(1, "A1", late)]),
            "Gates A1: Actual opening 09:20 → 04-08 00:10",
        ),
        (json!([gate(1, "A1")]), json!([opened(1, "A2", nine)]), "Gates A1 → A2 (Actual opening 09:20)"),
        (json!([gate(1, "A1"), gate(2, "A2")]), Value::Null, "Gates cleared (was A1, A2)"),
        (Value::Null, json!([opened(1, "A1", nine), gate(2, "A2")]), "Gates A1 (09:20), A2"),
        (json!([{"gate": "A1"}]), json!([{"gate": "A2"}, {"gate": "A3"}]), "Gates A1 → A2, +A3"),
        (json!([{"sequence": 1}]), json!([{"sequence": 1, "gate": "A3"}]), "Gates ? → A3"),
    ] {
        assert_eq!(change("gates", from.clone(), to.clone()), words, "{from} to {to}");
    }
    let service = |code: &str, quantity: i64| json!({"code": code, "quantity": quantity});
    assert_eq!(
        change(
            "services",
            json!([service("GPU", 1), service("BUS", 2)]),
            json!([service("BUS", 3), service("CLN", 1)])
        ),
        "Services BUS: Quantity 2 → 3, +CLN (1), −GPU"
    );
    assert_eq!(
        change("diversion", Value::Null, json!({"airport": "PEK", "direction": "TO", "reason": "雷雨"})),
        "Diversion PEK (TO, 雷雨)"
    );
    assert_eq!(change("extra.NEWX", json!("a"), json!(["a", "b"])), "NEWX a → a b");
    assert_eq!(change("wasOnceThere", json!("a"), json!("b")), "wasOnceThere changed (not shown)");
}

#[test]
fn personal_data_is_told_only_to_those_who_may_know() {
    let party = |entourage: i64| json!([{"person": "P77", "entourage": entourage, "services": [{"service": "CAR", "quantity": 1}]}]);
    let steps = [
        step(1, Life::Active, "VIPF", json!([{"field": "vips", "from": null, "to": party(2)}])),
        step(2, Life::Active, "VIPF", json!([{"field": "vips", "from": party(2), "to": party(3)}])),
        step(3, Life::Active, "VIPF", json!([{"field": "vips", "from": party(3), "to": null}])),
    ];
    let zone = TimeZone::fixed(Offset::constant(8));
    let hidden = teller(Language::English, &zone).story(&steps);
    assert!(!hidden.contains("P77") && !hidden.contains("CAR"), "{hidden}");
    let shown = teller(Language::English, &zone).story_with_personal(&steps);
    for words in [
        "VIP parties P77 (2, CAR (1))  (",
        "VIP parties P77: Entourage size 2 → 3  (",
        "VIP parties cleared (was P77)  (",
    ] {
        assert!(shown.contains(words), "{words} in\n{shown}");
    }
}

#[test]
fn a_step_that_cannot_be_read_says_so() {
    let mut broken = step(1, Life::Active, "VIPF", json!([]));
    broken.0.changes.push('x');
    let steps = [broken, step(2, Life::Active, "VIPF", json!([]))];
    let zone = TimeZone::fixed(Offset::constant(8));
    let story = teller(Language::English, &zone).story(&steps);
    assert!(
        story.contains("this step can't be read") && story.contains("changed nothing that is shown"),
        "{story}"
    );
}

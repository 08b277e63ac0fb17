//! What people read.

use jiff::tz::{Offset, TimeZone};
use serde_json::{Value, json};

use super::*;
use crate::flight::Life;
use crate::{Flid, MsgId};

mod changes;

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
                {"field": "movement", "from": null, "to": "D"},
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
    teller(language, &TimeZone::fixed(Offset::constant(8))).story(&steps(), &[])
}

fn teller(language: Language, zone: &TimeZone) -> Teller<'_> {
    Teller { dictionary: Dictionary::baseline(), zone, language }
}

#[test]
fn a_story_is_told_in_english() {
    let expected = "\
2026-04-07
  03:26  v1    comes with the schedule; Flight number ZZ6238, departure, Scheduled time 09:45, and 1 field more  (FLOP DNLD, message 90001)
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
  03:26  v1    随计划建立；航班号 ZZ6238，离港，计划时间 09:45，另有 1 项  （FLOP DNLD，报文 90001）
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

//! One flight as people and programs are told of it, and the kinds of messages.

use serde_json::Value;

use crate::support::program::{Program, msgx};
use crate::support::until;

const LETTERS: [&str; 3] = [
    "<MSG><META><SNDR>AODB</SNDR><SEQN>1</SEQN><DTTM>20260406220000</DTTM><TYPE>SCHD</TYPE><STYP>DNLD</STYP></META>\
<SCHD><FLTR><FLID>7</FLID><ALCD>ZZ</ALCD><FLNO>ZZ6238</FLNO><MVIN>D</MVIN><SODT>07APR260945</SODT><FLTY>J</FLTY><FLIN>D</FLIN>\
<ACFT>32N</ACFT><TAOP>ZZ</TAOP><TAFL>ZZ6237</TAFL><TAID>6</TAID></FLTR></SCHD></MSG>",
    "<MSG><META><SNDR>AODB</SNDR><SEQN>2</SEQN><DTTM>20260407081500</DTTM><TYPE>FLOP</TYPE><STYP>VIPF</STYP></META>\
<FLOP><FLID>7</FLID><VIPF><VPCD>P77</VPCD><VFES>2</VFES></VIPF></FLOP></MSG>",
    "<MSG><META><SNDR>AODB</SNDR><SEQN>3</SEQN><DTTM>20260407081600</DTTM><TYPE>FLOP</TYPE><STYP>GTDT</STYP></META>\
<FLOP><FLID>7</FLID><GTDT GTNO=\"1\"><GATE>A14</GATE></GTDT></FLOP></MSG>",
];

#[tokio::test(flavor = "multi_thread")]
async fn a_flight_is_told_with_provenance_and_story_and_nothing_personal() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = format!("--set=msgx.data-dir={}", directory.path().join("data").display());
    let current = "--set=flight.history-after=3650 d".to_owned();
    let program = Program::start(&["run".to_owned(), "--set=http.port=0".to_owned(), data.clone(), current]);
    for (number, letter) in LETTERS.iter().enumerate() {
        let file = directory.path().join(format!("{number}.xml"));
        std::fs::write(&file, letter).expect("written");
        assert_eq!(msgx(&["send", &data, &file.display().to_string()]).status.code(), Some(0));
    }
    until("the last message has changed the flight", async || {
        program.get("api/v1/flights/7/history").is_some_and(|(_, steps)| steps.contains("A14"))
    })
    .await;

    let (status, steps) = program.get("api/v1/flights/7/history").expect("an answer");
    let steps: Value = serde_json::from_str(&steps).expect("JSON");
    let versions: Vec<_> =
        steps.as_array().expect("steps").iter().map(|step| step["stateVersion"].clone()).collect();
    assert_eq!((status, versions), (200, vec![1.into(), 2.into(), 3.into()]));
    let (_, flight) = program.get("api/v1/flights/7").expect("an answer");
    assert!(flight.contains("ZZ6238") && flight.contains("\"history\":[]"), "{flight}");
    let origins: Value = serde_json::from_str(&flight).expect("JSON");
    let origin = &origins["provenance"]["gates"];
    assert!(origin["msgId"] == 3 && origin["styp"] == "GTDT" && origin["at"].is_string(), "{origins}");
    assert_eq!(program.get("api/v1/flights/8").map(|(status, _)| status), Some(404));

    let told = |arguments: &[&str]| {
        let output = msgx(&[arguments, &[&data]].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text")
    };
    let english = told(&["flight", "7", "--history"]);
    for words in [
        "ZZ6238  departure",
        "Gates  A14  (FLOP GTDT, 20",
        "comes with the schedule",
        "Gates A14  (FLOP GTDT, message 3)",
        "VIP parties changed (not shown)",
        "turnaround  FLID 6  (never heard of)",
    ] {
        assert!(english.contains(words), "{words}: {english}");
    }
    assert!(
        told(&["flight", "7", "--history", "--language", "zh"]).contains("登机口 A14  （FLOP GTDT，报文 3）")
    );
    for told in
        [&english, &steps.to_string(), &flight, &told(&["flight", "7", "--history", "--output", "json"])]
    {
        assert!(!told.contains("P77"), "{told}");
    }
    assert!(told(&["flights", "--day", "2026-04-07"]).contains("ZZ6238"));
    assert!(told(&["flights", "--day", "2026-04-07", "--history"]).contains("no flights of 2026-04-07"));
    lists_are_asked_by_day(&program);
    let kinds = told(&["types"]);
    assert!(kinds.contains("FLOP   VIPF       SUCCEEDED") && kinds.contains("SCHD   DNLD"), "{kinds}");
    let (_, types) = program.get("api/v1/types").expect("an answer");
    assert!(types.contains("\"styp\":\"GTDT\""), "{types}");
    let unknown = msgx(&["flight", "8", &data]);
    assert_eq!(unknown.status.code(), Some(1));
    assert_eq!(program.stop(), Some(0));
}

fn lists_are_asked_by_day(program: &Program) {
    for (query, status, words) in [
        ("", 200, "ZZ6238"),
        ("?day=2026-04-07", 200, "ZZ6238"),
        ("?day=2026-04-08", 200, "[]"),
        ("?day=2026-04-07&history=true", 200, "[]"),
        ("?history=true", 400, "add day=YYYY-MM-DD"),
        ("?day=7", 400, "day"),
        ("?dya=2026-04-07", 400, "dya"),
    ] {
        let (found, answer) = program.get(&format!("api/v1/flights{query}")).expect("an answer");
        assert!(found == status && answer.contains(words), "{query}: {found} {answer}");
    }
}

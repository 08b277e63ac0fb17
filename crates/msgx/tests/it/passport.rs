//! One message whole and lists of messages, on the command line and as JSON, embedded.

use serde_json::Value;

use crate::support::program::{Program, msgx};
use crate::support::until;

const LETTERS: [&str; 4] = [
    "<MSG><META><SNDR>AODB</SNDR><SEQN>1</SEQN><DTTM>20260406220000</DTTM><TYPE>SCHD</TYPE><STYP>DNLD</STYP></META>\
<SCHD><FLTR><FLID>7</FLID><ALCD>ZZ</ALCD><FLNO>ZZ6238</FLNO><MVIN>D</MVIN><SODT>07APR260945</SODT><FLTY>J</FLTY><FLIN>D</FLIN>\
<ACFT>32N</ACFT><TAOP>ZZ</TAOP><TAFL>ZZ6237</TAFL><TAID>6</TAID></FLTR></SCHD></MSG>",
    "<MSG><META><SNDR>AODB</SNDR><SEQN>2</SEQN><DTTM>20260407081530</DTTM><TYPE>FLOP</TYPE><STYP>VIPF</STYP></META>\
<FLOP><FLID>7</FLID><VIPF><VPCD>P77</VPCD><VFES>2</VFES></VIPF></FLOP></MSG>",
    "<MSG><META><SNDR>AODB</SNDR><SEQN>2</SEQN><DTTM>20260407081530</DTTM><TYPE>FLOP</TYPE><STYP>VIPF</STYP></META>\
<FLOP><FLID>7</FLID><VIPF><VPCD>P77</VPCD><VFES>2</VFES></VIPF></FLOP></MSG>",
    "no letter at all, of P77",
];

fn told(arguments: &[&str]) -> String {
    let output = msgx(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

#[tokio::test(flavor = "multi_thread")]
async fn a_passport_tells_everything_of_a_message_and_nothing_personal_unless_asked() {
    let directory = tempfile::tempdir().expect("a directory");
    let data = format!("--set=msgx.data-dir={}", directory.path().join("data").display());
    let current = "--set=flight.history-after=3650 d".to_owned();
    let program = Program::start(&["run".to_owned(), "--set=http.port=0".to_owned(), data.clone(), current]);
    for (number, letter) in LETTERS.iter().enumerate() {
        let file = directory.path().join(format!("{number}.xml"));
        std::fs::write(&file, letter).expect("written");
        let code = msgx(&["send", &data, &file.display().to_string()]).status.code();
        assert_eq!(code, Some(0), "letter {number}");
    }
    until("everything is processed, told and marked", async || {
        program.get("api/v1/messages/4").is_some_and(|(_, told)| {
            let told: Value = serde_json::from_str(&told).unwrap_or_default();
            told["markedAt"].is_string()
        }) && program.get("api/v1/messages/2").is_some_and(|(_, told)| !told.contains("\"PENDING\""))
    })
    .await;

    let (status, passport) = program.get("api/v1/messages/2").expect("an answer");
    let passport: Value = serde_json::from_str(&passport).expect("JSON");
    assert_eq!((status, &passport["state"]), (200, &"SUCCEEDED".into()), "{passport}");
    for fact in ["landed", "enqueued", "processed", "delivered", "marked"] {
        assert!(passport["facts"][fact]["at"].is_string(), "{fact}: {}", passport["facts"]);
    }
    assert!(passport["facts"]["processed"]["seconds"].is_number(), "{}", passport["facts"]);
    // By their rows: that of the state is older where the schedule came in a run of its own.
    let mut events = passport["events"].as_array().expect("a list").iter();
    let event = events.find(|event| event["target"] == "KAFKA:msg").expect("the event of the change");
    assert!(
        event["topic"] == "msgx.msg" && event["partition"] == 0 && event["offset"].is_number(),
        "{event}"
    );
    assert_eq!(passport["changed"][0]["flid"], 7);
    assert_eq!(passport["mailbox"]["marked"], true);
    assert_eq!(passport["identity"]["key"], "AODB|FLOP|VIPF|2");
    assert_eq!(passport["decoded"]["meta"]["subtype"], "VIPF");
    assert!(passport["body"]["text"].as_str().is_some_and(|text| text.contains("***")), "{passport}");

    let (_, duplicate) = program.get("api/v1/messages/3").expect("an answer");
    let duplicate: Value = serde_json::from_str(&duplicate).expect("JSON");
    assert_eq!((&duplicate["state"], &duplicate["identity"]["original"]), (&"SKIPPED".into(), &2.into()));
    assert_eq!(duplicate["identity"]["heldBy"][0]["msgId"], 2, "{}", duplicate["identity"]);
    let (_, dead) = program.get("api/v1/messages/4").expect("an answer");
    let dead: Value = serde_json::from_str(&dead).expect("JSON");
    assert!(dead["class"] == "MALFORMED" && dead["attempts"][0]["class"] == "MALFORMED", "{dead}");
    assert!(dead["firstError"]["error"].is_string() && dead["body"]["text"].is_null(), "{dead}");
    assert_eq!(program.get("api/v1/messages/99").map(|(status, _)| status), Some(404));

    nothing_personal_unless_asked(&data, &[&passport, &dead]);
    lists_hold_what_is_sought(&program, &data);
    assert_eq!(program.stop(), Some(0));
}

fn nothing_personal_unless_asked(data: &str, served: &[&Value]) {
    let text = told(&["message", "2", data]);
    for words in [
        "message 2  SUCCEEDED  TYPE FLOP",
        "identity   AODB|FLOP|VIPF|2",
        "offset ",
        "marked at ",
        "nobody acted",
    ] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json = told(&["message", "2", "--output", "json", data]);
    let served = served.iter().map(|passport| passport.to_string());
    for told in served.chain([text, json, told(&["message", "4", data])]) {
        assert!(!told.contains("P77"), "{told}");
    }
    for id in ["2", "4"] {
        assert!(told(&["message", id, "--raw", data]).contains("P77"));
    }
    assert_eq!(msgx(&["message", "99", data]).status.code(), Some(1));
}

fn lists_hold_what_is_sought(program: &Program, data: &str) {
    for (filter, expected) in [
        (&[][..], &[4, 3, 2, 1][..]),
        (&["--state", "dead"], &[4]),
        (&["--class", "malformed"], &[4]),
        (&["--type", "FLOP", "--styp", "VIPF"], &[3, 2]),
        (&["--flid", "7"], &[2, 1]),
        (&["--identity", "AODB|FLOP|VIPF|2"], &[2]),
        (&["--sender", "AODB", "--state", "skipped"], &[3]),
        (&["--since", "2100-01-01T00:00:00Z"], &[]),
        (&["--limit", "2", "--before", "4"], &[3, 2]),
    ] {
        let list = told(&[&["messages", "--output", "json", data], filter].concat());
        let list: Value = serde_json::from_str(&list).expect("JSON");
        let ids: Vec<i64> = list["messages"]
            .as_array()
            .expect("a list")
            .iter()
            .filter_map(|message| message["msgId"].as_i64())
            .collect();
        assert_eq!(ids, expected, "{filter:?}");
    }
    assert!(told(&["messages", "--state", "dead", data]).contains("DEAD(MALFORMED)"));
    assert_eq!(msgx(&["messages", "--state", "gone", data]).status.code(), Some(2));
    for (query, status, words) in [
        ("?state=dead", 200, "\"msgId\":4"),
        ("?limit=1", 200, "\"next\":4"),
        ("?flid=7&limit=1", 200, "\"msgId\":2"),
        ("?state=gone", 400, "none of PENDING"),
        ("?stat=dead", 400, "stat"),
    ] {
        let (found, answer) = program.get(&format!("api/v1/messages{query}")).expect("an answer");
        assert!(found == status && answer.contains(words), "{query}: {found} {answer}");
    }
}

//! A site's own vocabulary (`sis.dictionary`), from a letter to the topics, without a line of code.

use crate::support::program::{Program, msgx};
use crate::support::until;

const SITE: &str = r#"
ignored = ["LDM-*"]
scalars = [
  { element = "XBOX", name = "boardingCompleted", value = "time", zh = "上客完成", en = "Boarding completed" },
]
subtypes = [
  { name = "X-PAD", fields = ["boardingCompleted"], zh = "上客", en = "Boarding" },
]
"#;

const SCHEDULE: &str = "<MSG><META><SNDR>AODB</SNDR><SEQN>1</SEQN><DTTM>20260406220000</DTTM><TYPE>SCHD</TYPE><STYP>DNLD</STYP></META>\
<SCHD><FLTR><FLID>7</FLID><ALCD>ZZ</ALCD><FLNO>ZZ6237</FLNO><MVIN>A</MVIN><SODT>07APR260840</SODT><FLTY>J</FLTY><FLIN>D</FLIN><ACFT>32N</ACFT></FLTR></SCHD></MSG>";

const CHANGE: &str = "<MSG><META><SNDR>AODB</SNDR><SEQN>2</SEQN><DTTM>20260407081500</DTTM><TYPE>FLOP</TYPE><STYP>X-PAD</STYP></META>\
<FLOP><FLID>7</FLID><XBOX>07APR260915</XBOX></FLOP></MSG>";

const VALUE: &str = "\"boardingCompleted\":\"2026-04-07T09:15:00+08:00\"";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_invented_subtype_is_decoded_merged_shown_and_published() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = |name: &str, content: &str| {
        let path = directory.path().join(name);
        std::fs::write(&path, content).expect("written");
        path.display().to_string()
    };
    let (site, schedule, change) =
        (file("site.toml", SITE), file("schedule.xml", SCHEDULE), file("change.xml", CHANGE));
    let data = directory.path().join("data");
    let sets = [format!("--set=msgx.data-dir={}", data.display()), format!("--set=sis.dictionary={site}")];

    let decoded = msgx(&["decode", &sets[1], &change]);
    assert!(text(&decoded.stdout).contains("\"boardingCompleted\": \"2026-04-07T09:15:00+08:00\""));
    let unknown = msgx(&["decode", &change]);
    assert!(!text(&unknown.stdout).contains("boardingCompleted"), "only the site's file knows it");

    let current = "--set=flight.history-after=3650 d".to_owned();
    let mut arguments = vec!["run".to_owned(), "--set=http.port=0".to_owned(), current];
    arguments.extend(sets.clone());
    let program = Program::start(&arguments);
    let sent = msgx(&["send", &sets[0], &schedule, &change]);
    assert_eq!(sent.status.code(), Some(0), "{}", text(&sent.stderr));
    until("both topics tell it", async || {
        ["msgx.msg", "msgx.schd"].iter().all(|topic| {
            let records = std::fs::read_to_string(data.join("sink").join(format!("{topic}.jsonl")));
            records.is_ok_and(|records| records.contains("boardingCompleted") && records.contains("09:15:00"))
        })
    })
    .await;
    until("the flight shows it", async || {
        program.get("api/v1/flights").is_some_and(|(_, flights)| flights.contains("ZZ6237"))
    })
    .await;
    let published = std::fs::read_to_string(data.join("sink").join("msgx.schd.jsonl")).expect("records");
    assert!(published.replace('\\', "").contains(VALUE), "{published}");
    assert_eq!(program.stop(), Some(0));
}

#[test]
fn a_mistake_in_the_file_is_told_with_line_and_key() {
    let directory = tempfile::tempdir().expect("a directory");
    let site = directory.path().join("site.toml");
    std::fs::write(&site, SITE.replace("value = \"time\"", "value = \"moment\"")).expect("written");
    let output = msgx(&["decode", &format!("--set=sis.dictionary={}", site.display()), "-"]);
    let error = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{error}");
    for part in ["sis.dictionary", "site.toml", "line 4", "moment"] {
        assert!(error.contains(part), "{part}: {error}");
    }
}

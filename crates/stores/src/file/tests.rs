//! Lines, offsets, and what a crash leaves behind.

use std::fs::OpenOptions;
use std::io::Write;

use serde_json::{Value, json};

use super::*;

fn sink(directory: &Path) -> FileSink {
    FileSink::open(directory, FileTopics { msg: "t.msg".into(), schd: "t.schd".into() }).expect("a sink")
}

fn record(topic: &str, key: &str, value: Option<&str>) -> Record {
    Record {
        topic: topic.to_owned(),
        key: key.to_owned(),
        value: value.map(str::to_owned),
        headers: vec![("ce_id", format!("{topic}/{key}/1")), ("a-header", "后\n\"x\"".to_owned())],
    }
}

fn lines(directory: &Path, topic: &str) -> Vec<Value> {
    let text = fs::read_to_string(directory.join(format!("{topic}.jsonl"))).expect("a file");
    text.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
}

fn offsets(answers: &[Published]) -> Vec<Option<i64>> {
    answers.iter().map(|answer| answer.as_ref().ok().map(|receipt| receipt.offset)).collect()
}

#[tokio::test]
async fn a_line_holds_the_whole_record() {
    let directory = tempfile::tempdir().expect("a directory");
    let sink = sink(directory.path());
    sink.publish(&[
        record("t.msg", "7", Some("{\n \"b\": 1,\n \"a\": [null]\n}")),
        record("t.msg", "8", None),
    ])
    .await;
    let mut lines = lines(directory.path(), "t.msg");
    for line in &mut lines {
        assert!(line["timestamp"].as_i64().is_some_and(|time| time > 0), "{line}");
        line["timestamp"] = json!(0);
    }
    let headers = |key| json!({ "ce_id": format!("t.msg/{key}/1"), "a-header": "后\n\"x\"" });
    assert_eq!(
        lines,
        [
            json!({ "topic": "t.msg", "partition": 0, "offset": 0, "timestamp": 0, "key": "7",
                    "headers": headers(7), "value": { "b": 1, "a": [null] } }),
            json!({ "topic": "t.msg", "partition": 0, "offset": 1, "timestamp": 0, "key": "8",
                    "headers": headers(8), "value": null }),
        ]
    );
}

#[tokio::test]
async fn answers_follow_the_records_and_a_bad_one_takes_no_offset() {
    let directory = tempfile::tempdir().expect("a directory");
    let answers = sink(directory.path())
        .publish(&[
            record("t.schd", "1", Some("{}")),
            record("t.msg", "1", Some("{}")),
            record("t.schd", "2", Some("{")),
            record("../t", "3", Some("{}")),
            record("t.schd", "4", Some("{}")),
        ])
        .await;
    assert_eq!(offsets(&answers), [Some(0), Some(0), None, None, Some(1)]);
    assert!(matches!(answers[2], Err(SinkError::Rejected(_))), "{answers:?}");
    assert!(matches!(answers[3], Err(SinkError::Unavailable(_))), "{answers:?}");
}

#[tokio::test]
async fn a_half_written_line_is_cut_off_and_offsets_go_on() {
    for half in ["", "{\"topic\":\"t.msg\",\"par", "{}"] {
        let directory = tempfile::tempdir().expect("a directory");
        sink(directory.path()).publish(&[record("t.msg", "1", None), record("t.msg", "2", None)]).await;
        let path = directory.path().join("t.msg.jsonl");
        OpenOptions::new()
            .append(true)
            .open(path)
            .and_then(|mut file| file.write_all(half.as_bytes()))
            .expect("half");
        let answers = sink(directory.path()).publish(&[record("t.msg", "3", None)]).await;
        assert_eq!(offsets(&answers), [Some(2)], "{half:?}");
        let keys: Vec<_> = lines(directory.path(), "t.msg").iter().map(|line| line["key"].clone()).collect();
        assert_eq!(keys, ["1", "2", "3"], "{half:?}");
    }
}

#[tokio::test]
async fn two_writers_of_one_file_give_each_offset_once() {
    let directory = tempfile::tempdir().expect("a directory");
    let (one, two) = (sink(directory.path()), sink(directory.path()));
    for expected in 0..6 {
        let writer = if expected % 2 == 0 { &one } else { &two };
        assert_eq!(offsets(&writer.publish(&[record("t.msg", "1", None)]).await), [Some(expected)]);
    }
    let offsets: Vec<_> =
        lines(directory.path(), "t.msg").iter().map(|line| line["offset"].as_i64()).collect();
    assert_eq!(offsets, (0..6).map(Some).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_directory_that_is_gone_is_found_and_waited_for() {
    let directory = tempfile::tempdir().expect("a directory");
    let sink = sink(&directory.path().join("out"));
    assert!(sink.check().await.is_empty());
    fs::remove_dir_all(directory.path().join("out")).expect("removed");
    assert_eq!(sink.check().await.len(), 2);
    let answers = sink.publish(&[record("t.msg", "1", None)]).await;
    assert!(matches!(answers[..], [Err(SinkError::Unavailable(_))]), "{answers:?}");
    fs::create_dir(directory.path().join("out")).expect("created");
    assert_eq!(offsets(&sink.publish(&[record("t.msg", "1", None)]).await), [Some(0)]);
}

#[test]
fn topics_that_are_no_file_names_are_refused() {
    let directory = tempfile::tempdir().expect("a directory");
    for (msg, schd) in [("../x", "a"), ("a", ""), ("a", "a"), (".", "a"), ("a b", "c")] {
        let topics = FileTopics { msg: msg.into(), schd: schd.into() };
        assert!(FileSink::open(directory.path(), topics).is_err(), "{msg:?} {schd:?}");
    }
}

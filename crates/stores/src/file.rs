//! The sink of embedded mode: JSON lines, one file per topic in a directory.
//!
//! A line is a record as consumers of a broker would see it; its number, from 0, is the offset.
//! A batch is on disk before its answers are given, so a line that a crash cut short was never
//! acknowledged: it is removed before the next one is written.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use domain::event::Target;
use engine::ports::{Published, Receipt, Record, Sink, SinkError};
use jiff::Timestamp;
use serde_json::{Map, Value, json};

/// Topics, which are file names too (`<topic>.jsonl`).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileTopics {
    /// `kafka.topics.msg`.
    pub msg: String,
    /// `kafka.topics.schd`.
    pub schd: String,
}

/// A sink that writes files. Clones share their files; other processes may write them too.
#[derive(Debug, Clone)]
pub struct FileSink {
    topics: FileTopics,
    files: Arc<[Mutex<TopicFile>; 2]>,
}

impl FileSink {
    /// Creates directory and files where they are missing. The error names what is wrong with
    /// a topic, or the file that can't be used.
    pub fn open(directory: &Path, topics: FileTopics) -> io::Result<Self> {
        for topic in [&topics.msg, &topics.schd] {
            check_name(topic)?;
        }
        if topics.msg == topics.schd {
            return Err(io::Error::other(format!(
                "both targets have the topic {:?}; give each its own",
                topics.msg
            )));
        }
        fs::create_dir_all(directory)?;
        let files = [&topics.msg, &topics.schd].map(|topic| TopicFile::new(directory, topic));
        for file in &files {
            file.open().map_err(|error| named(&file.path, &error))?;
        }
        // The files' names must survive a crash as well as what is in them.
        File::open(directory)?.sync_all()?;
        Ok(Self { topics, files: Arc::new(files.map(Mutex::new)) })
    }
}

impl Sink for FileSink {
    async fn publish(&self, records: &[Record]) -> Vec<Published> {
        let (files, batch) = (Arc::clone(&self.files), records.to_vec());
        let written = tokio::task::spawn_blocking(move || publish(&files, &batch)).await;
        written.unwrap_or_else(|error| {
            records
                .iter()
                .map(|_| Err(SinkError::Unavailable(format!("writing ended early: {error}"))))
                .collect()
        })
    }

    async fn check(&self) -> Vec<String> {
        let files = Arc::clone(&self.files);
        let checked = tokio::task::spawn_blocking(move || files.iter().filter_map(finding).collect()).await;
        checked.unwrap_or_else(|error| vec![format!("the check ended early: {error}")])
    }

    fn topic(&self, target: Target) -> &str {
        match target {
            Target::Msg => &self.topics.msg,
            Target::Schd => &self.topics.schd,
        }
    }
}

fn finding(file: &Mutex<TopicFile>) -> Option<String> {
    let file = file.lock().unwrap_or_else(PoisonError::into_inner);
    file.open().err().map(|error| named(&file.path, &error).to_string())
}

/// One answer per record, in order; records of one topic are written together.
fn publish(files: &[Mutex<TopicFile>; 2], records: &[Record]) -> Vec<Published> {
    let undeclared = |record: &Record| {
        Err(SinkError::Unavailable(format!("topic {:?} is not one of this sink's", record.topic)))
    };
    let mut answers: Vec<Published> = records.iter().map(undeclared).collect();
    for file in files {
        let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
        let places: Vec<usize> = (0..records.len()).filter(|at| records[*at].topic == file.topic).collect();
        if places.is_empty() {
            continue;
        }
        let batch: Vec<&Record> = places.iter().map(|at| &records[*at]).collect();
        for (at, answer) in places.into_iter().zip(file.append(&batch)) {
            answers[at] = answer;
        }
    }
    answers
}

/// One topic's file: what is known of it from the last time.
#[derive(Debug)]
struct TopicFile {
    topic: String,
    path: PathBuf,
    /// Bytes it had then.
    bytes: u64,
    /// Lines in them.
    lines: i64,
}

impl TopicFile {
    fn new(directory: &Path, topic: &str) -> Self {
        Self { topic: topic.to_owned(), path: directory.join(format!("{topic}.jsonl")), bytes: 0, lines: 0 }
    }

    fn open(&self) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&self.path)
    }

    /// Writes what can be written; a failure of the file is every record's answer.
    fn append(&mut self, records: &[&Record]) -> Vec<Published> {
        let values: Vec<_> = records.iter().map(|record| value(record)).collect();
        match self.write(records, &values) {
            Ok(first) => {
                let mut offsets = first..;
                let mut receipt = || Receipt { partition: 0, offset: offsets.next().unwrap_or(i64::MAX) };
                values.into_iter().map(|value| value.map(|_| receipt())).collect()
            }
            Err(error) => {
                let error = SinkError::Unavailable(named(&self.path, &error).to_string());
                values.into_iter().map(|value| Err(value.err().unwrap_or_else(|| error.clone()))).collect()
            }
        }
    }

    /// Appends the records whose value is good; returns the offset of the first. Other writers
    /// are kept out by the file's lock, which ends with `file`.
    fn write(&mut self, records: &[&Record], values: &[Result<Value, SinkError>]) -> io::Result<i64> {
        let mut file = self.open()?;
        file.lock()?;
        if file.metadata()?.len() != self.bytes {
            (self.bytes, self.lines) = mend(&file)?;
        }
        let first = self.lines;
        let now = publish_time();
        let mut text = String::new();
        let mut lines = self.lines;
        for (record, value) in records.iter().zip(values) {
            if let Ok(value) = value {
                text.push_str(&line(record, value, lines, now));
                text.push('\n');
                lines += 1;
            }
        }
        file.seek(SeekFrom::Start(self.bytes))?;
        file.write_all(text.as_bytes())?;
        file.sync_data()?;
        self.bytes += text.len() as u64;
        self.lines = lines;
        Ok(first)
    }
}

/// Milliseconds since 1970, as brokers stamp records.
#[expect(clippy::disallowed_methods, reason = "publish time is the sink's own, as it is a broker's")]
fn publish_time() -> i64 {
    Timestamp::now().as_millisecond()
}

/// Cuts off what follows the last line end; returns the bytes and lines that remain.
fn mend(file: &File) -> io::Result<(u64, i64)> {
    let mut reader = BufReader::with_capacity(1 << 16, file);
    reader.seek(SeekFrom::Start(0))?;
    let (mut bytes, mut lines, mut read) = (0, 0, 0);
    loop {
        let chunk = reader.fill_buf()?;
        if chunk.is_empty() {
            break;
        }
        let ends = chunk.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        for (at, _) in ends {
            bytes = read + at as u64 + 1;
            lines += 1;
        }
        let length = chunk.len();
        read += length as u64;
        reader.consume(length);
    }
    if read > bytes {
        file.set_len(bytes)?;
    }
    Ok((bytes, lines))
}

/// The record's value; a text that isn't JSON is the record's own fault.
fn value(record: &Record) -> Result<Value, SinkError> {
    match &record.value {
        None => Ok(Value::Null),
        Some(text) => serde_json::from_str(text).map_err(|error| {
            SinkError::Rejected(format!("the value of key {} is not JSON: {error}", record.key))
        }),
    }
}

fn line(record: &Record, value: &Value, offset: i64, timestamp: i64) -> String {
    let headers: Map<String, Value> =
        record.headers.iter().map(|(name, text)| ((*name).to_owned(), Value::from(text.as_str()))).collect();
    json!({
        "topic": record.topic,
        "partition": 0,
        "offset": offset,
        "timestamp": timestamp,
        "key": record.key,
        "headers": headers,
        "value": value,
    })
    .to_string()
}

/// The names that brokers accept: they can't leave the directory.
fn check_name(topic: &str) -> io::Result<()> {
    let good = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '_' | '-');
    if (1..=200).contains(&topic.len()) && topic.chars().all(good) && !topic.starts_with('.') {
        Ok(())
    } else {
        Err(io::Error::other(format!(
            "{topic:?} is no topic name: use 1 to 200 letters, digits, dots, underscores and hyphens"
        )))
    }
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
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
            let keys: Vec<_> =
                lines(directory.path(), "t.msg").iter().map(|line| line["key"].clone()).collect();
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
}

//! The sink that writes files.

use contract::{Harness, SinkHarness, Stored};
use domain::event::Target;
use engine::ports::{Receipt, Sink};
use serde_json::Value;
use stores::file::{FileSink, FileTopics};
use tempfile::TempDir;

mod sink {
    contract::sink_suite!(super::Subject, without refusals);
}

struct Subject {
    directory: TempDir,
    sink: FileSink,
}

impl Harness for Subject {
    async fn fresh() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let topics = FileTopics { msg: "msgx.msg".to_owned(), schd: "msgx.schd".to_owned() };
        let sink = FileSink::open(directory.path(), topics).expect("a new sink");
        Self { directory, sink }
    }
}

impl SinkHarness for Subject {
    type Sink = FileSink;

    fn sink(&self) -> &FileSink {
        &self.sink
    }

    async fn records(&self, topic: &str) -> Vec<Stored> {
        let file = self.directory.path().join(format!("{topic}.jsonl"));
        let text = std::fs::read_to_string(file).expect("the topic's file");
        text.lines().map(record).collect()
    }

    /// A directory of its name can't be written.
    async fn lose_topics(&self) {
        for target in Target::ALL {
            let file = self.directory.path().join(format!("{}.jsonl", self.sink.topic(target)));
            std::fs::remove_file(&file).expect("the topic's file");
            std::fs::create_dir(&file).expect("is free");
        }
    }
}

fn record(line: &str) -> Stored {
    let line: Value = serde_json::from_str(line).expect("a line of JSON");
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let headers = line["headers"].as_object().expect("headers");
    Stored {
        key: text(&line["key"]),
        value: Some(&line["value"]).filter(|value| !value.is_null()).map(Value::to_string),
        headers: headers.iter().map(|(name, value)| (name.clone(), text(value))).collect(),
        receipt: Receipt {
            partition: line["partition"].as_i64().and_then(|n| n.try_into().ok()).expect("a partition"),
            offset: line["offset"].as_i64().expect("an offset"),
        },
    }
}

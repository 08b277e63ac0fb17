//! A sink with topics of its own, read back by a consumer.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use contract::{Harness, RefusesRecords, SinkHarness, Stored};
use engine::ports::Receipt;
use rdkafka::consumer::{BaseConsumer, Consumer};
use rdkafka::message::{BorrowedMessage, Headers};
use rdkafka::{ClientConfig, Message, Offset, TopicPartitionList};
use stores::kafka::{KafkaConfig, KafkaSink};

const ANSWER_MAX: Duration = Duration::from_secs(20);

static TOPICS: AtomicU32 = AtomicU32::new(0);

/// A sink under test.
pub(super) struct Subject {
    sink: KafkaSink,
}

fn server() -> String {
    std::env::var("MSGX_TEST_KAFKA")
        .expect("MSGX_TEST_KAFKA is not set: run `cargo xtask test`, which starts a Kafka broker")
}

/// A configuration with topics that no other test has.
pub(super) fn config() -> KafkaConfig {
    let number = TOPICS.fetch_add(1, Ordering::Relaxed);
    let prefix = format!("t{}-{number}", std::process::id());
    KafkaConfig {
        topic_msg: format!("{prefix}.msg"),
        topic_schd: format!("{prefix}.schd"),
        ..KafkaConfig::new(server())
    }
}

impl Subject {
    pub(super) async fn with_partitions(partitions: i32) -> Self {
        let sink = KafkaSink::new(config());
        sink.create_topics(partitions, 1).await.expect("the topics are made");
        Self { sink }
    }
}

impl Harness for Subject {
    async fn fresh() -> Self {
        Self::with_partitions(3).await
    }
}

impl SinkHarness for Subject {
    type Sink = KafkaSink;

    fn sink(&self) -> &KafkaSink {
        &self.sink
    }

    async fn records(&self, topic: &str) -> Vec<Stored> {
        let topic = topic.to_owned();
        tokio::task::spawn_blocking(move || read(&topic)).await.expect("no panic")
    }

    async fn lose_topics(&self) {
        self.sink.delete_topics().await.expect("are deleted");
    }
}

impl RefusesRecords for Subject {
    fn too_large(&self) -> usize {
        2_000_000
    }
}

fn read(topic: &str) -> Vec<Stored> {
    let consumer: BaseConsumer = ClientConfig::new()
        .set("bootstrap.servers", server())
        .set("group.id", "tests")
        .set("enable.auto.commit", "false")
        .create()
        .expect("a consumer");
    let metadata = consumer.fetch_metadata(Some(topic), ANSWER_MAX).expect("the broker answers");
    let mut list = TopicPartitionList::new();
    let mut left = 0;
    for partition in metadata.topics()[0].partitions() {
        let (low, high) =
            consumer.fetch_watermarks(topic, partition.id(), ANSWER_MAX).expect("the broker answers");
        left += high - low;
        list.add_partition_offset(topic, partition.id(), Offset::Beginning).expect("an offset");
    }
    consumer.assign(&list).expect("is assigned");
    let mut records = Vec::new();
    for _ in 0..left {
        let message = consumer.poll(ANSWER_MAX).expect("a record in time").expect("no error");
        records.push(stored(&message));
    }
    records.sort_by_key(|record| (record.receipt.partition, record.receipt.offset));
    records
}

fn stored(message: &BorrowedMessage<'_>) -> Stored {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let headers = message.headers().into_iter().flat_map(Headers::iter);
    Stored {
        key: text(message.key().expect("a key")),
        value: message.payload().map(text),
        headers: headers
            .map(|header| (header.key.to_owned(), text(header.value.expect("a value"))))
            .collect(),
        receipt: Receipt { partition: message.partition(), offset: message.offset() },
    }
}

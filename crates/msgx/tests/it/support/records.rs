//! What a consumer sees: every record of a topic, and the consumer's two rules.

use std::collections::{BTreeMap, HashSet};
use std::time::Duration;

use rdkafka::consumer::{BaseConsumer, Consumer as _};
use rdkafka::message::{Headers as _, Message as _};
use rdkafka::{ClientConfig, Offset, TopicPartitionList};

/// A record with what consumers need of it.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    pub(crate) key: String,
    pub(crate) value: Option<String>,
    pub(crate) ce_id: String,
    pub(crate) state_version: i64,
}

/// Every record of a topic, per partition in offset order.
pub(crate) fn all(brokers: &str, topic: &str) -> Vec<Seen> {
    let consumer: BaseConsumer = ClientConfig::new()
        .set("bootstrap.servers", brokers)
        .set("group.id", "it")
        .set("enable.auto.commit", "false")
        .create()
        .expect("a consumer");
    let patience = Duration::from_secs(30);
    let metadata = consumer.fetch_metadata(Some(topic), patience).expect("the broker answers");
    let mut assignment = TopicPartitionList::new();
    let mut missing = 0;
    for partition in metadata.topics()[0].partitions() {
        let (low, high) = consumer.fetch_watermarks(topic, partition.id(), patience).expect("watermarks");
        missing += high - low;
        assignment.add_partition_offset(topic, partition.id(), Offset::Beginning).expect("a partition");
    }
    consumer.assign(&assignment).expect("assigned");
    let mut seen = Vec::new();
    while missing > 0 {
        let record = consumer.poll(patience).expect("the next record comes").expect("it can be read");
        missing -= 1;
        seen.push(read(&record));
    }
    seen
}

fn read(record: &rdkafka::message::BorrowedMessage<'_>) -> Seen {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    let headers = record.headers().expect("headers");
    let header = |name: &str| {
        headers
            .iter()
            .find(|header| header.key == name)
            .and_then(|header| header.value.map(text))
            .expect("a header")
    };
    Seen {
        key: record.key().map(text).expect("a key"),
        value: record.payload().map(text),
        ce_id: header("ce_id"),
        state_version: header("msgx-state-version").parse().expect("a number"),
    }
}

/// The consumer's first rule: records whose `ce_id` was seen before are dropped.
pub(crate) fn deduplicated(records: Vec<Seen>) -> Vec<Seen> {
    let mut ids = HashSet::new();
    records.into_iter().filter(|record| ids.insert(record.ce_id.clone())).collect()
}

/// Per key, versions rise strictly.
pub(crate) fn assert_versions_rise(topic: &str, records: &[Seen]) {
    let mut last: BTreeMap<&str, i64> = BTreeMap::new();
    for record in records {
        if let Some(before) = last.insert(&record.key, record.state_version) {
            assert!(
                before < record.state_version,
                "{topic}, key {}: {} after {before}",
                record.key,
                record.state_version
            );
        }
    }
}

/// The last record of each key.
pub(crate) fn last_by_key(records: &[Seen]) -> BTreeMap<i64, Seen> {
    records.iter().map(|record| (record.key.parse().expect("a FLID"), record.clone())).collect()
}

//! What is between the sink and the cluster: partitions, missing topics, a broker that is away.

use std::time::Duration;

use contract::SinkHarness;
use domain::event::Target;
use engine::ports::{Record, Sink, SinkError};
use stores::kafka::{KafkaConfig, KafkaSink};

use super::subject::{self, Subject};

fn record(sink: &KafkaSink, key: &str) -> Record {
    Record {
        topic: sink.topic(Target::Msg).to_owned(),
        key: key.to_owned(),
        value: Some("{}".to_owned()),
        headers: vec![],
    }
}

/// Hashes that Kafka's Java client gives (`Utils.murmur2`).
#[tokio::test]
async fn a_key_lies_where_javas_default_puts_it() {
    let subject = Subject::with_partitions(7).await;
    let hashes = [
        ("21", -973_932_308),
        ("foobar", -790_332_482),
        ("a-little-bit-long-string", -985_981_536),
        ("a-little-bit-longer-string", -1_486_304_829),
        ("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8", -58_897_971),
        ("abc", 479_470_107),
    ];
    let records = hashes.map(|(key, _)| record(subject.sink(), key));
    for ((key, hash), answer) in hashes.into_iter().zip(subject.sink().publish(&records).await) {
        assert_eq!(answer.expect("is taken").partition, (hash & 0x7fff_ffff) % 7, "{key}");
    }
}

#[tokio::test]
async fn a_missing_topic_is_waited_for() {
    let config = KafkaConfig { message_timeout: Duration::from_secs(1), ..subject::config() };
    let sink = KafkaSink::new(config);
    let lines = sink.check().await;
    assert!(lines.len() == 2 && lines[0].contains("kafka.topics.msg"), "{lines:?}");
    let answers = sink.publish(&[record(&sink, "1"), record(&sink, "2")]).await;
    assert!(answers.iter().all(|answer| matches!(answer, Err(SinkError::Unavailable(_)))), "{answers:?}");
    sink.create_topics(1, 1).await.expect("the topics are made");
    assert_eq!(sink.check().await, Vec::<String>::new());
    // The producer learns of the topic in its own time: until then it says so, and never refuses.
    loop {
        match sink.publish(&[record(&sink, "1")]).await.remove(0) {
            Ok(_) => return,
            Err(SinkError::Unavailable(_)) => {}
            Err(SinkError::Rejected(error)) => panic!("{error}"),
        }
    }
}

#[tokio::test]
async fn a_topic_of_states_that_is_not_compacted_is_found() {
    let config = subject::config();
    let other = KafkaConfig {
        topic_msg: config.topic_schd.clone(),
        topic_schd: config.topic_msg.clone(),
        ..config.clone()
    };
    KafkaSink::new(other).create_topics(1, 1).await.expect("the topics are made");
    let lines = KafkaSink::new(config).check().await;
    assert!(lines.len() == 1 && lines[0].contains("cleanup.policy is delete"), "{lines:?}");
}

#[tokio::test]
async fn a_broker_that_is_away_takes_nothing_and_blames_no_record() {
    let nobody =
        std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let config =
        KafkaConfig { message_timeout: Duration::from_millis(300), ..KafkaConfig::new(nobody.to_string()) };
    let sink = KafkaSink::new(config);
    let answers = sink.publish(&[record(&sink, "1"), record(&sink, "2")]).await;
    assert_eq!(answers.len(), 2);
    assert!(answers.iter().all(|answer| matches!(answer, Err(SinkError::Unavailable(_)))), "{answers:?}");
    let lines = sink.check().await;
    assert!(lines.len() == 1 && lines[0].contains("can't be reached"), "{lines:?}");
}

//! Records arrive whole and in order.

use domain::event::Target;
use engine::ports::{Receipt, Record, Sink};

use super::record;
use crate::Stored;

fn as_stored(record: &Record, receipt: Receipt) -> Stored {
    Stored {
        key: record.key.clone(),
        value: record.value.clone(),
        headers: record.headers.iter().map(|(name, value)| ((*name).into(), value.clone())).collect(),
        receipt,
    }
}

cases! { $ sink_cases: SinkHarness in sink::publish;
    async fn a_record_arrives_as_it_was_sent(subject) {
        let sink = subject.sink();
        let record = record(sink, "7304412", Some("{\"remark\":\"延误 𠮷\\n\"}"));
        let receipt = sink.publish(std::slice::from_ref(&record)).await.remove(0).expect("is taken");
        assert_eq!(subject.records(&record.topic).await, [as_stored(&record, receipt)]);
    }

    async fn headers_keep_their_order_and_repetitions(subject) {
        let sink = subject.sink();
        let headers = [("b", "2"), ("a", "1"), ("content-type", "application/json"), ("empty", "")];
        let headers = headers.map(|(name, value)| (name, value.to_owned())).to_vec();
        let record = Record { headers, ..record(sink, "1", Some("{}")) };
        let receipt = sink.publish(std::slice::from_ref(&record)).await.remove(0).expect("is taken");
        assert_eq!(subject.records(&record.topic).await, [as_stored(&record, receipt)]);
    }

    async fn a_tombstone_has_no_value(subject) {
        let sink = subject.sink();
        let tombstone = record(sink, "1", None);
        sink.publish(std::slice::from_ref(&tombstone)).await.remove(0).expect("is taken");
        let stored = subject.records(&tombstone.topic).await;
        assert_eq!((stored.len(), stored[0].value.as_deref()), (1, None));
    }

    async fn one_answer_per_record_in_order(subject) {
        let sink = subject.sink();
        let records: Vec<Record> =
            (0..50).map(|n| record(sink, &format!("key-{n}"), Some(&n.to_string()))).collect();
        let answers = sink.publish(&records).await;
        assert_eq!(answers.len(), 50);
        let stored = subject.records(&records[0].topic).await;
        assert_eq!(stored.len(), 50);
        for (record, answer) in records.iter().zip(answers) {
            let expected = as_stored(record, answer.expect("is taken"));
            assert!(stored.contains(&expected), "{expected:?} is where its receipt says");
        }
    }

    async fn clm_07_records_of_a_key_keep_their_order(subject) {
        let sink = subject.sink();
        let mut receipts = Vec::new();
        for n in 0..20 {
            let both = ["7", "8"].map(|key| record(sink, key, Some(&n.to_string())));
            receipts.push(sink.publish(&both).await.remove(0).expect("is taken"));
        }
        assert!(receipts.is_sorted_by(|a, b| a.partition == b.partition && a.offset < b.offset));
        let stored = subject.records(sink.topic(Target::Msg)).await;
        for key in ["7", "8"] {
            let values = stored.iter().filter(|record| record.key == key);
            let values: Vec<_> = values.filter_map(|record| record.value.clone()).collect();
            assert_eq!(values, (0..20).map(|n| n.to_string()).collect::<Vec<_>>());
        }
    }

    async fn nothing_to_publish_is_nothing(subject) {
        let sink = subject.sink();
        assert_eq!(sink.publish(&[]).await, []);
        assert_eq!(subject.records(sink.topic(Target::Msg)).await, []);
    }

    async fn targets_have_topics_of_their_own(subject) {
        let sink = subject.sink();
        let (msg, schd) = (sink.topic(Target::Msg).to_owned(), sink.topic(Target::Schd).to_owned());
        assert_ne!(msg, schd);
        let to_schd = Record { topic: schd.clone(), ..record(sink, "1", Some("\"schd\"")) };
        for answer in sink.publish(&[record(sink, "1", Some("\"msg\"")), to_schd]).await {
            answer.expect("is taken");
        }
        for (topic, value) in [(msg, "\"msg\""), (schd, "\"schd\"")] {
            let stored = subject.records(&topic).await;
            assert_eq!(stored.iter().map(|record| record.value.as_deref()).collect::<Vec<_>>(), [Some(value)]);
        }
    }

    async fn a_topic_is_there_until_it_is_lost_and_then_it_is_named(subject) {
        let sink = subject.sink();
        for target in Target::ALL {
            assert_eq!(sink.reach(target).await, Ok(()), "{target:?}");
        }
        subject.lose_topics().await;
        for target in Target::ALL {
            let error = sink.reach(target).await.expect_err("its topic is lost");
            assert!(error.contains(sink.topic(target)), "{error}");
        }
    }

    async fn a_sink_that_is_well_has_no_findings(subject) {
        assert_eq!(subject.sink().check().await, Vec::<String>::new());
    }
}

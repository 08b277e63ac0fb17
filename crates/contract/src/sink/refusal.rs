//! A record refused for its own fault.

use engine::ports::{Record, Sink, SinkError};

use super::record;

cases! { $ sink_refusal_cases: RefusesRecords in sink::refusal;
    async fn a_record_too_large_is_rejected_alone(subject) {
        let sink = subject.sink();
        let large = Record { value: Some("1".repeat(subject.too_large())), ..record(sink, "2", None) };
        let records = [record(sink, "1", Some("1")), large, record(sink, "3", Some("3"))];
        let answers = sink.publish(&records).await;
        let rejected: Vec<bool> =
            answers.iter().map(|answer| matches!(answer, Err(SinkError::Rejected(_)))).collect();
        assert_eq!(rejected, [false, true, false], "{answers:?}");
        assert!(answers[0].is_ok() && answers[2].is_ok(), "{answers:?}");
        let stored = subject.records(&records[0].topic).await;
        let mut keys: Vec<_> = stored.iter().map(|record| record.key.as_str()).collect();
        keys.sort_unstable();
        assert_eq!(keys, ["1", "3"]);
    }

    async fn a_record_goes_through_after_one_was_rejected(subject) {
        let sink = subject.sink();
        let large = Record { value: Some("1".repeat(subject.too_large())), ..record(sink, "1", None) };
        assert!(sink.publish(&[large]).await[0].is_err());
        sink.publish(&[record(sink, "1", Some("1"))]).await.remove(0).expect("is taken");
    }
}

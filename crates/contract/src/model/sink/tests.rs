//! The model of a broker behaves as one.

use super::*;

fn record(key: &str) -> Record {
    Record { topic: "t".into(), key: key.into(), value: None, headers: Vec::new() }
}

#[tokio::test]
async fn a_sink_that_is_down_takes_nothing_and_says_so() {
    let sink = Sink::default();
    sink.go_down("no broker");
    let down = Err(SinkError::Unavailable("no broker".into()));
    assert_eq!(sink.publish(&[record("1")]).await, [down]);
    assert_eq!(sink.check().await, ["no broker"]);
    sink.recover();
    assert!(sink.publish(&[record("1")]).await[0].is_ok());
    assert_eq!((sink.records("t").len(), sink.publishes()), (1, 2));
}

#[tokio::test]
async fn a_refused_key_is_rejected_until_it_is_accepted() {
    let sink = Sink::default();
    sink.refuse("1");
    let answers = sink.publish(&[record("1"), record("2")]).await;
    assert!(matches!(answers[0], Err(SinkError::Rejected(_))) && answers[1].is_ok());
    sink.accept("1");
    assert!(sink.publish(&[record("1")]).await[0].is_ok());
}

#[tokio::test]
async fn a_lost_answer_leaves_the_record_there() {
    let sink = Sink::default();
    sink.lose_answers(1);
    let answers = sink.publish(&[record("1"), record("2")]).await;
    assert!(answers[0].is_err() && answers[1].is_ok());
    assert_eq!(sink.records("t").len(), 2);
}

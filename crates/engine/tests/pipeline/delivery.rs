//! Events: at least once, in order per flight, independent of each other and of everything else.

use domain::event::Target;
use domain::message::State;
use engine::ports::Views;

use crate::house::{House, MINUTE, SECOND};
use crate::letters;

fn ids(topic: &str, events: &[(i64, i64)]) -> Vec<String> {
    events.iter().map(|(flid, version)| format!("{topic}/{flid}/{version}")).collect()
}

#[tokio::test]
async fn inv_10_an_event_whose_answer_was_lost_is_sent_again_as_the_same() {
    let house = House::new();
    let running = house.start().await;
    house.sink.lose_answers(2);
    house.post([letters::schedule(1, 7)]).await;
    house.pass(5 * SECOND).await;
    assert_eq!(house.sent(Target::Msg), ids("msgx.msg", &[(7, 1), (7, 1)]));
    assert_eq!(house.sent(Target::Schd), ids("msgx.schd", &[(7, 1), (7, 1)]));
    running.end().await;
}

#[tokio::test]
async fn inv_16_a_sink_that_is_down_changes_nothing_that_is_committed() {
    let house = House::new();
    let running = house.start().await;
    house.sink.go_down("no broker");
    house.post([letters::schedule(1, 7), letters::schedule(2, 8)]).await;
    house.pass(MINUTE).await;
    assert_eq!(house.states([1, 2]).await, [Some(State::Succeeded); 2]);
    assert!(house.marked(1));
    let words = running.pulse.ready().expect_err("delivery waits");
    assert_eq!(words.len(), 2, "{words:?}");
    house.sink.recover();
    house.pass(MINUTE).await;
    assert_eq!(house.sent(Target::Msg), ids("msgx.msg", &[(7, 1), (8, 1)]));
    let outbox = house.store.outbox().await.expect("the model answers");
    assert!(outbox.iter().all(|target| target.pending == 0 && target.dead == 0), "{outbox:?}");
    assert_eq!(running.pulse.ready(), Ok(()));
    running.end().await;
}

#[tokio::test]
async fn clm_07_each_flight_in_order_and_none_waits_for_another() {
    let house = House::new();
    let running = house.start().await;
    house.sink.refuse("7");
    house
        .post([
            letters::flight(1, 7, "A01"),
            letters::flight(2, 8, "A01"),
            letters::flight(3, 7, "A02"),
            letters::flight(4, 8, "A02"),
        ])
        .await;
    assert_eq!(house.sent(Target::Msg), ids("msgx.msg", &[(8, 1), (8, 2)]));
    house.sink.accept("7");
    house.pass(10 * SECOND).await;
    assert_eq!(house.sent(Target::Msg), ids("msgx.msg", &[(8, 1), (8, 2), (7, 1), (7, 2)]));
    running.end().await;
}

#[tokio::test]
async fn a_dead_event_does_not_hold_up_its_flight() {
    let house = House::new();
    let running = house.start().await;
    house.sink.refuse("7");
    house.post([letters::flight(1, 7, "A01")]).await;
    house.pass(MINUTE).await;
    let outbox = house.store.outbox().await.expect("the model answers");
    assert!(outbox.iter().all(|target| target.dead == 1), "{outbox:?}");
    house.sink.accept("7");
    house.post([letters::flight(2, 7, "A02")]).await;
    assert_eq!(house.sent(Target::Msg), ids("msgx.msg", &[(7, 2)]));
    assert_eq!(house.sent(Target::Schd), ids("msgx.schd", &[(7, 2)]));
    running.end().await;
}

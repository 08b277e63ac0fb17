//! The queue: order, failures, who is to blame.

use contract::model::StoreVerb;
use domain::message::{ErrorClass, State};
use engine::ports::StoreError;

use crate::house::{House, MINUTE, SECOND, until};
use crate::letters;

const DONE: Option<State> = Some(State::Succeeded);
const WAITS: Option<State> = Some(State::Pending);

#[tokio::test]
async fn inv_03_failed_head_blocks_later() {
    let house = House::new();
    let running = house.start().await;
    for letter in [letters::schedule(1, 1), letters::unknown(2), letters::schedule(3, 3)] {
        house.mailbox.land(letter);
    }
    house.pass(SECOND / 2).await;
    assert_eq!(house.fate(2).await, (State::Failed, 1, Some(ErrorClass::Unsupported)));
    assert_eq!(house.states([1, 3]).await, [DONE, WAITS]);
    let head = running.pulse.snapshot().head.expect("a head");
    assert_eq!((head.msg_id.0, head.class), (2, Some(ErrorClass::Unsupported)));
    assert!(head.blocked_until.is_some());
    house.pass(SECOND).await;
    assert_eq!(house.fate(2).await, (State::Dead, 2, Some(ErrorClass::Exhausted)));
    assert_eq!(house.states([3]).await, [DONE]);
    assert_eq!(running.pulse.snapshot().head, None);
    running.end().await;
}

#[tokio::test]
async fn dead_and_skipped_messages_do_not_end_a_run() {
    let house = House::new();
    let running = house.start().await;
    house.post([letters::empty(), letters::ignored(2), letters::schedule(3, 3)]).await;
    assert_eq!(house.states([1, 2, 3]).await, [Some(State::Dead), Some(State::Skipped), DONE]);
    assert_eq!(house.store.faults().calls(StoreVerb::CommitRun), 1);
    running.end().await;
}

#[tokio::test]
async fn one_by_one_is_one_message_per_transaction() {
    let mut house = House::new();
    house.settings = house.settings.with_batch(1);
    let running = house.start().await;
    house.post((1..=5).map(|id| letters::schedule(id, id))).await;
    assert_eq!(house.states([1, 5]).await, [DONE; 2]);
    assert_eq!(house.store.faults().calls(StoreVerb::CommitRun), 5);
    assert_eq!(house.store.faults().calls(StoreVerb::Enqueue), 5);
    running.end().await;
}

#[tokio::test]
async fn data_the_store_refuses_is_blamed_on_the_culprit_alone() {
    let house = House::new();
    let running = house.start().await;
    // The run of four, its first half, and the first message alone.
    for _ in 0..3 {
        house.store.faults().fail_next(StoreVerb::CommitRun, StoreError::Data("22001".to_owned()));
    }
    for id in 1..=4 {
        house.mailbox.land(letters::schedule(id, id));
    }
    house.pass(SECOND / 2).await;
    assert_eq!(house.fate(1).await, (State::Failed, 1, Some(ErrorClass::Infra)));
    assert_eq!(house.states([2, 3, 4]).await, [WAITS; 3]);
    house.pass(2 * SECOND).await;
    for id in 2..=4 {
        assert_eq!(house.fate(id).await, (State::Succeeded, 0, None), "message {id}");
    }
    assert_eq!(house.states([1]).await, [DONE]);
    running.end().await;
}

#[tokio::test]
async fn errors_of_the_environment_count_no_attempts() {
    let house = House::new();
    let running = house.start().await;
    for verb in [StoreVerb::Head, StoreVerb::World, StoreVerb::CommitRun, StoreVerb::CommitRun] {
        house.store.faults().fail_next(verb, StoreError::Unavailable("gone".to_owned()));
    }
    house.post([letters::schedule(1, 1), letters::schedule(2, 2)]).await;
    assert_eq!(running.pulse.ready(), Err(vec!["pump: store unavailable: gone".to_owned()]));
    house.pass(MINUTE).await;
    assert_eq!(house.fate(1).await, (State::Succeeded, 0, None));
    assert_eq!(house.fate(2).await, (State::Succeeded, 0, None));
    assert_eq!(running.pulse.ready(), Ok(()));
    running.end().await;
}

#[tokio::test]
async fn a_commit_in_doubt_is_settled_by_looking() {
    for happened in [true, false] {
        let house = House::new();
        let running = house.start().await;
        let doubt = StoreError::InDoubt("connection lost".to_owned());
        match happened {
            true => house.store.faults().lose_answer(StoreVerb::CommitRun, doubt),
            false => house.store.faults().fail_next(StoreVerb::CommitRun, doubt),
        }
        house.post([letters::schedule(1, 1), letters::schedule(2, 2)]).await;
        assert_eq!(house.fate(1).await, (State::Succeeded, 0, None), "happened: {happened}");
        assert_eq!(house.version(1).await, Some(1), "happened: {happened}");
        assert_eq!(house.store.faults().calls(StoreVerb::SettleDoubt), 1);
        assert_eq!(running.pulse.snapshot().facts.processed, 2, "happened: {happened}");
        running.end().await;
    }
}

#[tokio::test]
async fn a_head_that_changed_meanwhile_is_read_again_at_once() {
    let house = House::new();
    let running = house.start().await;
    house.store.faults().fail_next(StoreVerb::CommitRun, StoreError::Conflict("skipped".to_owned()));
    house.mailbox.land(letters::schedule(1, 1));
    house.pass(SECOND / 4).await;
    assert_eq!(house.states([1]).await, [DONE]);
    assert_eq!(running.pulse.ready(), Ok(()));
    running.end().await;
}

#[tokio::test]
async fn flights_that_change_are_told_to_whoever_watches() {
    let house = House::new();
    let running = house.start().await;
    let mut changes = running.pulse.changes();
    house.post([letters::schedule(1, 41), letters::schedule(2, 42)]).await;
    let changed = changes.try_recv().expect("one run");
    assert_eq!(changed.flights.iter().map(|flight| flight.flid.0).collect::<Vec<_>>(), [41, 42]);
    assert_eq!(changed.last.0, 2);
    running.end().await;
}

#[tokio::test]
async fn a_restart_goes_on_where_the_last_engine_was() {
    let house = House::new();
    let gate = house.store.faults().hold_next(StoreVerb::CommitRun);
    house.mailbox.land(letters::schedule(1, 1));
    let running = house.launch();
    until(|| house.store.faults().calls(StoreVerb::CommitRun) == 1).await;
    running.stop.stop();
    gate.notify_one();
    running.end().await;
    assert_eq!(house.states([1]).await, [DONE], "the run in hand was finished");
    let running = house.start().await;
    assert_eq!(house.version(1).await, Some(1));
    assert_eq!(house.sent(domain::event::Target::Schd).len(), 1);
    assert!(house.marked(1));
    running.end().await;
}

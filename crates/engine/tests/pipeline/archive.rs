//! Messages that are over leave the queue's table, and are still known (US-11, INV-9).

use contract::model::StoreVerb;
use domain::MsgId;
use domain::message::State;
use engine::ports::{StoreError, Views};

use crate::house::{House, MINUTE, SECOND};
use crate::letters;

/// A house that archives 10 seconds after a message was marked, with a look every 5.
pub(crate) fn tidy_house() -> House {
    let mut house = House::new();
    house.settings.archive.after = 10 * SECOND;
    house.settings.archive.interval = 5 * SECOND;
    house.settings.retention.interval = 5 * SECOND;
    house
}

#[tokio::test]
async fn us_11_a_message_is_archived_some_time_after_its_mark_and_people_find_it_as_it_was() {
    let house = tidy_house();
    let running = house.start().await;
    house.post([letters::schedule(1, 7), letters::ignored(2), letters::empty()]).await;
    let before = house.states([1, 2, 3]).await;
    house.pass(7 * SECOND).await;
    assert_eq!(house.store.archived(), [0_i64; 0], "not yet");
    house.pass(10 * SECOND).await;
    assert_eq!(house.store.archived(), [1, 2, 3]);
    assert_eq!(house.states([1, 2, 3]).await, before);
    let facts = house.store.five_facts().await.expect("the model answers");
    assert_eq!((facts.enqueued, facts.processed, facts.marked), (3, 3, 3));
    assert_eq!(running.pulse.ready(), Ok(()));
    running.end().await;
}

#[tokio::test]
async fn inv_09_a_duplicate_of_an_archived_message_is_skipped_and_a_reissue_is_processed() {
    let house = tidy_house();
    let running = house.start().await;
    house.post([letters::flight(1, 7, "A01")]).await;
    house.pass(MINUTE).await;
    assert_eq!(house.store.archived(), [1]);
    house.post([letters::flight(1, 7, "A01"), letters::flight(1, 7, "B02")]).await;
    let duplicate = house.message(2).await.expect("enqueued");
    assert_eq!((duplicate.state, duplicate.last_error.as_deref()), (State::Skipped, Some("duplicate-of:1")));
    assert_eq!(house.states([3]).await, [Some(State::Succeeded)], "a SEQN that wraps says something new");
    assert_eq!(house.version(7).await, Some(2));
    running.end().await;
}

#[tokio::test]
async fn inv_09_an_archived_dead_letter_yields_to_the_same_message_sent_again() {
    let house = tidy_house();
    let running = house.start().await;
    house.post([letters::unknown(1)]).await;
    house.pass(MINUTE).await;
    assert_eq!((house.store.archived(), house.states([1]).await), (vec![1], vec![Some(State::Dead)]));
    house.post([letters::unknown(1)]).await;
    house.pass(MINUTE).await;
    assert_eq!(
        house.states([2]).await,
        [Some(State::Dead)],
        "tried for itself, no duplicate of a dead letter"
    );
    running.end().await;
}

#[tokio::test]
async fn c_16_a_mark_that_was_given_up_keeps_its_message_until_it_is_reconciled() {
    let house = tidy_house();
    let running = house.start().await;
    house.mailbox.refuse_mark(MsgId(1), Some(("busy", false)));
    house.post([letters::schedule(1, 7)]).await;
    house.mailbox.delete(MsgId(1));
    house.pass(MINUTE).await;
    assert_eq!(house.message(1).await.expect("enqueued").abandoned_reason.as_deref(), Some("MISSING_ROW"));
    assert_eq!(house.store.archived(), [0_i64; 0]);
    house.store.reconcile(MsgId(1), contract::sample::at(99));
    house.pass(6 * SECOND).await;
    assert_eq!(house.store.archived(), [1]);
    running.end().await;
}

#[tokio::test]
async fn fc_41_messages_the_archive_refuses_stand_in_nobodys_way() {
    let mut house = tidy_house();
    house.settings.archive.batch = 2;
    let running = house.start().await;
    house.post((1..=9).map(|seqn| letters::schedule(seqn, seqn))).await;
    // More than a batch of them in front, one in the middle, and nothing of it passes.
    for poison in [1, 2, 3, 6] {
        house.store.occupy_archive(MsgId(poison));
    }
    house.pass(30 * SECOND).await;
    let shadows: Vec<i64> = (1..=9).filter(|id| house.store.shadow(MsgId(*id)).is_some()).collect();
    assert_eq!(shadows, [4, 5, 7, 8, 9]);
    assert_eq!(running.pulse.ready(), Ok(()), "refused messages don't stop the job");
    running.end().await;
}

#[tokio::test]
async fn us_11_a_message_replayed_between_look_and_write_stays_and_the_others_go() {
    let house = tidy_house();
    let running = house.start().await;
    house.post([letters::unknown(1), letters::schedule(2, 7)]).await;
    house.pass(4 * SECOND).await;
    let gate = house.store.faults().hold_next(StoreVerb::Archive);
    house.pass_until(StoreVerb::Archive).await;
    house.store.replay(MsgId(1), contract::sample::at(25));
    gate.notify_one();
    house.pass(SECOND).await;
    assert_eq!(house.store.archived(), [2]);
    running.end().await;
}

#[tokio::test]
async fn an_archive_job_in_trouble_says_so_and_loses_nothing() {
    let house = tidy_house();
    let running = house.start().await;
    house.post([letters::schedule(1, 7)]).await;
    house.store.faults().lose_answer(StoreVerb::Archive, StoreError::InDoubt("gone".to_owned()));
    house.pass(20 * SECOND).await;
    assert_eq!(house.store.archived(), [1]);
    assert_eq!(running.pulse.ready(), Ok(()));
    running.end().await;
}

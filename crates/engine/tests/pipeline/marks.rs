//! Marks: four outcomes, terminal rows only, never against what is committed.

use contract::Mark;
use contract::model::{MailboxVerb, StoreVerb};
use contract::sample::whole;
use domain::MsgId;
use domain::message::State;
use engine::ports::{MailboxError, StoreError};

use crate::house::{House, MINUTE, SECOND};
use crate::letters;

#[tokio::test]
async fn inv_07_mark_is_never_overwritten() {
    let house = House::new();
    let theirs = Mark { status: Some("OTHER".to_owned()), processed_at: Some(whole(-9)) };
    let id = house.mailbox.land(letters::schedule(1, 1));
    house.mailbox.mark_by_other(id, theirs.clone());
    let running = house.start().await;
    house.pass(SECOND).await;
    assert_eq!(house.mailbox.mark_of(id), Some(theirs));
    assert!(house.message(1).await.expect("enqueued").marked_at.is_some(), "done");
    running.end().await;
}

#[tokio::test]
async fn inv_07_a_row_that_is_gone_is_abandoned_at_once() {
    let house = House::new();
    let running = house.start().await;
    let gate = house.mailbox.faults().hold_next(MailboxVerb::Mark);
    house.mailbox.land(letters::schedule(1, 1));
    house.clock.advance(SECOND);
    house.clock.settled(crate::house::ROOMS - 1).await;
    house.mailbox.delete(MsgId(1));
    gate.notify_one();
    house.pass(SECOND).await;
    let message = house.message(1).await.expect("enqueued");
    assert_eq!(message.abandoned_reason.as_deref(), Some("MISSING_ROW"));
    assert_eq!((message.state, message.marked_at), (State::Succeeded, None));
    assert_eq!(running.pulse.snapshot().facts.abandoned, 1);
    running.end().await;
}

#[tokio::test]
async fn inv_07_a_mark_that_fails_is_tried_again_and_others_are_not_held_up() {
    let house = House::new();
    let running = house.start().await;
    house.mailbox.refuse_mark(MsgId(1), Some(("lock wait", false)));
    house.post([letters::schedule(1, 1), letters::schedule(2, 2)]).await;
    assert!(!house.marked(1) && house.marked(2));
    house.mailbox.refuse_mark(MsgId(1), None);
    house.pass(20 * SECOND).await;
    assert!(!house.marked(1), "not before its back-off is over");
    house.pass(12 * SECOND).await;
    assert!(house.marked(1));
    running.end().await;
}

#[tokio::test]
async fn inv_07_clm_04_what_fails_until_r_is_abandoned_after_a_last_try() {
    let mut house = House::new();
    house.settings.marks.overdue = 5 * MINUTE;
    let running = house.start().await;
    house.mailbox.refuse_mark(MsgId(1), Some(("denied", true)));
    house.post([letters::schedule(1, 1)]).await;
    house.pass(5 * MINUTE - 3 * SECOND).await;
    assert_eq!(house.message(1).await.expect("enqueued").abandoned_reason, None);
    house.pass(4 * SECOND).await;
    let message = house.message(1).await.expect("enqueued");
    assert_eq!(message.abandoned_reason.as_deref(), Some("OVERDUE"));
    assert_eq!(message.state, State::Succeeded);
    running.end().await;
}

#[tokio::test]
async fn inv_08_a_message_that_is_not_finished_has_no_mark() {
    let house = House::new();
    let running = house.start().await;
    house.mailbox.land(letters::unknown(1));
    house.mailbox.land(letters::schedule(2, 2));
    house.pass(SECOND / 2).await;
    assert_eq!(house.states([1, 2]).await, [Some(State::Failed), Some(State::Pending)]);
    assert!(!house.marked(1) && !house.marked(2));
    house.pass(2 * SECOND).await;
    assert_eq!(house.states([1, 2]).await, [Some(State::Dead), Some(State::Succeeded)]);
    assert!(house.marked(1) && house.marked(2));
    running.end().await;
}

#[tokio::test]
async fn inv_06_inv_16_a_mailbox_that_is_gone_changes_nothing_and_counts_nothing() {
    let house = House::new();
    let running = house.start().await;
    for _ in 0..4 {
        house.mailbox.faults().fail_next(MailboxVerb::Mark, MailboxError::Unavailable("gone".to_owned()));
    }
    house.post([letters::schedule(1, 1)]).await;
    assert_eq!(house.fate(1).await, (State::Succeeded, 0, None));
    assert_eq!(running.pulse.ready(), Err(vec!["marks: mailbox unavailable: gone".to_owned()]));
    house.pass(20 * SECOND).await;
    assert!(house.marked(1));
    running.end().await;
}

#[tokio::test]
async fn outcomes_the_store_does_not_know_yet_are_written_before_anything_else() {
    let house = House::new();
    let running = house.start().await;
    house.store.faults().fail_next(StoreVerb::SettleMarks, StoreError::Unavailable("gone".to_owned()));
    house.post([letters::schedule(1, 1)]).await;
    house.pass(2 * SECOND).await;
    assert_eq!(house.mailbox.faults().calls(MailboxVerb::Mark), 1);
    assert!(house.message(1).await.expect("enqueued").marked_at.is_some());
    running.end().await;
}

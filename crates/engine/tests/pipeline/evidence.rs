//! Gaps whose verdict comes from open transactions (DEC-5).

use domain::mailbox::GapVerdict;
use domain::message::State;
use engine::ports::{Store, Views};
use engine::settings::GapEvidence;
use jiff::Timestamp;

use crate::house::{House, MINUTE, SECOND};
use crate::letters;

const DONE: Option<State> = Some(State::Succeeded);

fn house() -> House {
    let mut house = House::new();
    house.settings.discovery.gap_evidence = GapEvidence::Transactions;
    house
}

async fn verdicts(house: &House) -> Vec<GapVerdict> {
    let closed = house.store.closed_gaps(Timestamp::MIN, 9).await.expect("the model answers");
    closed.iter().map(|gap| gap.verdict).collect()
}

#[tokio::test]
async fn dec_05_a_gap_is_released_within_seconds_when_its_transaction_has_ended() {
    let house = house();
    let running = house.start().await;
    let open = house.mailbox.open(letters::schedule(1, 1));
    house.post([letters::schedule(2, 2)]).await;
    house.pass(MINUTE).await;
    assert_eq!(house.watermark().await, Some(0), "its owner is alive");
    house.mailbox.roll_back(open);
    house.pass(3 * SECOND).await;
    assert_eq!(house.states([1, 2]).await, [None, DONE]);
    assert_eq!(verdicts(&house).await, [GapVerdict::ReleasedByTransactions]);
    running.end().await;
}

#[tokio::test]
async fn dec_05_a_transaction_that_began_later_holds_nothing() {
    let house = house();
    let running = house.start().await;
    let open = house.mailbox.open(letters::schedule(1, 1));
    house.mailbox.roll_back(open);
    house.post([letters::schedule(2, 2)]).await;
    house.pass(2 * SECOND).await;
    let later = house.mailbox.open(letters::schedule(3, 3));
    house.pass(2 * SECOND).await;
    assert_eq!(house.watermark().await, Some(2));
    house.mailbox.commit(later);
    house.pass(SECOND).await;
    assert_eq!(house.states([2, 3]).await, [DONE, DONE]);
    running.end().await;
}

/// With evidence there is no skip at all, however long a transaction takes up to the longest hold.
#[tokio::test]
async fn fc_08_a_transaction_that_is_seen_to_be_open_is_waited_for() {
    let house = house();
    let running = house.start().await;
    let open = house.mailbox.open(letters::schedule(1, 1));
    house.post([letters::schedule(2, 2)]).await;
    house.pass(15 * MINUTE).await;
    assert_eq!(house.watermark().await, Some(0));
    house.mailbox.commit(open);
    house.pass(SECOND).await;
    assert_eq!(house.states([1, 2]).await, [DONE, DONE]);
    assert_eq!(house.store.gaps().await.expect("the model answers").released_ids, 0);
    running.end().await;
}

#[tokio::test]
async fn dec_05_after_the_longest_hold_age_decides_and_the_row_is_found_late() {
    let house = house();
    let running = house.start().await;
    let open = house.mailbox.open(letters::schedule(1, 1));
    house.post([letters::schedule(2, 2)]).await;
    house.pass(29 * MINUTE).await;
    assert_eq!(house.watermark().await, Some(0));
    house.pass(2 * MINUTE).await;
    assert_eq!(house.watermark().await, Some(2));
    assert_eq!(verdicts(&house).await, [GapVerdict::ReleasedByAge]);
    house.mailbox.commit(open);
    house.pass(11 * SECOND).await;
    assert_eq!(house.store.gaps().await.expect("the model answers").late, 1);
    running.end().await;
}

#[tokio::test]
async fn dec_05_where_transactions_prove_nothing_age_decides() {
    let house = house();
    house.mailbox.hide_transactions(Some("the server is a replica"));
    let running = house.start().await;
    let open = house.mailbox.open(letters::schedule(1, 1));
    house.mailbox.roll_back(open);
    house.post([letters::schedule(2, 2)]).await;
    house.pass(4 * MINUTE).await;
    assert_eq!(house.watermark().await, Some(0));
    house.pass(MINUTE + SECOND).await;
    assert_eq!(house.watermark().await, Some(2));
    assert_eq!(verdicts(&house).await, [GapVerdict::ReleasedByAge]);
    running.end().await;
}

/// Looks over two connections may have been answered by two servers.
#[tokio::test]
async fn dec_05_looks_over_another_connection_begin_anew() {
    let house = house();
    let running = house.start().await;
    let open = house.mailbox.open(letters::schedule(1, 1));
    house.post([letters::schedule(2, 2)]).await;
    house.pass(MINUTE).await;
    house.mailbox.reconnect();
    house.pass(5 * SECOND).await;
    assert_eq!(house.watermark().await, Some(0), "still open, and seen again");
    house.mailbox.roll_back(open);
    house.pass(3 * SECOND).await;
    assert_eq!(house.watermark().await, Some(2));
    running.end().await;
}

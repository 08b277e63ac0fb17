//! Watermark, gaps, their release, late rows.

use contract::model::{MailboxVerb, StoreVerb};
use contract::sample::range;
use domain::MsgId;
use domain::mailbox::GapVerdict;
use domain::message::State;
use engine::ports::{MailboxError, Store, StoreError, Views};
use engine::settings::StartAt;
use jiff::Timestamp;

use crate::house::{House, MINUTE, ROOMS, SECOND};
use crate::letters;

const DONE: Option<State> = Some(State::Succeeded);

fn flights(ids: std::ops::RangeInclusive<i64>) -> impl Iterator<Item = engine::ports::NewLetter> {
    ids.map(|id| letters::schedule(id, id))
}

#[tokio::test]
async fn inv_01_a_message_goes_the_whole_way() {
    let house = House::new();
    let running = house.start().await;
    house.post(flights(1..=3)).await;
    assert_eq!(house.watermark().await, Some(3));
    assert_eq!(house.states([1, 2, 3]).await, [DONE; 3]);
    assert!([1, 2, 3].into_iter().all(|id| house.marked(id)));
    let facts = running.pulse.snapshot().facts;
    assert_eq!((facts.landed, facts.enqueued, facts.processed, facts.marked), (3, 3, 3, 3));
    assert_eq!((facts.delivered_msg, facts.delivered_schd), (3, 3));
    assert_eq!(running.pulse.ready(), Ok(()));
    assert_eq!(engine::drained(&house.mailbox, &house.store).await, Ok(true));
    running.end().await;
}

#[tokio::test]
async fn inv_02_after_a_lost_answer_the_watermark_is_what_the_store_says() {
    let house = House::new();
    let running = house.start().await;
    house.store.faults().lose_answer(StoreVerb::Enqueue, StoreError::InDoubt("cut".to_owned()));
    house.post(flights(1..=3)).await;
    house.pass(2 * SECOND).await;
    house.post(flights(4..=4)).await;
    assert_eq!(house.watermark().await, Some(4));
    assert_eq!(house.states([1, 2, 3, 4]).await, [DONE; 4]);
    assert_eq!(house.version(1).await, Some(1));
    running.end().await;
}

#[tokio::test]
async fn inv_02_inv_04_nothing_above_a_gap_is_taken_up_before_it_fills() {
    let house = House::new();
    let running = house.start().await;
    house.post(flights(1..=1)).await;
    let open = house.mailbox.open(letters::schedule(2, 2));
    house.post(flights(3..=9)).await;
    house.pass(MINUTE).await;
    assert_eq!(house.watermark().await, Some(1));
    assert_eq!(house.states([2, 3, 9]).await, [None; 3]);
    assert_eq!(house.store.gaps().await.expect("the model answers").open, 1);
    assert_eq!(running.pulse.snapshot().facts.landed, 8);
    house.mailbox.commit(open);
    house.pass(SECOND).await;
    assert_eq!(house.watermark().await, Some(9));
    assert_eq!(house.states([2, 3, 9]).await, [DONE; 3]);
    assert_eq!(house.store.gaps().await.expect("the model answers").open, 0);
    running.end().await;
}

#[tokio::test]
async fn inv_02_a_rolled_back_gap_is_released_after_its_whole_window() {
    let house = House::new();
    let running = house.start().await;
    let open = house.mailbox.open(letters::schedule(1, 1));
    house.mailbox.roll_back(open);
    house.post(flights(2..=3)).await;
    house.pass(5 * MINUTE - 2 * SECOND).await;
    assert_eq!(house.watermark().await, Some(0));
    house.pass(2 * SECOND).await;
    assert_eq!(house.watermark().await, Some(3));
    assert_eq!(house.states([2, 3]).await, [DONE; 2]);
    let gaps = house.store.gaps().await.expect("the model answers");
    assert_eq!((gaps.open, gaps.released_ids, gaps.late), (0, 1, 0));
    running.end().await;
}

/// The owner commits between the verdict's clock and the poll that relies on it; without that, the
/// very same poll releases the gap.
#[tokio::test]
async fn inv_02_dec_05_a_row_committed_between_verdict_and_poll_is_not_lost() {
    for (commits, released, first) in [(true, 0, DONE), (false, 1, None)] {
        let house = House::new();
        let running = house.start().await;
        let open = house.mailbox.open(letters::schedule(1, 1));
        // Seen by the poll at 0.2 s, so that the verdict is complete at 300.2 s and not before.
        house.post(flights(2..=3)).await;
        house.pass(299 * SECOND).await;
        assert_eq!(house.watermark().await, Some(0));
        let gate = house.mailbox.faults().hold_next(MailboxVerb::Poll);
        house.clock.advance(house.settings.discovery.poll_interval);
        house.clock.settled(ROOMS - 1).await;
        if commits {
            house.mailbox.commit(open);
        }
        gate.notify_one();
        house.clock.settled(ROOMS).await;
        assert_eq!(house.watermark().await, Some(3));
        assert_eq!(house.states([1, 2, 3]).await, [first, DONE, DONE]);
        let gaps = house.store.gaps().await.expect("the model answers");
        assert_eq!((gaps.released_ids, gaps.late), (released, 0));
        running.end().await;
    }
}

/// A window that ends while the poll is under way says nothing about what that poll didn't see.
#[tokio::test]
async fn inv_02_dec_05_only_a_poll_that_began_after_the_verdict_may_release() {
    let house = House::new();
    let running = house.start().await;
    let interval = house.settings.discovery.poll_interval;
    let open = house.mailbox.open(letters::schedule(1, 1));
    // Seen at 0.2 s: the poll at 300.0 s begins before the verdict is complete.
    house.post(flights(2..=3)).await;
    house.pass(299 * SECOND - interval).await;
    let gate = house.mailbox.faults().hold_next(MailboxVerb::Poll);
    house.clock.advance(interval);
    house.clock.settled(ROOMS - 1).await;
    house.clock.advance(2 * interval);
    house.clock.settled(ROOMS - 1).await;
    gate.notify_one();
    house.clock.settled(ROOMS).await;
    assert_eq!(house.watermark().await, Some(0));
    house.mailbox.commit(open);
    house.pass(SECOND).await;
    assert_eq!(house.states([1, 2, 3]).await, [DONE; 3]);
    running.end().await;
}

#[tokio::test]
async fn a_changed_server_starts_the_window_anew() {
    let house = House::new();
    let running = house.start().await;
    let open = house.mailbox.open(letters::schedule(1, 1));
    house.mailbox.roll_back(open);
    house.post(flights(2..=2)).await;
    house.pass(4 * MINUTE).await;
    house.mailbox.change_server();
    house.pass(4 * MINUTE).await;
    assert_eq!(house.watermark().await, Some(0));
    house.pass(MINUTE + SECOND).await;
    assert_eq!(house.watermark().await, Some(2));
    running.end().await;
}

#[tokio::test]
async fn inv_03_a_late_row_is_found_and_not_processed() {
    let house = House::new();
    let running = house.start().await;
    let open = house.mailbox.open(letters::schedule(1, 1));
    house.post(flights(2..=2)).await;
    house.pass(6 * MINUTE).await;
    assert_eq!(house.watermark().await, Some(2));
    house.mailbox.commit(open);
    house.pass(11 * SECOND).await;
    assert_eq!(house.store.gaps().await.expect("the model answers").late, 1);
    assert_eq!(house.states([1]).await, [None]);
    running.end().await;
}

#[tokio::test]
async fn inv_05_rows_without_a_mark_do_not_stop_discovery() {
    let house = House::new();
    let running = house.start().await;
    for _ in 0..20 {
        house.mailbox.faults().fail_next(MailboxVerb::Mark, MailboxError::Unavailable("gone".to_owned()));
    }
    house.post(flights(1..=2)).await;
    house.post(flights(3..=4)).await;
    assert_eq!(house.states([1, 2, 3, 4]).await, [DONE; 4]);
    assert!(!house.marked(1));
    running.end().await;
}

#[tokio::test]
async fn a_mailbox_that_is_gone_comes_back_by_itself_and_readiness_says_so() {
    let house = House::new();
    let running = house.start().await;
    for _ in 0..3 {
        house.mailbox.faults().fail_next(MailboxVerb::Poll, MailboxError::Unavailable("gone".to_owned()));
    }
    house.post(flights(1..=1)).await;
    let words = vec!["discovery: mailbox unavailable: gone".to_owned()];
    assert_eq!(running.pulse.ready(), Err(words));
    house.pass(7 * SECOND).await;
    assert_eq!(running.pulse.ready(), Ok(()));
    assert_eq!(house.states([1]).await, [DONE]);
    running.end().await;
}

#[tokio::test]
async fn a_mailbox_is_begun_where_the_site_says() {
    for (start_at, before, taken) in
        [(StartAt::Latest, 12, [None, None]), (StartAt::Id(MsgId(12)), 11, [None, DONE])]
    {
        let mut house = House::new();
        house.settings.discovery.start_at = start_at;
        for id in 11..=12 {
            house.mailbox.land(letters::at(id, letters::schedule(id, id)));
        }
        let running = house.start().await;
        let closed = house.store.closed_gaps(Timestamp::MIN, 9).await.expect("the model answers");
        let ranges: Vec<_> = closed.iter().map(|gap| (gap.range, gap.verdict)).collect();
        let holes = (range(1, 10), GapVerdict::MissingAtStart);
        assert_eq!(ranges, [(range(1, before), GapVerdict::BeforeStart), holes], "{start_at:?}");
        assert_eq!(house.states([11, 12]).await, taken, "{start_at:?}");
        running.end().await;
    }
}

/// Upstream holds ID 1 open while the mailbox is read for the first time: it is not "before the
/// start", it is a gap.
#[tokio::test]
async fn dec_05_an_id_open_below_the_first_visible_row_is_waited_for_at_the_first_start() {
    let house = House::new();
    let owner = house.mailbox.open(letters::schedule(1, 1));
    house.mailbox.land(letters::schedule(2, 2));
    let running = house.start().await;
    house.pass(MINUTE).await;
    assert_eq!(house.states([1, 2]).await, [None, None]);
    house.mailbox.commit(owner);
    house.pass(SECOND).await;
    assert_eq!(house.states([1, 2]).await, [DONE, DONE]);
    running.end().await;
}

/// The same for `latest`: what was open then is below the start, but it is found and shown.
#[tokio::test]
async fn a_row_that_was_open_below_the_start_is_found_by_the_audit() {
    let mut house = House::new();
    house.settings.discovery.start_at = StartAt::Latest;
    house.mailbox.land(letters::schedule(1, 1));
    let owner = house.mailbox.open(letters::schedule(2, 2));
    house.mailbox.land(letters::schedule(3, 3));
    let running = house.start().await;
    house.mailbox.commit(owner);
    house.pass(MINUTE).await;
    assert_eq!(house.states([1, 2, 3]).await, [None, None, None]);
    assert_eq!(house.store.gaps().await.expect("the model answers").late, 1);
    running.end().await;
}

#[tokio::test]
async fn a_row_without_body_never_stops_discovery() {
    let house = House::new();
    let running = house.start().await;
    house.post([letters::schedule(1, 1), letters::empty(), letters::schedule(3, 3)]).await;
    assert_eq!(house.states([1, 2, 3]).await, [DONE, Some(State::Dead), DONE]);
    assert!(house.marked(2));
    running.end().await;
}

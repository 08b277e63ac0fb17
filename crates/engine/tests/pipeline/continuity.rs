//! The mailbox is the one that was read, or discovery stops (PRE-3).

use contract::model::MailboxVerb;
use domain::MsgId;
use domain::message::State;
use engine::settings::StartAt;

use crate::house::{House, MINUTE, Running, SECOND};
use crate::letters;

const DONE: Option<State> = Some(State::Succeeded);
const HOUR: std::time::Duration = std::time::Duration::from_secs(3_600);

/// An engine that has taken up rows 1 to 3.
async fn after_three() -> (House, Running) {
    let house = House::new();
    let running = house.start().await;
    house.post((1..=3).map(|id| letters::schedule(id, id))).await;
    assert_eq!(house.watermark().await, Some(3));
    (house, running)
}

/// Discovery says in these words that it is stopped, and readiness says so.
fn stopped_with(running: &Running, words: &str) {
    let told = running.pulse.ready().expect_err("not ready").join("\n");
    assert!(told.contains("discovery: discovery is stopped") && told.contains(words), "{told}");
}

#[tokio::test]
async fn pre_03_a_truncated_table_stops_discovery_until_its_owner_has_mended_it() {
    let (house, running) = after_three().await;
    house.pass(HOUR).await;
    house.mailbox.truncate();
    let written_since = house.mailbox.land(letters::schedule(7, 7));
    assert_eq!(written_since, MsgId(1), "numbering began anew");
    house.pass(11 * SECOND).await;
    stopped_with(&running, "next row would get ID 2");
    assert_eq!(house.watermark().await, Some(3), "never set back");
    house.mailbox.number_from(4);
    house.pass(MINUTE).await;
    stopped_with(&running, "1 row(s) (1) differ");
    house.mailbox.delete(written_since);
    house.mailbox.land(letters::schedule(7, 7));
    house.pass(MINUTE).await;
    assert_eq!(running.pulse.ready(), Ok(()));
    assert_eq!(house.states([4]).await, [DONE]);
    running.end().await;
}

#[tokio::test]
async fn pre_03_a_restored_backup_is_found_on_the_new_connection_before_anything_is_taken_up() {
    let house = House::new();
    let running = house.start().await;
    house.post((1..=2).map(|id| letters::schedule(id, id))).await;
    let backup = house.mailbox.back_up();
    house.post((3..=4).map(|id| letters::schedule(id, id))).await;
    house.mailbox.restore(&backup);
    // Rows written since the restore take the old IDs, and one that is above W.
    for flid in 5..=7 {
        house.mailbox.land(letters::schedule(flid, flid));
    }
    house.pass(SECOND).await;
    stopped_with(&running, "2 row(s) (3, 4) differ");
    assert_eq!(house.states([5]).await, [None], "nothing is taken up");
    assert_eq!(house.watermark().await, Some(4));
    running.end().await;
}

#[tokio::test]
async fn pre_03_rows_lost_by_a_restore_hold_discovery_for_ten_minutes_and_no_longer() {
    let (house, running) = after_three().await;
    house.mailbox.delete(MsgId(3));
    house.mailbox.reconnect();
    house.mailbox.land(letters::schedule(4, 4));
    house.pass(9 * MINUTE).await;
    stopped_with(&running, "1 row(s) (3) were taken up within 10 minutes and are gone");
    house.pass(2 * MINUTE).await;
    assert_eq!(house.states([4]).await, [DONE]);
    assert_eq!(running.pulse.ready(), Ok(()));
    running.end().await;
}

#[tokio::test]
async fn pre_03_a_purge_a_new_connection_and_another_servers_name_stop_nothing() {
    let (house, running) = after_three().await;
    house.pass(HOUR).await;
    (1..=3).for_each(|id| house.mailbox.delete(MsgId(id)));
    house.mailbox.reconnect();
    house.post([letters::schedule(4, 4)]).await;
    house.mailbox.change_server();
    house.post([letters::schedule(5, 5)]).await;
    assert_eq!(house.states([4, 5]).await, [DONE, DONE]);
    assert_eq!(running.pulse.ready(), Ok(()));
    running.end().await;
}

#[tokio::test]
async fn pre_03_a_reset_while_nobody_ran_is_found_at_the_start() {
    let (house, running) = after_three().await;
    running.end().await;
    house.clock.advance(HOUR);
    house.mailbox.truncate();
    house.mailbox.land(letters::schedule(9, 9));
    let polls = house.mailbox.faults().calls(MailboxVerb::Poll);
    let running = house.start().await;
    house.pass(MINUTE).await;
    stopped_with(&running, "next row would get ID 2");
    assert_eq!(house.mailbox.faults().calls(MailboxVerb::Poll), polls, "not even polled");
    running.end().await;
}

/// At a cut-over the first ID to take up may not be numbered yet.
#[tokio::test]
async fn a_start_above_the_numbering_waits_for_it() {
    let mut house = House::new();
    house.settings.discovery.start_at = StartAt::Id(MsgId(3));
    house.mailbox.land(letters::schedule(1, 1));
    let running = house.start().await;
    house.pass(MINUTE).await;
    assert_eq!(running.pulse.ready(), Ok(()));
    house.post((2..=3).map(|id| letters::schedule(id, id))).await;
    assert_eq!(house.states([1, 2, 3]).await, [None, None, DONE]);
    running.end().await;
}

#[tokio::test]
async fn an_answer_over_another_connection_is_asked_for_again() {
    let (house, running) = after_three().await;
    let gate = house.mailbox.faults().hold_next(MailboxVerb::Poll);
    house.clock.advance(house.settings.discovery.poll_interval);
    house.clock.settled(crate::house::ROOMS - 1).await;
    house.mailbox.reconnect();
    house.mailbox.land(letters::schedule(4, 4));
    gate.notify_one();
    house.clock.settled(crate::house::ROOMS).await;
    assert_eq!(house.states([4]).await, [DONE], "by the poll after the one that was thrown away");
    running.end().await;
}

//! Late rows in numbers, and rows outside the declared series of IDs.

use domain::MsgId;
use domain::message::State;
use engine::ports::Views;

use crate::house::{House, MINUTE, SECOND};
use crate::letters;

const DONE: Option<State> = Some(State::Succeeded);

/// More rows than are noted at once: the first of them hide none.
#[tokio::test]
async fn every_late_row_of_a_large_range_is_found() {
    let house = House::new();
    let running = house.start().await;
    let open: Vec<MsgId> = (1..=2_500).map(|_| house.mailbox.open(letters::empty())).collect();
    house.post([letters::schedule(2_501, 1)]).await;
    house.pass(6 * MINUTE).await;
    open.into_iter().for_each(|id| house.mailbox.commit(id));
    house.pass(11 * SECOND).await;
    assert_eq!(house.store.gaps().await.expect("the model answers").late, 2_500);
    running.end().await;
}

/// IDs of the real series that the declared one has no room for are not passed over by the poll that
/// shows the first row outside it.
#[tokio::test]
async fn the_first_row_outside_the_series_puts_the_step_back_to_one_at_once() {
    let mut house = House::new();
    house.settings.discovery.id_step = 2;
    let running = house.start().await;
    house.post([letters::at(2, letters::schedule(2, 2))]).await;
    assert_eq!(house.watermark().await, Some(2));
    let open = house.mailbox.open(letters::schedule(3, 3));
    for id in [4, 5] {
        house.mailbox.land(letters::at(id, letters::schedule(id, id)));
    }
    house.pass(SECOND).await;
    assert_eq!(house.watermark().await, Some(2), "3 is a hole now");
    house.mailbox.commit(open);
    house.pass(SECOND).await;
    assert_eq!(house.states([2, 3, 4, 5]).await, [DONE; 4]);
    running.end().await;
}

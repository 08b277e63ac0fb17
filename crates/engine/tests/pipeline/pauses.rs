//! Rooms that an operator has paused.

use domain::lifecycle::Pausable;
use domain::message::State;
use engine::ports::PauseWhat;

use crate::house::{House, MINUTE, SECOND};
use crate::letters;

const DONE: Option<State> = Some(State::Succeeded);
const WAITS: Option<State> = Some(State::Pending);

#[tokio::test]
async fn a_paused_room_idles_alive_and_says_by_whom_and_goes_on_when_its_time_is_over() {
    let house = House::new();
    let running = house.start().await;
    let until = engine::ports::Clock::wall(&house.clock) + 10 * MINUTE;
    house.pause("p", Pausable::Pump, PauseWhat::Pause { until: Some(until) }).await;
    house.pass(2 * SECOND).await;
    house.post([letters::schedule(1, 1)]).await;
    house.pass(5 * MINUTE).await;
    assert_eq!(house.states([1]).await, [WAITS], "discovery goes on, the pump doesn't");
    let told = running.pulse.paused();
    assert_eq!(told.len(), 1);
    assert!(told[0].starts_with("pump is paused by ann (cut-over)"), "{told:?}");
    assert_eq!((running.pulse.live(), running.pulse.ready()), (Ok(()), Ok(())), "its heart beats");
    house.pass(5 * MINUTE).await;
    assert_eq!(house.states([1]).await, [DONE]);
    assert_eq!(running.pulse.paused(), Vec::<String>::new());
    running.end().await;
}

#[tokio::test]
async fn each_room_is_paused_by_itself_and_whoever_leads_next_obeys_from_the_first_step() {
    for room in Pausable::ALL {
        let house = House::new();
        house.pause("p", room, PauseWhat::Pause { until: None }).await;
        let running = house.start().await;
        house.post([letters::schedule(1, 1)]).await;
        house.pass(MINUTE).await;
        let message = house.message(1).await;
        let processed = message.as_ref().is_some_and(|message| message.state == State::Succeeded);
        let delivered = !house.sent(domain::event::Target::Msg).is_empty();
        let expected = match room {
            Pausable::Discovery => (false, false, false, false),
            Pausable::Pump => (true, false, false, false),
            Pausable::Delivery => (true, true, false, true),
            Pausable::Marks => (true, true, true, false),
        };
        assert_eq!((message.is_some(), processed, delivered, house.marked(1)), expected, "{room:?}");
        house.pause("r", room, PauseWhat::Resume).await;
        house.pass(MINUTE).await;
        assert!(house.marked(1) && !house.sent(domain::event::Target::Msg).is_empty(), "{room:?}");
        running.end().await;
    }
}

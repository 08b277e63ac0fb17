//! Jobs: flights that are over become history, and what is old enough is forgotten.

use contract::model::StoreVerb;
use domain::event::Target;
use domain::flight::{HistoryDue, Life};
use domain::message::State;
use domain::{Epoch, Flid};
use engine::ports::{Store, StoreError, Views};
use jiff::civil::date;

use crate::house::{House, MINUTE, ROOMS, SECOND, until};
use crate::letters;

/// A house whose jobs come every few seconds.
fn busy_house() -> House {
    let mut house = House::new();
    house.settings.history.interval = 5 * SECOND;
    house.settings.retention.interval = 5 * SECOND;
    house
}

impl House {
    /// Versions of a flight's lives in history, newest first.
    async fn past_versions(&self, flid: i64) -> Vec<i64> {
        let past = self.store.past_flights(Flid(flid)).await.expect("the model answers");
        past.iter().map(|past| past.flight.state_version).collect()
    }

    async fn reason(&self, id: i64) -> Option<String> {
        self.message(id).await.expect("enqueued").last_error
    }
}

#[tokio::test]
async fn inv_18_a_flight_that_is_over_becomes_history_and_consumers_are_told() {
    let house = busy_house();
    let running = house.start().await;
    house.post([letters::schedule_of_the_past(1, 7), letters::schedule(2, 8)]).await;
    assert_eq!((house.version(7).await, house.version(8).await), (Some(1), Some(1)));
    house.pass(6 * SECOND).await;
    assert_eq!((house.version(7).await, house.version(8).await), (None, Some(1)));
    assert_eq!(house.past_versions(7).await, [2]);
    assert_eq!(running.pulse.flights_swept(), 1, "pages hear of it");
    assert_eq!(house.sent(Target::Schd).len(), 3, "the tombstone is sent at once");
    house.post([letters::estimate(3, 7)]).await;
    assert_eq!(house.states([3]).await, [Some(State::Skipped)]);
    assert_eq!(house.reason(3).await.as_deref(), Some("in-history:7"));
    running.end().await;
}

#[tokio::test]
async fn inv_18_a_sweep_between_reading_and_writing_makes_the_pump_read_again() {
    let house = House::new();
    let running = house.start().await;
    house.post([letters::schedule_of_the_past(1, 7)]).await;
    let gate = house.store.faults().hold_next(StoreVerb::CommitRun);
    house.mailbox.land(letters::estimate(2, 7));
    house.clock.advance(SECOND);
    until(|| house.store.faults().calls(StoreVerb::CommitRun) == 2).await;
    let at = house.store.now().await.expect("the model answers");
    let due = HistoryDue { day: date(2026, 4, 28), silent_since: at };
    assert_eq!(house.store.sweep_flights(Epoch(1), due, 10, at).await, Ok(1));
    gate.notify_one();
    house.pass(SECOND).await;
    assert_eq!(house.store.faults().calls(StoreVerb::CommitRun), 3, "refused, and decided anew");
    assert_eq!(house.reason(2).await.as_deref(), Some("in-history:7"));
    assert_eq!((house.version(7).await, house.past_versions(7).await), (None, vec![2]));
    assert_eq!(running.pulse.ready(), Ok(()));
    running.end().await;
}

#[tokio::test]
async fn inv_18_a_schedule_of_today_brings_a_flight_back_from_history() {
    let house = busy_house();
    let running = house.start().await;
    house.post([letters::schedule_of_the_past(1, 7)]).await;
    house.pass(6 * SECOND).await;
    house.post([letters::schedule(2, 7)]).await;
    let flight = house.store.flight(Flid(7)).await.expect("the model answers").expect("lives again");
    assert_eq!((flight.life, flight.incarnation, flight.state_version), (Life::Active, 2, 3));
    let steps = house.store.flight_changes(Flid(7), 9).await.expect("the model answers");
    assert_eq!(steps.iter().map(|step| step.change.state_version).collect::<Vec<_>>(), [1, 3]);
    running.end().await;
}

#[tokio::test]
async fn a_sweep_goes_on_batch_by_batch_until_nothing_is_due() {
    let mut house = busy_house();
    house.settings.history.batch = 2;
    let running = house.start().await;
    house.post((1..=5).map(|n| letters::schedule_of_the_past(n, n))).await;
    let before = house.store.faults().calls(StoreVerb::SweepFlights);
    house.pass(5 * SECOND).await;
    assert_eq!(
        house.store.faults().calls(StoreVerb::SweepFlights),
        before + 4,
        "two, two, one, and then none"
    );
    assert_eq!(house.store.flights(9).await, Ok(vec![]));
    running.end().await;
}

#[tokio::test]
async fn what_is_older_than_it_is_kept_is_forgotten() {
    let mut house = busy_house();
    house.settings.retention.flight_history = MINUTE;
    house.settings.retention.flight_change = 3 * MINUTE;
    let running = house.start().await;
    house.post([letters::schedule_of_the_past(1, 7)]).await;
    let left = async || {
        let steps = house.store.flight_changes(Flid(7), 9).await.expect("the model answers").len();
        (house.past_versions(7).await.len(), steps)
    };
    for (wait, expected) in [(30 * SECOND, (1, 1)), (MINUTE, (0, 1)), (2 * MINUTE, (0, 0))] {
        house.pass(wait).await;
        assert_eq!(left().await, expected, "after {wait:?} more");
    }
    running.end().await;
}

#[tokio::test]
async fn a_job_in_trouble_says_so_and_tries_again() {
    let house = busy_house();
    let running = house.start().await;
    house.pass(2 * SECOND).await;
    house.store.faults().fail_next(StoreVerb::SweepFlights, StoreError::Unavailable("gone".to_owned()));
    house.post([letters::schedule_of_the_past(1, 7)]).await;
    house.pass_until(StoreVerb::SweepFlights).await;
    house.clock.settled(ROOMS).await;
    assert_eq!(running.pulse.ready(), Err(vec!["flight-history: store unavailable: gone".to_owned()]));
    house.pass(2 * SECOND).await;
    assert_eq!(running.pulse.ready(), Ok(()));
    assert_eq!(house.past_versions(7).await, [2]);
    running.end().await;
}

#[tokio::test]
async fn jobs_that_wait_for_their_time_are_not_stuck() {
    let house = House::new();
    let running = house.start().await;
    house.pass(MINUTE / 2).await;
    let sweeps = house.store.faults().calls(StoreVerb::SweepFlights);
    house.pass(9 * MINUTE).await;
    assert_eq!(running.pulse.live(), Ok(()));
    assert_eq!(house.store.faults().calls(StoreVerb::SweepFlights), sweeps, "every ten minutes");
    running.end().await;
}

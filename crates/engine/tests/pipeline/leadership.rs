//! One leader at a time; what a deposed one must not do; start and stop.

use std::sync::Arc;

use contract::model::StoreVerb;
use domain::Epoch;
use domain::event::Target;
use engine::ports::{Published, Record, Sink, Store, StoreError};
use engine::pulse::Role;
use engine::{Ended, Engine, Stop};

use crate::house::{House, ROOMS, SECOND, until};
use crate::letters;

/// A standby has one task that pauses.
const STANDBY: usize = 1;

#[tokio::test]
async fn pre_05_a_fenced_engine_writes_nothing_more_and_is_standby_again() {
    let house = House::new();
    let running = house.start().await;
    house.post([letters::schedule(1, 1)]).await;
    house.store.seize_lease("another");
    house.mailbox.land(letters::schedule(2, 2));
    house.clock.advance(SECOND);
    until(|| running.pulse.role() == Role::Standby).await;
    house.clock.pass(60 * SECOND, STANDBY).await;
    assert_eq!(house.states([1, 2]).await, [Some(domain::message::State::Succeeded), None]);
    assert!(!house.marked(2));
    assert_eq!(running.end().await, Ended::Stopped);
}

#[tokio::test]
async fn a_leader_that_cannot_renew_stops_at_its_deadline_marks_too() {
    let house = House::new();
    let running = house.start().await;
    for _ in 0..9 {
        house.store.faults().fail_next(StoreVerb::RenewLease, StoreError::Unavailable("gone".to_owned()));
    }
    house.pass(9 * SECOND).await;
    assert_eq!(running.pulse.role(), Role::Leader(Epoch(1)));
    house.mailbox.land(letters::schedule(1, 1));
    house.clock.advance(2 * SECOND);
    // Its lease has expired, so that it may take it again: a new term, a new epoch.
    house.clock.settled(ROOMS).await;
    assert_eq!(running.pulse.role(), Role::Leader(Epoch(2)));
    house.pass(SECOND).await;
    assert!(house.marked(1));
    running.end().await;
}

/// Whoever renews the lease is stuck in the call: everybody else knows the deadline all the same.
#[tokio::test]
async fn the_deadline_holds_although_the_renewal_is_stuck() {
    let house = House::new();
    let running = house.start().await;
    let gate = house.store.faults().hold_next(StoreVerb::RenewLease);
    house.pass(3 * SECOND).await;
    house.clock.advance(SECOND);
    house.clock.settled(ROOMS - 1).await;
    house.clock.pass(5 * SECOND, ROOMS - 1).await;
    house.mailbox.land(letters::schedule(1, 1));
    house.clock.advance(2 * SECOND);
    house.clock.settled(0).await;
    assert_eq!(house.states([1]).await, [None]);
    gate.notify_one();
    house.clock.settled(STANDBY).await;
    house.clock.pass(15 * SECOND, STANDBY).await;
    assert_eq!(running.pulse.role(), Role::Leader(Epoch(2)));
    house.pass(SECOND).await;
    assert!(house.marked(1));
    running.end().await;
}

#[tokio::test]
async fn clm_06_a_standby_takes_over_when_the_leader_stops() {
    let house = House::new();
    let leader = house.start().await;
    let standby = house.launch();
    house.clock.settled(ROOMS + STANDBY).await;
    assert_eq!(standby.pulse.role(), Role::Standby);
    assert_eq!(standby.pulse.ready(), Ok(()));
    assert_eq!(leader.end().await, Ended::Stopped);
    house.clock.settled(STANDBY).await;
    house.clock.advance(4 * SECOND);
    house.clock.settled(ROOMS).await;
    assert_eq!(standby.pulse.role(), Role::Leader(Epoch(2)));
    house.post([letters::schedule(1, 1)]).await;
    assert!(house.marked(1));
    standby.end().await;
}

#[tokio::test]
async fn a_stop_gives_the_lease_back_and_a_second_one_is_harmless() {
    let house = House::new();
    let running = house.start().await;
    running.stop.stop();
    running.stop.stop();
    assert_eq!(running.end().await, Ended::Stopped);
    let lease = house.store.lease().await.expect("the model answers").expect("a lease");
    assert!(lease.expires_at <= house.store.now().await.expect("the model answers"));
}

#[tokio::test]
async fn a_stop_before_the_start_starts_nothing() {
    let house = House::new();
    let running = house.launch();
    assert_eq!(running.end().await, Ended::Stopped);
    assert_eq!(house.store.faults().calls(StoreVerb::Cursor), 0);
}

#[tokio::test]
async fn a_store_that_is_gone_at_the_start_is_waited_for() {
    let house = House::new();
    for _ in 0..3 {
        house.store.faults().fail_next(StoreVerb::AcquireLease, StoreError::Unavailable("gone".to_owned()));
    }
    let running = house.launch();
    house.clock.settled(STANDBY).await;
    assert_eq!(running.pulse.ready(), Err(vec!["lease: store unavailable: gone".to_owned()]));
    house.clock.pass(6 * SECOND, STANDBY).await;
    house.clock.advance(SECOND);
    house.clock.settled(ROOMS).await;
    assert_eq!(running.pulse.role(), Role::Leader(Epoch(1)));
    running.end().await;
}

/// A sink with a bug.
struct Broken;

impl Sink for Broken {
    async fn publish(&self, _records: &[Record]) -> Vec<Published> {
        Vec::new()
    }

    async fn check(&self) -> Vec<String> {
        Vec::new()
    }

    async fn reach(&self, _target: Target) -> Result<(), String> {
        Ok(())
    }

    fn topic(&self, _target: Target) -> &str {
        "topic"
    }
}

#[tokio::test]
async fn a_panic_in_any_room_ends_the_service_and_names_the_room() {
    let house = House::new();
    house.mailbox.land(letters::schedule(1, 1));
    let (mailbox, store) = (Arc::new(house.mailbox.clone()), Arc::new(house.store.clone()));
    let clock = Arc::new(house.clock.clone());
    let engine = Engine::new(mailbox, store, Arc::new(Broken), clock, house.settings.clone());
    match engine.run(&Stop::new()).await {
        Ended::Panicked { room, words } => {
            assert!(room.starts_with("delivery-"), "{room}");
            assert!(words.contains("a sink answers for every record"), "{words}");
        }
        Ended::Stopped => panic!("nobody asked it to stop"),
    }
}

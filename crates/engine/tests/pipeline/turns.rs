//! Jobs take turns and give way to the pump (FC-34).

use std::pin::pin;
use std::time::Duration;

use contract::model::StoreVerb;
use engine::ports::Clock;
use futures::future::{Either, select};

use crate::house::{House, ROOMS, SECOND, until};
use crate::letters;

const MILLI: Duration = Duration::from_millis(1);

/// What each job asks of the store first.
const BATCHES: [StoreVerb; 5] = [
    StoreVerb::Archivable,
    StoreVerb::ForgetEvents,
    StoreVerb::ForgetBodies,
    StoreVerb::ForgetHistory,
    StoreVerb::SweepFlights,
];

impl House {
    /// Lets time pass until the store is asked for `verb`.
    #[expect(clippy::disallowed_methods, reason = "two looks at the model are raced, no port calls")]
    pub(crate) async fn pass_until(&self, verb: StoreVerb) {
        let calls = || self.store.faults().calls(verb);
        let before = calls();
        loop {
            let (asked, settled) = (pin!(until(|| calls() > before)), pin!(self.clock.settled(ROOMS)));
            if let Either::Left(_) = select(asked, settled).await {
                return;
            }
            let due = self.clock.next_due().expect("every room pauses");
            self.clock.advance(due.saturating_sub(self.clock.monotonic()));
        }
    }
}

/// A house whose jobs come every five seconds.
fn busy_house() -> House {
    let mut house = House::new();
    house.settings.archive.interval = 5 * SECOND;
    house.settings.history.interval = 5 * SECOND;
    house.settings.retention.interval = 5 * SECOND;
    house
}

impl House {
    fn batches(&self) -> u64 {
        BATCHES.iter().map(|verb| self.store.faults().calls(*verb)).sum()
    }

    /// Lets time pass while one room is held.
    async fn pass_held(&self, length: Duration) {
        self.clock.pass(length, ROOMS - 1).await;
    }
}

#[tokio::test]
async fn fc_34_jobs_take_turns_and_one_that_hangs_does_not_hold_the_pump() {
    let house = busy_house();
    let gate = house.store.faults().hold_next(StoreVerb::ForgetEvents);
    let running = house.launch();
    house.pass_until(StoreVerb::ForgetEvents).await;
    let begun = house.batches();
    house.mailbox.land(letters::schedule(1, 7));
    house.pass_held(10 * SECOND).await;
    assert_eq!(house.batches(), begun, "no other job begins");
    assert_eq!(house.version(7).await, Some(1), "the pump goes on");
    gate.notify_one();
    house.clock.settled(ROOMS).await;
    house.pass(10 * SECOND).await;
    assert!(house.batches() >= begun + 5, "every job has its turn: {}", house.batches() - begun);
    running.end().await;
}

#[tokio::test]
async fn fc_34_jobs_rest_longer_than_they_worked_and_never_longer_than_a_second() {
    for (took, rest) in [(20 * MILLI, 180 * MILLI), (400 * MILLI, SECOND)] {
        let house = busy_house();
        let gate = house.store.faults().hold_next(StoreVerb::ForgetEvents);
        let running = house.launch();
        house.pass_until(StoreVerb::ForgetEvents).await;
        house.pass_held(took).await;
        gate.notify_one();
        house.clock.settled(ROOMS).await;
        let begun = house.batches();
        house.pass(rest - MILLI).await;
        assert_eq!(house.batches(), begun, "after {took:?}");
        house.pass(500 * MILLI).await;
        assert!(house.batches() > begun, "after {took:?}");
        running.end().await;
    }
}

#[tokio::test]
async fn fc_34_a_job_begins_when_a_step_of_the_pump_has_ended_or_after_a_short_while() {
    for is_released in [true, false] {
        let house = busy_house();
        let running = house.start().await;
        house.pass(3 * SECOND).await;
        let begun = house.batches();
        let gate = house.store.faults().hold_next(StoreVerb::CommitRun);
        house.mailbox.land(letters::schedule(1, 7));
        house.pass_until(StoreVerb::CommitRun).await;
        // The first job had its turn after 100 ms: it is due again five seconds later.
        house.pass_held((5_150 * MILLI).saturating_sub(house.clock.monotonic())).await;
        assert_eq!(house.batches(), begun);
        if is_released {
            gate.notify_one();
            house.clock.settled(ROOMS).await;
        } else {
            house.pass_held(50 * MILLI).await;
        }
        assert!(house.batches() > begun, "released: {is_released}");
        gate.notify_one();
        running.end().await;
    }
}

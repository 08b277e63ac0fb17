//! Storms: failures of everything at once, kills at any await, restarts; afterwards nothing is
//! lost, nothing happened twice, and everybody's order is kept. A seed is a storm again.

use std::collections::HashMap;
use std::time::Duration;

use contract::model::{MailboxVerb, StoreVerb};
use domain::event::Target;
use domain::message::State;
use engine::ports::{MailboxError, StoreError};
use engine::pulse::Role;

use crate::house::{House, Running, SECOND};
use crate::letters;
use crate::retention::hurry_jobs;

const FLIGHTS: i64 = 5;
const ROUNDS: i64 = 12;

/// Steps of three seconds after which everything must be done.
const STEPS_MAX: usize = 300;

/// Chance by a seed (xorshift).
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }

    fn of<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[usize::try_from(self.below(choices.len() as u64)).expect("small")]
    }
}

#[tokio::test]
async fn inv_01_to_inv_17_hold_after_any_storm() {
    for seed in 1..=60_u64 {
        storm(seed).await;
    }
}

async fn storm(seed: u64) {
    let mut chance = Chance(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    let mut house = House::new();
    if seed.is_multiple_of(2) {
        hurry_jobs(&mut house);
    }
    let mut running = house.launch();
    let mut gaps = Vec::new();
    for round in 0..ROUNDS {
        for flid in 1..=FLIGHTS {
            house.mailbox.land(letters::flight(round * 100 + flid, flid, &format!("A{round:02}")));
        }
        match chance.below(4) {
            0 => drop(house.mailbox.land(letters::unknown(round * 100 + 90))),
            1 => drop(house.mailbox.land(letters::empty())),
            2 => gaps.push(house.mailbox.open(letters::flight(round * 100 + 91, 50 + round, "B01"))),
            _ => {}
        }
        for _ in 0..chance.below(4) {
            fault(&house, &mut chance);
        }
        for _ in 0..chance.below(12) {
            house.clock.advance(Duration::from_millis(chance.below(900)));
            give_way(chance.below(80)).await;
        }
        if chance.below(3) == 0 {
            running.kill().await;
            running = house.launch();
        }
        if chance.below(2) == 0
            && let Some(open) = gaps.pop()
        {
            house.mailbox.commit(open);
        }
    }
    gaps.into_iter().for_each(|open| house.mailbox.roll_back(open));
    calm(&house, running, seed).await;
    check(&house, seed).await;
}

/// One failure of somebody, at the next call.
fn fault(house: &House, chance: &mut Chance) {
    let words = || "storm".to_owned();
    let verbs = [
        StoreVerb::Cursor,
        StoreVerb::OpenGaps,
        StoreVerb::Enqueue,
        StoreVerb::Head,
        StoreVerb::World,
        StoreVerb::CommitRun,
        StoreVerb::SettleDoubt,
        StoreVerb::DueEvents,
        StoreVerb::SettleEvents,
        StoreVerb::DueMarks,
        StoreVerb::SettleMarks,
        StoreVerb::RenewLease,
        StoreVerb::AcquireLease,
        StoreVerb::Archivable,
        StoreVerb::Archive,
        StoreVerb::ForgetEvents,
    ];
    let writes = [
        StoreVerb::Enqueue,
        StoreVerb::CommitRun,
        StoreVerb::SettleEvents,
        StoreVerb::SettleMarks,
        StoreVerb::Archive,
    ];
    let store = house.store.faults();
    match chance.below(7) {
        0 | 1 => store.fail_next(chance.of(&verbs), StoreError::Unavailable(words())),
        2 => store.lose_answer(chance.of(&writes), StoreError::InDoubt(words())),
        3 => store.fail_next(chance.of(&writes), StoreError::InDoubt(words())),
        4 => store.fail_next(StoreVerb::CommitRun, StoreError::Conflict(words())),
        5 => {
            let verb = chance.of(&[MailboxVerb::Poll, MailboxVerb::Mark]);
            house.mailbox.faults().lose_answer(verb, MailboxError::Unavailable(words()));
        }
        _ => house.sink.lose_answers(1 + usize::try_from(chance.below(3)).expect("small")),
    }
}

async fn give_way(times: u64) {
    for _ in 0..times {
        tokio::task::yield_now().await;
    }
}

/// Lets everything recover, gaps age, and the engine do what is left.
async fn calm(house: &House, running: Running, seed: u64) {
    for _ in 0..STEPS_MAX {
        if let Role::Leader(_) = running.pulse.role()
            && engine::drained(&house.mailbox, &house.store).await == Ok(true)
        {
            running.end().await;
            return;
        }
        house.clock.advance(3 * SECOND);
        give_way(150).await;
    }
    panic!("seed {seed}: not drained: {:?} {:?}", house.queue().await, running.pulse.ready());
}

async fn check(house: &House, seed: u64) {
    for id in house.mailbox.ids() {
        let message = house.message(id.0).await.unwrap_or_else(|| panic!("seed {seed}: {id} is lost"));
        assert!(message.state.is_terminal(), "seed {seed}: {id} is {:?}", message.state);
        assert!(message.marked_at.is_some() && house.marked(id.0), "seed {seed}: {id} has no mark");
        let blamed = message.attempts > 0;
        assert_eq!(blamed, message.state == State::Dead, "seed {seed}: {id} {message:?}");
    }
    for flid in 1..=FLIGHTS {
        assert_eq!(house.version(flid).await, Some(ROUNDS), "seed {seed}: flight {flid}");
    }
    for target in Target::ALL {
        let newest = versions_in_order(&house.sent(target), seed);
        for flid in 1..=FLIGHTS {
            assert_eq!(newest.get(&flid), Some(&ROUNDS), "seed {seed}: {target:?} of flight {flid}");
        }
    }
}

/// The newest version per flight; asserts that what a consumer keeps rises strictly, and that
/// whatever it drops it has seen before (INV-10).
fn versions_in_order(sent: &[String], seed: u64) -> HashMap<i64, i64> {
    let mut newest: HashMap<i64, i64> = HashMap::new();
    let mut seen = std::collections::HashSet::new();
    for id in sent.iter().filter(|id| seen.insert((*id).clone())) {
        let mut parts = id.rsplit('/').map(|part| part.parse::<i64>());
        let (version, flid) = (parts.next(), parts.next());
        let (Some(Ok(version)), Some(Ok(flid))) = (version, flid) else { panic!("seed {seed}: {id}") };
        let before = newest.insert(flid, version).unwrap_or(0);
        assert!(version > before, "seed {seed}: flight {flid} went from {before} to {version}");
    }
    newest
}

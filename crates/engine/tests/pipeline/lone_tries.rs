//! A message that kills the process ends, and innocent ones are never blamed for a process that is
//! killed. Dying is played by an engine that is dropped where it stands, while it reads what the
//! message needs.

use contract::model::StoreVerb;
use domain::MsgId;
use domain::message::{ErrorClass, State};
use engine::ports::{LoneTries as _, Messages as _};

use crate::house::{House, Running, SECOND, until};
use crate::letters;

const DONE: Option<State> = Some(State::Succeeded);
const WAITS: Option<State> = Some(State::Pending);

impl House {
    /// Starts an engine that is the leader at once: the one before is dead and its lease over.
    fn take_over(&self) -> Running {
        self.clock.advance(self.settings.lease_ttl);
        self.launch()
    }

    /// The process dies as soon as it asks for the world of a message.
    async fn dies_in_its_next_run(&self) {
        let _gate = self.store.faults().hold_next(StoreVerb::World);
        let before = self.store.faults().calls(StoreVerb::World);
        let running = self.take_over();
        self.let_pass(|| self.store.faults().calls(StoreVerb::World) > before).await;
        running.kill().await;
    }

    /// Lets time pass until something is so, as waits of the pump need it.
    async fn let_pass(&self, mut so: impl FnMut() -> bool) {
        for _ in 0..400 {
            for _ in 0..200 {
                if so() {
                    return;
                }
                tokio::task::yield_now().await;
            }
            self.clock.advance(SECOND / 20);
        }
        panic!("it never was so");
    }

    async fn noted(&self) -> Option<(i64, u32)> {
        let noted = self.store.lone_try().await.expect("the model answers");
        noted.map(|(id, tries)| (id.0, tries))
    }
}

#[tokio::test]
async fn fc_42_a_message_that_kills_the_process_is_dead_after_three_lone_deaths() {
    let house = House::new();
    for id in 1..=3 {
        house.mailbox.land(letters::schedule(id, id));
    }
    // In a run of three it can't be told who it was.
    house.dies_in_its_next_run().await;
    assert_eq!(house.noted().await, None);
    assert_eq!(house.states([1, 2, 3]).await, [WAITS; 3]);
    // The first is the culprit here: it dies each time while it is tried alone.
    for deaths in 1..=3 {
        house.dies_in_its_next_run().await;
        assert_eq!(house.noted().await, Some((1, deaths)));
        assert_eq!(house.states([1, 2, 3]).await, [WAITS; 3]);
    }
    let running = house.take_over();
    house.let_pass(|| running.pulse.snapshot().facts.processed == 3).await;
    assert_eq!(house.fate(1).await, (State::Dead, 1, Some(ErrorClass::Exhausted)));
    assert_eq!(house.states([2, 3]).await, [DONE; 2], "nobody else is blamed");
    let tries = house.store.attempts(MsgId(1)).await.expect("the model answers");
    assert!(tries[0].error.contains("ended the process 3 times"), "{tries:?}");
    assert_eq!(house.noted().await.filter(|(id, _)| *id == 1), None);
    running.end().await;
}

#[tokio::test]
async fn fc_42_a_process_that_is_killed_again_and_again_blames_no_innocent_message() {
    let house = House::new();
    for id in 1..=3 {
        house.mailbox.land(letters::schedule(id, id));
    }
    house.dies_in_its_next_run().await;
    // Killed while the first is tried alone, and then each time while the pump waits before it tries
    // it again, for as long as somebody likes to kill.
    house.dies_in_its_next_run().await;
    for _ in 0..9 {
        let running = house.take_over();
        let before = house.store.faults().calls(StoreVerb::LoneTry);
        house.let_pass(|| house.store.faults().calls(StoreVerb::LoneTry) > before).await;
        running.kill().await;
        assert_eq!(house.noted().await, Some((1, 1)), "a death in the wait is not held against it");
    }
    let running = house.take_over();
    house.let_pass(|| running.pulse.snapshot().facts.processed == 3).await;
    assert_eq!(house.states([1, 2, 3]).await, [DONE; 3]);
    running.end().await;
}

#[tokio::test]
async fn after_an_unclean_end_messages_are_tried_alone_and_after_a_clean_one_together() {
    for clean in [true, false] {
        let house = House::new();
        if clean {
            house.start().await.end().await;
        }
        for id in 1..=4 {
            house.mailbox.land(letters::schedule(id, id));
        }
        if !clean {
            house.dies_in_its_next_run().await;
        }
        let before = house.store.faults().calls(StoreVerb::CommitRun);
        let running = house.take_over();
        house.let_pass(|| running.pulse.snapshot().facts.processed == 4).await;
        let commits = house.store.faults().calls(StoreVerb::CommitRun) - before;
        assert_eq!(commits, if clean { 1 } else { 4 }, "clean: {clean}");
        // An empty queue ends the careful time.
        house.let_pass(|| house.marked(4)).await;
        house.pass(2 * SECOND).await;
        assert_eq!(house.noted().await, None);
        let before = house.store.faults().calls(StoreVerb::CommitRun);
        for id in 5..=8 {
            house.mailbox.land(letters::schedule(id, id));
        }
        house.let_pass(|| running.pulse.snapshot().facts.processed == 8).await;
        assert_eq!(house.store.faults().calls(StoreVerb::CommitRun) - before, 1);
        running.end().await;
    }
}

#[tokio::test]
async fn a_lone_message_that_fails_is_not_held_to_have_killed() {
    let house = House::new();
    house.mailbox.land(letters::unknown(1));
    house.dies_in_its_next_run().await;
    let running = house.take_over();
    let failed = |running: &Running| running.pulse.snapshot().head.is_some_and(|head| head.class.is_some());
    house.let_pass(|| failed(&running)).await;
    until(|| house.store.faults().calls(StoreVerb::ForgetLoneTry) > 0).await;
    assert_eq!(house.noted().await, None, "it failed, and the process lives");
    running.kill().await;
    let running = house.take_over();
    house.let_pass(|| running.pulse.snapshot().facts.processed == 1).await;
    assert_eq!(house.fate(1).await, (State::Dead, 2, Some(ErrorClass::Exhausted)));
    let tries = house.store.attempts(MsgId(1)).await.expect("the model answers");
    assert!(tries.iter().all(|attempt| attempt.class == ErrorClass::Unsupported), "{tries:?}");
    running.end().await;
}

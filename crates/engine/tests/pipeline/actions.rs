//! What operators do while the engine works: replays keep the order and blame nobody twice, pauses hold.

use contract::model::StoreVerb;
use domain::MsgId;
use domain::lifecycle::{Act, Pausable};
use domain::message::{ErrorClass, State};
use engine::lifecycle::{ActionError, Tools, carry_out, freeze, look_ahead, plan};
use engine::ports::{
    Actions as _, Filter, Messages as _, Operation, PauseOrder, PauseWhat, Pauses as _, Progress, Selection,
    StoreError,
};

use crate::house::{House, MINUTE, SECOND};
use crate::letters;

const DONE: Option<State> = Some(State::Succeeded);
const WAITS: Option<State> = Some(State::Pending);

impl House {
    fn operation(&self, id: &str, act: Act) -> Operation {
        let (by, reason) = ("ann".to_owned(), "mended".to_owned());
        let at = engine::ports::Clock::wall(&self.clock);
        Operation { id: id.into(), act, by, reason, selection: "some".into(), at }
    }

    /// Plans, freezes and carries out, as the command line does.
    async fn act(&self, id: &str, act: Act, selection: Selection) -> Result<Progress, ActionError> {
        let operation = self.operation(id, act);
        let plan = plan(&self.store, act, &selection).await?;
        freeze(&self.store, &operation, &plan).await?;
        self.go_on(&operation).await
    }

    async fn go_on(&self, operation: &Operation) -> Result<Progress, ActionError> {
        let bodies = self.settings.discovery.bodies;
        let tools = Tools { mailbox: &self.mailbox, store: &self.store, clock: &self.clock, bodies };
        carry_out(&tools, operation, |_| {}).await?;
        Ok(self.store.operation(&operation.id).await?.expect("it was frozen"))
    }

    pub(crate) async fn pause(&self, id: &str, room: Pausable, what: PauseWhat) {
        let (by, reason) = ("ann".to_owned(), "cut-over".to_owned());
        let at = engine::ports::Clock::wall(&self.clock);
        let order = PauseOrder { operation: id.into(), room, by, reason, at, what };
        assert_eq!(self.store.set_pause(&order).await, Ok(true));
    }

    /// The letter dies of what the store says to it.
    async fn kill_letter(&self, letter: engine::ports::NewLetter) {
        self.store.faults().fail_next(StoreVerb::CommitRun, StoreError::Data("22001".to_owned()));
        self.post([letter]).await;
    }
}

fn ids<const N: usize>(ids: [i64; N]) -> Selection {
    Selection::Ids(ids.to_vec())
}

fn all() -> Selection {
    Selection::Filter(Filter::default())
}

/// A house in which one refusal by the store kills.
fn strict_house() -> House {
    let mut house = House::new();
    house.settings.policy.max_attempts = 1;
    house
}

#[tokio::test]
async fn fc_73_a_replay_that_fails_is_dead_again_and_every_try_is_kept() {
    let house = House::new();
    let running = house.start().await;
    house.post([letters::unknown(1), letters::schedule(2, 2)]).await;
    house.pass(2 * SECOND).await;
    assert_eq!(house.fate(1).await, (State::Dead, 2, Some(ErrorClass::Exhausted)));
    assert!(house.marked(1));
    let replayed = house.act("one", Act::Replay, ids([1])).await.expect("carries out");
    assert_eq!((replayed.done, replayed.refused), (1, 0));
    house.pass(2 * SECOND).await;
    assert_eq!(house.fate(1).await, (State::Dead, 3, Some(ErrorClass::Exhausted)), "one attempt");
    let tries = house.store.attempts(MsgId(1)).await.expect("the model answers");
    let told: Vec<_> = tries.iter().map(|one| (one.attempt, one.class)).collect();
    let class = ErrorClass::Unsupported;
    assert_eq!(told, [(1, class), (2, class), (3, class)], "first and last, and all between");
    assert!(tries.iter().all(|one| !one.error.is_empty()));
    // It is open for another replay.
    let again = house.act("two", Act::Replay, all()).await.expect("carries out");
    assert_eq!(again.done, 1);
    running.end().await;
}

#[tokio::test]
async fn fc_70_a_replay_sets_only_what_nothing_newer_has_set() {
    let house = strict_house();
    let running = house.start().await;
    house.post([letters::flight(1, 7, "A01")]).await;
    house.kill_letter(letters::flight(2, 7, "B02")).await;
    house.kill_letter(letters::estimate(3, 7)).await;
    house.post([letters::flight(4, 7, "C03")]).await;
    let dead = Some(State::Dead);
    assert_eq!(house.states([2, 3, 4]).await, [dead, dead, DONE]);
    let before = house.version(7).await.expect("the flight");
    let at = engine::ports::Clock::wall(&house.clock);
    let ahead = look_ahead(&house.store, &[MsgId(2), MsgId(3)], &house.settings.policy, at).await;
    let ahead = ahead.expect("the model answers");
    let told: Vec<_> = ahead.changes.iter().map(|step| (step.msg_id.0, step.flid.0)).collect();
    assert_eq!(told, [(3, 7)], "the older stand would change nothing, the estimate would");
    let changes = ahead.changes[0].public_changes(house.settings.policy.dictionary).expect("readable");
    assert_eq!(changes.len(), 1, "{changes:?}");
    assert_eq!(changes[0]["field"], "estimatedTime");
    assert_eq!(house.states([2, 3]).await, [dead, dead], "nothing was written");
    house.act("both", Act::Replay, all()).await.expect("carries out");
    house.pass(2 * SECOND).await;
    assert_eq!(house.states([2, 3]).await, [DONE, DONE]);
    let flight = engine::ports::Views::flight(&house.store, domain::Flid(7)).await.expect("answers");
    let flight = flight.expect("the flight");
    assert_eq!(flight.stand(), Some("C03"));
    assert!(flight.estimated_time().is_some());
    assert_eq!(flight.state_version, before + 1, "above everything that was sent");
    running.end().await;
}

#[tokio::test]
async fn fc_46_a_replayed_message_is_the_head_and_holds_up_what_lies_behind_it() {
    let house = strict_house();
    let running = house.start().await;
    house.kill_letter(letters::schedule(1, 1)).await;
    house.pause("p", Pausable::Pump, PauseWhat::Pause { until: None }).await;
    house.pass(2 * SECOND).await;
    house.post([letters::schedule(2, 2)]).await;
    house.act("r", Act::Replay, ids([1])).await.expect("carries out");
    let head = house.queue().await.head.expect("a head");
    assert_eq!((head.msg_id, head.state), (MsgId(1), State::Pending));
    house.pause("q", Pausable::Pump, PauseWhat::Resume).await;
    house.pass(2 * SECOND).await;
    assert_eq!(house.states([1, 2]).await, [DONE, DONE]);
    running.end().await;
}

#[tokio::test]
async fn fc_47_a_failed_head_in_back_off_is_tried_at_once_when_an_operator_says_so() {
    let mut house = House::new();
    house.settings.policy.backoff.first = 60 * MINUTE;
    house.settings.policy.backoff.cap = 60 * MINUTE;
    let running = house.start().await;
    house.post([letters::unknown(1), letters::schedule(2, 2)]).await;
    house.pass(MINUTE).await;
    assert_eq!(house.fate(1).await, (State::Failed, 1, Some(ErrorClass::Unsupported)));
    assert_eq!(house.states([2]).await, [WAITS], "blocked");
    house.act("now", Act::Replay, ids([1])).await.expect("carries out");
    house.pass(SECOND).await;
    assert_eq!(house.fate(1).await.0, State::Dead, "tried, and out of tries");
    assert_eq!(house.states([2]).await, [DONE], "unblocked within one look");
    running.end().await;
}

#[tokio::test]
async fn c_27_a_skipped_head_lets_the_queue_go_on_and_is_marked() {
    let mut house = House::new();
    house.settings.policy.backoff.first = 60 * MINUTE;
    house.settings.policy.backoff.cap = 60 * MINUTE;
    let running = house.start().await;
    house.post([letters::unknown(1), letters::schedule(2, 2)]).await;
    house.act("skip", Act::Skip, ids([1])).await.expect("carries out");
    house.pass(2 * SECOND).await;
    assert_eq!(house.states([1, 2]).await, [Some(State::Skipped), DONE]);
    assert!(house.marked(1));
    running.end().await;
}

#[tokio::test]
async fn clm_05_a_replay_needs_no_row_in_the_mailbox_and_owes_no_second_mark() {
    let house = strict_house();
    let running = house.start().await;
    house.kill_letter(letters::schedule(1, 1)).await;
    assert!(house.marked(1));
    house.mailbox.delete(MsgId(1));
    house.act("r", Act::Replay, ids([1])).await.expect("carries out");
    house.pass(2 * SECOND).await;
    assert_eq!(house.states([1]).await, [DONE]);
    assert_eq!(house.message(1).await.expect("is there").abandoned_reason, None, "no mark was tried");
    running.end().await;
}

#[tokio::test]
async fn inv_09_a_replay_whose_key_was_taken_ends_as_the_duplicate_of_who_took_it() {
    let house = strict_house();
    let running = house.start().await;
    house.kill_letter(letters::schedule(1, 1)).await;
    house.post([letters::schedule(1, 1)]).await;
    assert_eq!(house.states([1, 2]).await, [Some(State::Dead), DONE]);
    house.act("r", Act::Replay, ids([1])).await.expect("carries out");
    house.pass(2 * SECOND).await;
    let message = house.message(1).await.expect("is there");
    assert_eq!((message.state, message.last_error.as_deref()), (State::Skipped, Some("duplicate-of:2")));
    running.end().await;
}

#[tokio::test]
async fn inv_03_an_admitted_late_row_is_read_from_the_mailbox_and_processed() {
    let house = House::new();
    let running = house.start().await;
    for id in [1, 4] {
        house.mailbox.land(letters::at(id, letters::schedule(id, id)));
    }
    house.pass(6 * MINUTE).await;
    for id in [2, 3] {
        house.mailbox.land(letters::at(id, letters::schedule(id, id)));
    }
    house.pass(MINUTE).await;
    assert_eq!(house.states([1, 2, 3, 4]).await, [DONE, None, None, DONE]);
    house.mailbox.delete(MsgId(3));
    let admitted = house.act("admit", Act::Admit, ids([2, 3])).await.expect("carries out");
    assert_eq!((admitted.done, admitted.refused), (1, 1), "one of them is gone");
    let dismissed = house.act("dismiss", Act::Dismiss, ids([3])).await.expect("carries out");
    assert_eq!(dismissed.done, 1);
    house.pass(MINUTE).await;
    assert_eq!(house.states([2, 3]).await, [DONE, None]);
    assert!(house.marked(2));
    running.end().await;
}

#[tokio::test]
async fn us_11_an_operation_that_broke_off_goes_on_and_given_twice_it_changes_nothing() {
    let house = strict_house();
    let running = house.start().await;
    for id in 1..=250 {
        house.kill_letter(letters::schedule(id, id)).await;
    }
    house.pause("p", Pausable::Pump, PauseWhat::Pause { until: None }).await;
    house.pass(2 * SECOND).await;
    let operation = house.operation("bulk", Act::Replay);
    let plan = plan(&house.store, Act::Replay, &all()).await.expect("the model answers");
    assert_eq!(plan.allowed.len(), 250);
    freeze(&house.store, &operation, &plan).await.expect("freezes");
    // The connection breaks at the second batch, whose commit took place.
    house.store.faults().lose_answer(StoreVerb::CarryOut, StoreError::Unavailable("gone".to_owned()));
    house.go_on(&operation).await.expect_err("broke off");
    let ended = house.act("bulk", Act::Replay, all()).await.expect("goes on");
    assert_eq!((ended.targets, ended.done, ended.open()), (250, 250, 0));
    let log = house.store.audit(&engine::ports::AuditFilter::default(), 1_000).await.expect("answers");
    let replays = log.iter().filter(|entry| entry.act == Act::Replay);
    let mut seen: Vec<&str> = replays.map(|entry| entry.target_id.as_str()).collect();
    assert_eq!(seen.len(), 250, "each once");
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), 250);
    let other = house.act("bulk", Act::Skip, all()).await;
    assert!(matches!(other, Err(ActionError::OtherOperation { .. })), "{other:?}");
    running.end().await;
}

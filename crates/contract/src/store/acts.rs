//! How operator actions are given in cases: what they meet, how they are frozen and carried out.

use domain::MsgId;
use domain::lifecycle::Act;
use domain::message::{Conclusion, ErrorClass, Settled, State};
use engine::ports::{
    Batch, Done, FrozenTarget, MarkSettled, MarkVerdict, Operation, Outcome, Selection, Store, Views,
};

use crate::sample::{at, key, row, tried};

/// Dead after two tries, holding its key.
pub(super) fn dead(id: i64, class: ErrorClass, error: &str) -> Settled {
    let conclusion = Conclusion::Dead { class, error: error.into() };
    let attempt_failure = Some((ErrorClass::CodecError, error.to_owned()));
    Settled { attempts: 2, attempt_failure, identity: Some(key(id)), ..tried(id, conclusion) }
}

pub(super) fn exhausted(id: i64) -> Settled {
    dead(id, ErrorClass::Exhausted, "CODEC_ERROR at attempt 2 of 2: DTTM")
}

pub(super) fn failed(id: i64) -> Settled {
    let conclusion = Conclusion::Failed { class: ErrorClass::Infra, error: "22001".into(), due: at(9_999) };
    Settled { attempts: 1, ..tried(id, conclusion) }
}

pub(super) fn operation(id: &str, act: Act) -> Operation {
    let (by, reason) = ("ann".to_owned(), "cut-over 港".to_owned());
    Operation { id: id.into(), act, by, reason, selection: "some".into(), at: at(10) }
}

pub(super) async fn frozen(store: &impl Store, act: Act, selection: &Selection) -> Vec<FrozenTarget> {
    let selected = store.select(act, selection, i64::MIN, 1_000).await.expect("answers");
    selected.iter().map(|target| FrozenTarget { id: target.id, seen: target.facts.seen(act) }).collect()
}

pub(super) async fn carry_out(store: &impl Store, operation: &str, at_second: i64) -> Vec<Done> {
    let ids = store.open_targets(operation, 1_000).await.expect("answers");
    let landed = ids.iter().map(|id| row(*id)).filter(|row| row.id.0 % 2 == 0).collect();
    let batch = Batch { operation: operation.into(), ids, landed, at: at(at_second) };
    store.carry_out(&batch).await.expect("carries out")
}

/// Freezes `ids` under the act's name and carries all of it out.
pub(super) async fn act(store: &impl Store, act: Act, ids: &[i64]) -> Vec<Done> {
    let targets = frozen(store, act, &Selection::Ids(ids.to_vec())).await;
    store.confirm(&operation(act.as_str(), act), &targets).await.expect("freezes");
    carry_out(store, act.as_str(), 10).await
}

pub(super) fn outcomes(done: &[Done]) -> Vec<(i64, Outcome)> {
    done.iter().map(|done| (done.id, done.outcome)).collect()
}

pub(super) async fn state(store: &impl Views, id: i64) -> (State, u32, Option<ErrorClass>) {
    let message = store.message(MsgId(id)).await.expect("answers").expect("is there");
    (message.state, message.attempts, message.class)
}

pub(super) async fn due_marks(store: &impl Store) -> Vec<i64> {
    let due = store.due_marks(at(100_000), 100).await.expect("answers");
    due.iter().map(|mark| mark.msg_id.0).collect()
}

pub(super) async fn mark(store: &impl Store, id: i64, verdict: MarkVerdict) {
    store.settle_marks(&[MarkSettled { msg_id: MsgId(id), verdict }], at(5)).await.expect("settles");
}

pub(super) fn abandoned(reason: &'static str) -> MarkVerdict {
    MarkVerdict::Abandoned { reason, error: String::new() }
}

//! Operator actions: conditional, repeatable, audited.

use domain::MsgId;
use domain::event::Target as Topic;
use domain::lifecycle::{Act, Facts, Target};
use domain::message::{Conclusion, ErrorClass, Settled, State};
use engine::ports::{
    Actions, Archive, AuditFilter, Batch, Done, EventSettled, EventVerdict, Filter, FrozenTarget,
    MarkSettled, MarkVerdict, Operation, Outcome, Selection, Store, Views,
};

use super::{end, head_ids, queued, run};
use crate::sample::{at, event, key, row, succeeded, tried};

const LIKE_CODEC: &str = "codec_error at%";

/// Dead after two tries, holding its key.
fn dead(id: i64, class: ErrorClass, error: &str) -> Settled {
    let conclusion = Conclusion::Dead { class, error: error.into() };
    let attempt_failure = Some((ErrorClass::CodecError, error.to_owned()));
    Settled { attempts: 2, attempt_failure, identity: Some(key(id)), ..tried(id, conclusion) }
}

fn exhausted(id: i64) -> Settled {
    dead(id, ErrorClass::Exhausted, "CODEC_ERROR at attempt 2 of 2: DTTM")
}

fn failed(id: i64) -> Settled {
    let conclusion = Conclusion::Failed { class: ErrorClass::Infra, error: "22001".into(), due: at(9_999) };
    Settled { attempts: 1, ..tried(id, conclusion) }
}

fn operation(id: &str, act: Act) -> Operation {
    let (by, reason) = ("ann".to_owned(), "cut-over 港".to_owned());
    Operation { id: id.into(), act, by, reason, selection: "some".into(), at: at(10) }
}

async fn frozen(store: &impl Store, act: Act, selection: &Selection) -> Vec<FrozenTarget> {
    let selected = store.select(act, selection, i64::MIN, 1_000).await.expect("answers");
    selected.iter().map(|target| FrozenTarget { id: target.id, seen: target.facts.seen(act) }).collect()
}

async fn carry_out(store: &impl Store, operation: &str, at_second: i64) -> Vec<Done> {
    let ids = store.open_targets(operation, 1_000).await.expect("answers");
    let landed = ids.iter().map(|id| row(*id)).filter(|row| row.id.0 % 2 == 0).collect();
    let batch = Batch { operation: operation.into(), ids, landed, at: at(at_second) };
    store.carry_out(&batch).await.expect("carries out")
}

/// Freezes `ids` under the act's name and carries all of it out.
async fn act(store: &impl Store, act: Act, ids: &[i64]) -> Vec<Done> {
    let targets = frozen(store, act, &Selection::Ids(ids.to_vec())).await;
    store.confirm(&operation(act.as_str(), act), &targets).await.expect("freezes");
    carry_out(store, act.as_str(), 10).await
}

fn outcomes(done: &[Done]) -> Vec<(i64, Outcome)> {
    done.iter().map(|done| (done.id, done.outcome)).collect()
}

async fn state(store: &impl Views, id: i64) -> (State, u32, Option<ErrorClass>) {
    let message = store.message(MsgId(id)).await.expect("answers").expect("is there");
    (message.state, message.attempts, message.class)
}

async fn due_marks(store: &impl Store) -> Vec<i64> {
    let due = store.due_marks(at(100_000), 100).await.expect("answers");
    due.iter().map(|mark| mark.msg_id.0).collect()
}

async fn mark(store: &impl Store, id: i64, verdict: MarkVerdict) {
    store.settle_marks(&[MarkSettled { msg_id: MsgId(id), verdict }], at(5)).await.expect("settles");
}

fn abandoned(reason: &'static str) -> MarkVerdict {
    MarkVerdict::Abandoned { reason, error: String::new() }
}

cases! { $ store_actions_cases: StoreHarness in store::actions;
    async fn us_09_a_replayed_dead_letter_is_the_head_again_with_its_attempts(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        end(store, epoch, [exhausted(1), dead(2, ErrorClass::Malformed, "no root")]).await;
        let done = act(store, Act::Replay, &[2, 1, 77]).await;
        assert_eq!(outcomes(&done), [(1, Outcome::Done), (2, Outcome::Refused), (77, Outcome::Refused)]);
        assert_eq!(head_ids(store).await, [1, 3], "below W and first");
        let head = store.head(1, 1 << 20).await.expect("answers");
        assert_eq!((head[0].state, head[0].attempts, head[0].due), (State::Pending, 2, None));
        assert_eq!(head[0].body, row(1).body, "from the own store, whatever became of the mailbox");
        assert_eq!(due_marks(store).await, [2], "what has no end is not marked (INV-8)");
        assert_eq!(store.attempts(MsgId(1)).await.expect("answers").len(), 1, "its tries are kept");
        let again = dead(1, ErrorClass::Exhausted, "CODEC_ERROR at its one attempt of a replay: DTTM");
        end(store, epoch, [Settled { attempts_seen: 2, attempts: 3, ..again }]).await;
        assert_eq!(state(store, 1).await, (State::Dead, 3, Some(ErrorClass::Exhausted)));
        let tries = store.attempts(MsgId(1)).await.expect("answers");
        assert_eq!(tries.iter().map(|attempt| attempt.attempt).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(due_marks(store).await, [1, 2]);
    }

    async fn inv_08_a_message_that_was_marked_owes_no_second_mark_after_its_replay(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        end(store, epoch, [exhausted(1), exhausted(2)]).await;
        mark(store, 1, MarkVerdict::Done).await;
        mark(store, 2, abandoned("MISSING_ROW")).await;
        act(store, Act::Replay, &[1, 2]).await;
        end(store, epoch, [1, 2].map(|id| Settled { attempts_seen: 2, attempts: 2, ..succeeded(id) })).await;
        assert_eq!(due_marks(store).await, [0_i64; 0]);
        let [first, second] = [1, 2].map(|id| store.message(MsgId(id)));
        assert_eq!(first.await.expect("answers").expect("is there").marked_at, Some(at(5)));
        let reason = second.await.expect("answers").expect("is there").abandoned_reason;
        assert_eq!(reason.as_deref(), Some("MISSING_ROW"));
    }

    async fn fc_47_a_failed_head_in_back_off_is_due_at_once(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        end(store, epoch, [failed(1)]).await;
        let done = act(store, Act::Replay, &[1, 2]).await;
        assert_eq!(outcomes(&done), [(1, Outcome::Done), (2, Outcome::Refused)]);
        let head = store.head(1, 1 << 20).await.expect("answers");
        assert_eq!((head[0].state, head[0].attempts, head[0].due), (State::Failed, 1, Some(at(10))));
    }

    async fn c_27_a_skipped_message_says_who_and_why_and_gives_up_its_identity(subject) {
        let store = subject.store();
        let epoch = queued(store, 4).await;
        end(store, epoch, [exhausted(1), succeeded(2)]).await;
        end(store, epoch, [failed(3)]).await;
        let done = act(store, Act::Skip, &[1, 2, 3, 4]).await;
        let expected =
            [(1, Outcome::Done), (2, Outcome::Refused), (3, Outcome::Done), (4, Outcome::Refused)];
        assert_eq!(outcomes(&done), expected);
        for id in [1, 3] {
            let message = store.message(MsgId(id)).await.expect("answers").expect("is there");
            assert_eq!((message.state, message.class), (State::Skipped, None));
            assert_eq!(message.last_error.as_deref(), Some("operator:ann: cut-over 港"));
        }
        assert_eq!(head_ids(store).await, [4], "nothing is blocked any more");
        assert_eq!(due_marks(store).await, [1, 2, 3], "an end owes a mark (INV-8)");
        let world = store.world(&[key(1)], &[]).await.expect("answers");
        assert_eq!(world.holders, [], "what comes with it later is no duplicate");
        let kinds = store.message_kinds().await.expect("answers");
        let skipped = kinds.iter().find(|kind| kind.state == State::Skipped).expect("is counted");
        assert_eq!((skipped.count, skipped.kind.as_str(), skipped.class), (2, "FLOP", None));
    }

    async fn inv_07_clm_04_an_overdue_mark_is_owed_again_and_reconciling_takes_it_off_the_list(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        end(store, epoch, (1..=3).map(succeeded)).await;
        mark(store, 1, abandoned("OVERDUE")).await;
        mark(store, 2, abandoned("MISSING_ROW")).await;
        mark(store, 3, MarkVerdict::Done).await;
        let listed = Selection::Filter(Filter::default());
        let ids = |targets: Vec<FrozenTarget>| targets.iter().map(|target| target.id).collect::<Vec<_>>();
        assert_eq!(ids(frozen(store, Act::Reconcile, &listed).await), [1, 2]);
        let done = act(store, Act::RetryMark, &[1, 2, 3]).await;
        assert_eq!(outcomes(&done), [(1, Outcome::Done), (2, Outcome::Refused), (3, Outcome::Refused)]);
        assert_eq!(due_marks(store).await, [1]);
        assert_eq!(ids(frozen(store, Act::Reconcile, &listed).await), [2]);
        let done = act(store, Act::Reconcile, &[1, 2, 3]).await;
        assert_eq!(outcomes(&done), [(1, Outcome::Refused), (2, Outcome::Done), (3, Outcome::Refused)]);
        assert_eq!(ids(frozen(store, Act::Reconcile, &listed).await), [0_i64; 0]);
        let facts = store.select(Act::Reconcile, &Selection::Ids(vec![2]), 0, 9).await.expect("answers");
        assert_eq!(facts[0].facts.seen(Act::Reconcile), "mark given up and reconciled");
    }

    async fn inv_03_a_late_row_is_taken_up_when_an_operator_admits_it(subject) {
        let store = subject.store();
        queued(store, 3).await;
        store.enqueue(super::lead_epoch(store).await, &super::enqueue(3, 9, vec![row(9)])).await.expect("enqueues");
        assert_eq!(store.record_late(&[MsgId(4), MsgId(5), MsgId(6)], at(3)).await.map(|ids| ids.len()), Ok(3));
        // The mailbox of this test has the even IDs.
        let done = act(store, Act::Admit, &[4, 5, 7]).await;
        assert_eq!(outcomes(&done), [(4, Outcome::Done), (5, Outcome::Refused), (7, Outcome::Refused)]);
        assert!(done[1].detail.contains("gone from the mailbox"), "{:?}", done[1]);
        assert_eq!(head_ids(store).await, [1, 2, 3, 4, 9]);
        let head = store.head(9, 1 << 20).await.expect("answers");
        assert_eq!((head[3].enqueued_at, &head[3].body), (at(10), &row(4).body), "enqueued now");
        let done = act(store, Act::Dismiss, &[4, 5, 6]).await;
        assert_eq!(outcomes(&done), [(4, Outcome::Refused), (5, Outcome::Done), (6, Outcome::Done)]);
        assert_eq!(store.gaps().await.expect("answers").late, 0, "all of them are decided");
        assert_eq!(store.record_late(&[MsgId(4), MsgId(5)], at(20)).await, Ok(vec![]), "and stay so");
    }

    async fn a_dead_event_goes_out_late_with_its_version_or_is_given_up(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        let events = [7, 8, 9].map(|flid| event(Topic::Msg, flid, 3, 1)).to_vec();
        let effects = domain::decide::Effects { events, ..run([succeeded(1)]) };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        let due = store.due_events(Topic::Msg, at(3), 9).await.expect("answers");
        let verdict = || EventVerdict::Dead { error: "too large".into(), attempts: 5 };
        let settled = [0, 1].map(|index: usize| EventSettled {
            event_id: due[index].event_id,
            state_version: 3,
            verdict: verdict(),
        });
        store.settle_events(epoch, &settled, at(3)).await.expect("settles");
        let ids: Vec<i64> = due.iter().map(|event| event.event_id.0).collect();
        let dead = Selection::Filter(Filter { reason_like: Some("%LARGE".into()), ..Filter::default() });
        assert_eq!(frozen(store, Act::RetryEvent, &dead).await.len(), 2);
        let done = act(store, Act::RetryEvent, &[ids[0], ids[2]]).await;
        assert_eq!(outcomes(&done), [(ids[0], Outcome::Done), (ids[2], Outcome::Refused)]);
        let done = act(store, Act::DiscardEvent, &ids).await;
        let expected = [(ids[0], Outcome::Refused), (ids[1], Outcome::Done), (ids[2], Outcome::Refused)];
        assert_eq!(outcomes(&done), expected);
        let due = store.due_events(Topic::Msg, at(20), 9).await.expect("answers");
        let told: Vec<_> =
            due.iter().map(|event| (event.flid.0, event.state_version, event.attempts, event.is_late)).collect();
        assert_eq!(told, [(7, 3, 5, true), (9, 3, 0, false)], "one attempt, and it says that it is late");
        let dead = store.outbox().await.expect("answers").iter().map(|count| count.dead).sum::<u64>();
        assert_eq!(dead, 0, "a discarded event is on no list");
    }

    async fn a_newer_state_is_not_late_although_an_older_one_was_retried(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        let schd = |version, by| domain::decide::Effects {
            events: vec![event(Topic::Schd, 7, version, by)],
            ..run([succeeded(by)])
        };
        store.commit_run(epoch, &schd(1, 1), at(2)).await.expect("commits");
        let event_id = store.due_events(Topic::Schd, at(3), 9).await.expect("answers")[0].event_id;
        let verdict = EventVerdict::Dead { error: "too large".into(), attempts: 5 };
        let settled = EventSettled { event_id, state_version: 1, verdict };
        store.settle_events(epoch, &[settled], at(3)).await.expect("settles");
        act(store, Act::RetryEvent, &[event_id.0]).await;
        store.commit_run(epoch, &schd(2, 2), at(4)).await.expect("commits");
        let due = store.due_events(Topic::Schd, at(5), 9).await.expect("answers");
        assert_eq!((due[0].state_version, due[0].is_late), (2, false));
    }

    async fn us_11_a_selection_is_frozen_when_confirmed_and_each_target_is_done_once(subject) {
        let store = subject.store();
        let epoch = queued(store, 5).await;
        end(store, epoch, [1, 2, 3].map(exhausted)).await;
        let all = Selection::Filter(Filter::default());
        let targets = frozen(store, Act::Replay, &all).await;
        let begun = store.confirm(&operation("op", Act::Replay), &targets).await.expect("freezes");
        assert_eq!((begun.targets, begun.open()), (3, 3));
        end(store, epoch, [exhausted(4)]).await;
        // Given again with what matches by now: the first selection stays.
        let more = frozen(store, Act::Replay, &all).await;
        assert_eq!(more.len(), 4);
        let kept = store.confirm(&operation("op", Act::Replay), &more).await.expect("finds it");
        assert_eq!((kept.targets, &kept.operation), (3, &begun.operation));
        // Killed after the first of them.
        let batch = Batch { operation: "op".into(), ids: vec![1], landed: vec![], at: at(10) };
        assert_eq!(store.carry_out(&batch).await.map(|done| done.len()), Ok(1));
        // It dies again before the rest is done: not once more.
        let again = Settled { attempts_seen: 2, attempts: 3, ..exhausted(1) };
        end(store, epoch, [again]).await;
        assert_eq!(outcomes(&carry_out(store, "op", 11).await), [(2, Outcome::Done), (3, Outcome::Done)]);
        assert_eq!(carry_out(store, "op", 12).await, []);
        assert_eq!(store.carry_out(&batch).await, Ok(vec![]), "a target that is done stays as it is");
        assert_eq!(state(store, 1).await.1, 3);
        assert_eq!(state(store, 4).await.0, State::Dead, "what matched later is untouched");
        assert_eq!(head_ids(store).await, [2, 3, 5]);
        let ended = store.operation("op").await.expect("answers").expect("is kept");
        assert_eq!((ended.done, ended.refused, ended.open()), (3, 0, 0));
        assert_eq!(store.operation("another").await, Ok(None));
        assert_eq!(store.carry_out(&Batch { operation: "another".into(), ..batch }).await, Ok(vec![]));
    }

    async fn what_changed_between_selection_and_act_is_refused(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        end(store, epoch, [exhausted(1), exhausted(2)]).await;
        let targets = frozen(store, Act::Replay, &Selection::Ids(vec![1, 2])).await;
        store.confirm(&operation("late", Act::Replay), &targets).await.expect("freezes");
        act(store, Act::Replay, &[1]).await;
        end(store, epoch, [Settled { attempts_seen: 2, attempts: 3, ..exhausted(1) }]).await;
        mark(store, 2, MarkVerdict::Done).await;
        let done = carry_out(store, "late", 12).await;
        assert_eq!(outcomes(&done), [(1, Outcome::Refused), (2, Outcome::Done)], "a mark changes nothing");
        assert!(done[0].detail.contains("changed since it was selected"), "{:?}", done[0]);
    }

    async fn filters_find_dead_letters_by_what_is_known_of_them(subject) {
        let store = subject.store();
        let epoch = queued(store, 5).await;
        let labelled = |id, subtype: &str| {
            let mut one = exhausted(id);
            one.labels.subtype = Some(subtype.into());
            one.labels.sender = Some("AODB".into());
            one
        };
        let broken = dead(3, ErrorClass::Malformed, "no root");
        end(store, epoch, [labelled(1, "GTDT"), labelled(2, "STND"), broken, succeeded(4)]).await;
        end(store, epoch, [failed(5)]).await;
        let f = Filter::default;
        let text = |text: &str| Some(text.to_owned());
        for (filter, expected) in [
            (f(), vec![1, 2, 3]),
            (Filter { class: Some(ErrorClass::Exhausted), ..f() }, vec![1, 2]),
            (Filter { kind: text("FLOP"), subtype: text("STND"), ..f() }, vec![2]),
            (Filter { sender: text("AODB"), first: Some(2), ..f() }, vec![2]),
            (Filter { sender: text("ELSE"), ..f() }, vec![]),
            (Filter { last: Some(1), ..f() }, vec![1]),
            (Filter { since: Some(at(1)), until: Some(at(2)), ..f() }, vec![1, 2, 3]),
            (Filter { since: Some(at(2)), ..f() }, vec![]),
            (Filter { until: Some(at(1)), ..f() }, vec![]),
            (Filter { reason_like: text(LIKE_CODEC), ..f() }, vec![1, 2]),
            (Filter { reason_like: text("%ROOT"), ..f() }, vec![3]),
            (Filter { state: Some(State::Failed), ..f() }, vec![5]),
            (Filter { state: Some(State::Succeeded), ..f() }, vec![]),
        ] {
            let found = frozen(store, Act::Replay, &Selection::Filter(filter.clone())).await;
            assert_eq!(found.iter().map(|target| target.id).collect::<Vec<_>>(), expected, "{filter:?}");
        }
        let page = store.select(Act::Replay, &Selection::Filter(f()), 1, 1).await.expect("answers");
        assert_eq!(page.iter().map(|target| target.id).collect::<Vec<_>>(), [2], "behind one ID");
        assert_eq!((page[0].kind.as_deref(), page[0].subtype.as_deref()), (Some("FLOP"), Some("STND")));
        let ids = store.select(Act::Skip, &Selection::Ids(vec![9, 5, 5]), 0, 9).await.expect("answers");
        assert_eq!((ids.len(), &ids[1].facts), (2, &Facts::Missing));
    }

    async fn every_act_is_in_the_audit_log_with_who_when_why_and_what_came_of_it(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        end(store, epoch, [exhausted(1), dead(2, ErrorClass::Protocol, "RECS")]).await;
        act(store, Act::Replay, &[1, 2]).await;
        act(store, Act::Skip, &[2]).await;
        let all = store.audit(&AuditFilter::default(), 10).await.expect("answers");
        assert_eq!(all.len(), 3);
        assert_eq!((all[0].act, all[0].target_id.as_str()), (Act::Skip, "2"), "newest first");
        let of_second = AuditFilter { target: Some((Target::Message, "2".into())), ..AuditFilter::default() };
        let of_second = store.audit(&of_second, 10).await.expect("answers");
        let told: Vec<_> = of_second.iter().map(|entry| (entry.act, entry.outcome)).collect();
        assert_eq!(told, [(Act::Skip, Outcome::Done), (Act::Replay, Outcome::Refused)]);
        assert!(of_second[1].detail.contains("PROTOCOL"), "{}", of_second[1].detail);
        let first = all.iter().find(|entry| entry.target_id == "1").expect("is there");
        assert_eq!((first.by.as_str(), first.reason.as_str()), ("ann", "cut-over 港"));
        assert_eq!((first.at, first.operation.as_str()), (at(10), "replay"));
        assert_eq!(first.detail, "DEAD(EXHAUSTED) after 2 attempt(s) -> PENDING, one attempt");
        for (filter, count) in [
            (AuditFilter { operation: Some("skip".into()), ..AuditFilter::default() }, 1),
            (AuditFilter { by: Some("bob".into()), ..AuditFilter::default() }, 0),
            (AuditFilter { since: Some(at(11)), ..AuditFilter::default() }, 0),
        ] {
            assert_eq!(store.audit(&filter, 10).await.expect("answers").len(), count, "{filter:?}");
        }
        assert_eq!(store.audit(&AuditFilter::default(), 1).await.expect("answers").len(), 1);
    }

    async fn clm_05_bodies_are_read_whatever_the_state(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        end(store, epoch, [exhausted(1), succeeded(2)]).await;
        let bodies = store.bodies(&[MsgId(3), MsgId(1), MsgId(9)]).await.expect("answers");
        let told: Vec<_> = bodies.iter().map(|one| (one.msg_id.0, one.state, one.attempts)).collect();
        assert_eq!(told, [(1, State::Dead, 2), (3, State::Pending, 0)]);
        assert_eq!(bodies[0].body, row(1).body);
    }

    async fn g_proc_hst_an_archived_dead_letter_is_replayed_from_the_archive_in_one_step(subject) {
        let store = subject.store();
        let epoch = queued(store, 4).await;
        end(store, epoch, [exhausted(1), succeeded(2), dead(3, ErrorClass::Malformed, "no root")]).await;
        for id in 1..=3 {
            mark(store, id, MarkVerdict::Done).await;
        }
        let over = store.archivable(at(100), None, 9).await.expect("answers");
        assert_eq!(store.archive(epoch, &over, at(50)).await, Ok(3));
        let all = Selection::Filter(Filter::default());
        let listed = frozen(store, Act::Replay, &all).await;
        assert_eq!(listed.iter().map(|target| target.id).collect::<Vec<_>>(), [1, 3], "of both tables");
        assert_eq!(frozen(store, Act::Skip, &all).await, [], "only replay looks into the archive");
        let ahead = store.bodies(&[MsgId(1)]).await.expect("answers");
        assert_eq!((ahead[0].state, ahead[0].attempts, &ahead[0].body), (State::Dead, 2, &row(1).body));
        let done = act(store, Act::Replay, &[1, 2, 3]).await;
        assert_eq!(outcomes(&done), [(1, Outcome::Done), (2, Outcome::Refused), (3, Outcome::Refused)]);
        let head = store.head(9, 1 << 20).await.expect("answers");
        let told: Vec<_> = head.iter().map(|one| (one.msg_id.0, one.state, one.attempts)).collect();
        assert_eq!(told, [(1, State::Pending, 2), (4, State::Pending, 0)]);
        end(store, epoch, [Settled { attempts_seen: 2, attempts: 2, ..succeeded(1) }]).await;
        assert_eq!(due_marks(store).await, [0_i64; 0], "it was marked before it was archived");
        let over = store.archivable(at(100), None, 9).await.expect("answers");
        assert_eq!(over.iter().map(|one| one.msg_id.0).collect::<Vec<_>>(), [1], "and may go again");
    }
}

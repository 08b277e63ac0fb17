//! Operator actions on marks, late rows and events.

use domain::MsgId;
use domain::event::Target as Topic;
use domain::lifecycle::Act;
use engine::ports::{
    Actions, EventSettled, EventVerdict, Filter, FrozenTarget, MarkVerdict, Outcome, Selection, Store, Views,
};

use super::acts::{abandoned, act, due_marks, frozen, mark, outcomes};
use super::{end, head_ids, queued, run};
use crate::sample::{at, event, row, succeeded};

cases! { $ store_actions_beyond_cases: StoreHarness in store::actions_beyond;
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
}

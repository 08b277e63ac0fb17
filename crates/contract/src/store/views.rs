//! Counts agree with what was written (INV-1).

use domain::MsgId;
use domain::decide::Effects;
use domain::event::Target;
use domain::message::{Conclusion, ErrorClass, Labels, Settled, State};
use engine::ports::{
    Enqueue, EventVerdict, FiveFacts, GapCount, HeadView, Ledger, MarkSettled, MarkVerdict, OutboxCount,
    OutcomeCount, QueueView, Store, Views,
};

use super::outbox::{due, settled};
use super::{end, enqueue, lead, queued, run};
use crate::sample::{at, event, gap, ids, range, row, skipped, succeeded, tried};
use domain::mailbox::{ClosedGap, GapVerdict};

fn dead(id: i64) -> Settled {
    tried(id, Conclusion::Dead { class: ErrorClass::Malformed, error: "no root".into() })
}

fn none_delivered() -> Vec<(Target, u64)> {
    Target::ALL.map(|target| (target, 0)).to_vec()
}

cases! { $ store_views_cases: StoreHarness in store::views;
    async fn an_empty_store_counts_nothing(subject) {
        let store = subject.store();
        let facts = store.five_facts().await.expect("answers");
        assert_eq!((facts.enqueued, facts.processed, facts.marked, facts.abandoned), (0, 0, 0, 0));
        assert!(facts.delivered.iter().all(|(_, count)| *count == 0));
        assert_eq!(store.outcomes().await, Ok(vec![]));
        assert_eq!(store.queue().await, Ok(QueueView::default()));
        assert_eq!(store.gaps().await, Ok(GapCount::default()));
        assert!(store.outbox().await.expect("answers").iter().all(|c| (c.pending, c.dead) == (0, 0)));
        assert_eq!(store.message(MsgId(1)).await, Ok(None));
    }

    async fn inv_01_the_facts_are_counted_apart(subject) {
        let store = subject.store();
        let epoch = queued(store, 5).await;
        let mut facts = FiveFacts { enqueued: 5, delivered: none_delivered(), ..FiveFacts::default() };
        assert_eq!(store.five_facts().await, Ok(facts.clone()));
        let effects = Effects { events: vec![event(Target::Schd, 7, 1, 1)], ..run([succeeded(1), skipped(2, "x"), dead(3)]) };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        facts.processed = 3;
        assert_eq!(store.five_facts().await, Ok(facts.clone()));
        let abandoned = MarkVerdict::Abandoned { reason: "MISSING_ROW", error: String::new() };
        let marks = [
            MarkSettled { msg_id: MsgId(1), verdict: MarkVerdict::Done },
            MarkSettled { msg_id: MsgId(2), verdict: abandoned },
        ];
        store.settle_marks(&marks, at(3)).await.expect("settles");
        (facts.marked, facts.abandoned) = (1, 1);
        assert_eq!(store.five_facts().await, Ok(facts.clone()));
        let sent = EventVerdict::Sent { topic: "schd".into(), partition: 0, offset: 0 };
        let first = due(store, Target::Schd, 9).await.remove(0);
        store.settle_events(epoch, &[settled(&first, sent)], at(3)).await.expect("settles");
        facts.delivered = vec![(Target::Msg, 0), (Target::Schd, 1)];
        assert_eq!(store.five_facts().await, Ok(facts));
    }

    async fn an_archived_message_still_counts_as_processed(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        end(store, epoch, [dead(1)]).await;
        subject.archive(MsgId(1)).await;
        let facts = store.five_facts().await.expect("answers");
        assert_eq!((facts.enqueued, facts.processed), (2, 1));
        assert_eq!(store.queue().await.expect("answers").dead, 0);
    }

    async fn ends_are_counted_by_kind_most_frequent_first(subject) {
        let store = subject.store();
        let epoch = queued(store, 9).await;
        let unread = Settled { labels: Labels::default(), ..dead(4) };
        let others = [unread, skipped(5, "x"), skipped(6, "y"), skipped(7, "z"), dead(9)];
        let failed = Conclusion::Failed { class: ErrorClass::Infra, error: "x".into(), due: at(9) };
        let plain = (1..=3).map(succeeded).chain([succeeded(8)]);
        end(store, epoch, plain.chain(others[..4].to_vec())).await;
        end(store, epoch, [Settled { attempts: 1, ..tried(9, failed) }]).await;
        let outcomes = store.outcomes().await.expect("answers");
        let outcome = |labels: bool, state, class, count| OutcomeCount {
            kind: labels.then(|| "FLOP".into()),
            subtype: labels.then(|| "ESTT".into()),
            state,
            class,
            count,
        };
        let expected = [
            outcome(true, State::Succeeded, None, 4),
            outcome(true, State::Skipped, None, 3),
            outcome(false, State::Dead, Some(ErrorClass::Malformed), 1),
        ];
        assert_eq!(outcomes, expected, "FAILED is no end");
    }

    async fn the_queue_at_a_glance(subject) {
        let store = subject.store();
        let epoch = queued(store, 6).await;
        end(store, epoch, [succeeded(1), dead(2)]).await;
        let class = ErrorClass::Unsupported;
        let failed = Conclusion::Failed { class, error: "FLOP-XXXX".into(), due: at(9) };
        store.commit_run(epoch, &run([Settled { attempts: 1, ..tried(3, failed) }]), at(4)).await.expect("commits");
        let head = HeadView {
            msg_id: MsgId(3),
            state: State::Failed,
            attempts: 1,
            due: Some(at(9)),
            class: Some(class),
            error: Some("FLOP-XXXX".into()),
            enqueued_at: at(1),
        };
        let expected = QueueView {
            watermark: Some(MsgId(6)),
            head: Some(head),
            pending: 3,
            failed: 1,
            dead: 1,
            unmarked: 2,
            oldest_unmarked: Some(at(2)),
        };
        assert_eq!(store.queue().await, Ok(expected));
    }

    async fn the_head_in_view_is_the_head_of_the_queue(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        store.start_at(epoch, MsgId(0), &[], at(0)).await.expect("starts");
        store.enqueue(epoch, &enqueue(0, 1, vec![row(5)])).await.expect("enqueues");
        assert_eq!(store.queue().await.expect("answers").head, None, "5 is above the watermark (INV-4)");
        store.enqueue(epoch, &enqueue(1, 5, vec![])).await.expect("enqueues");
        let head = store.queue().await.expect("answers").head.expect("5");
        assert_eq!((head.msg_id, head.state, head.due), (MsgId(5), State::Pending, None));
    }

    async fn the_ledger_at_a_glance(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        store.start_at(epoch, MsgId(1_000), &[], at(0)).await.expect("starts");
        let verdict = GapVerdict::ReleasedByAge;
        let closed =
            ClosedGap { range: range(1_001, 1_003), first_seen: at(1), closed_at: at(9), verdict };
        let open = vec![gap(1_005, 1_005, 7), gap(1_010, 2_009, 5)];
        let ledger = Some(Ledger { open, closed: vec![closed] });
        let plan = Enqueue { ledger, ..enqueue(1_000, 1_004, vec![row(1_004)]) };
        store.enqueue(epoch, &plan).await.expect("enqueues");
        store.record_late(&ids([1_001, 17]), at(10)).await.expect("notes");
        let expected =
            GapCount { open: 2, open_ids: 1_001, oldest: Some(at(5)), released_ids: 3, late: 2 };
        assert_eq!(store.gaps().await, Ok(expected), "what was before the start isn't released");
    }

    async fn the_outbox_by_target(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        let all = [7, 8, 9].map(|flid| event(Target::Msg, flid, 1, 1)).to_vec();
        store.commit_run(epoch, &Effects { events: all, ..run([succeeded(1)]) }, at(2)).await.expect("commits");
        let late = vec![event(Target::Msg, 5, 1, 2)];
        store.commit_run(epoch, &Effects { events: late, ..run([succeeded(2)]) }, at(6)).await.expect("commits");
        let events = due(store, Target::Msg, 9).await;
        let dead = EventVerdict::Dead { error: "x".into(), attempts: 5 };
        let sent = EventVerdict::Sent { topic: "msg".into(), partition: 0, offset: 0 };
        let batch = [settled(&events[0], sent), settled(&events[1], dead)];
        store.settle_events(epoch, &batch, at(3)).await.expect("settles");
        let expected = vec![
            OutboxCount { target: Target::Msg, pending: 2, dead: 1, oldest: Some(at(2)) },
            OutboxCount { target: Target::Schd, pending: 0, dead: 0, oldest: None },
        ];
        assert_eq!(store.outbox().await, Ok(expected));
    }
}

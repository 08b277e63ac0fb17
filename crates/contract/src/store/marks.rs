//! Marks owed, written once, never taken back (INV-7, INV-8).

use domain::MsgId;
use engine::ports::{DueMark, MarkSettled, MarkVerdict, Store, Views};
use jiff::Timestamp;

use super::{end, enqueue, queued};
use crate::sample::{at, row, succeeded};

fn settled(id: i64, verdict: MarkVerdict) -> MarkSettled {
    MarkSettled { msg_id: MsgId(id), verdict }
}

fn retry(attempts: u32, due: i64) -> MarkVerdict {
    MarkVerdict::Retry { error: "é".repeat(512), attempts, due: at(due) }
}

fn abandoned(reason: &'static str) -> MarkVerdict {
    MarkVerdict::Abandoned { reason, error: String::new() }
}

async fn due_ids(store: &impl Store, now: Timestamp) -> Vec<i64> {
    let due = store.due_marks(now, 100).await.expect("answers");
    due.iter().map(|mark| mark.msg_id.0).collect()
}

/// Messages 1 to `last` have succeeded, one more is pending.
async fn owing(store: &impl Store, last: i64) {
    let epoch = queued(store, last + 1).await;
    end(store, epoch, (1..=last).map(succeeded)).await;
}

cases! { $ store_marks_cases: StoreHarness in store::marks;
    async fn inv_08_only_ended_messages_owe_a_mark_in_order(subject) {
        let store = subject.store();
        owing(store, 3).await;
        let mark = |id| DueMark { msg_id: MsgId(id), enqueued_at: at(1), attempts: 0 };
        assert_eq!(store.due_marks(at(2), 10).await, Ok(vec![mark(1), mark(2), mark(3)]));
        assert_eq!(store.due_marks(at(2), 2).await, Ok(vec![mark(1), mark(2)]));
        assert_eq!(due_ids(store, at(1)).await, [0_i64; 0], "not before the end itself");
    }

    async fn a_mark_written_is_owed_no_more(subject) {
        let store = subject.store();
        owing(store, 2).await;
        store.settle_marks(&[settled(1, MarkVerdict::Done)], at(5)).await.expect("settles");
        assert_eq!(due_ids(store, at(1_000)).await, [2]);
        let message = store.message(MsgId(1)).await.expect("answers").expect("is there");
        assert_eq!(message.marked_at, Some(at(5)));
        assert_eq!(message.updated_at, at(5), "archiving counts from here");
    }

    async fn a_mark_to_be_tried_again_waits_until_it_is_due(subject) {
        let store = subject.store();
        owing(store, 2).await;
        store.settle_marks(&[settled(1, retry(1, 50))], at(5)).await.expect("settles");
        assert_eq!(due_ids(store, at(49)).await, [2]);
        assert_eq!(due_ids(store, at(50)).await, [1, 2]);
        store.settle_marks(&[settled(1, retry(7, 60))], at(55)).await.expect("settles");
        let due = store.due_marks(at(60), 1).await.expect("answers");
        assert_eq!((due[0].msg_id, due[0].attempts, due[0].enqueued_at), (MsgId(1), 7, at(1)));
        let oldest = store.queue().await.expect("answers").oldest_unmarked;
        assert_eq!(oldest, Some(at(2)), "a failed try doesn't make the debt younger");
    }

    async fn an_abandoned_mark_is_owed_no_more_and_says_why(subject) {
        let store = subject.store();
        owing(store, 2).await;
        let overdue = MarkVerdict::Abandoned { reason: "OVERDUE", error: "server gone 𠮷".into() };
        let batch = [settled(1, abandoned("MISSING_ROW")), settled(2, overdue)];
        store.settle_marks(&batch, at(5)).await.expect("settles");
        assert_eq!(due_ids(store, at(1_000)).await, [0_i64; 0]);
        for (id, reason) in [(1, "MISSING_ROW"), (2, "OVERDUE")] {
            let message = store.message(MsgId(id)).await.expect("answers").expect("is there");
            assert_eq!((message.abandoned_reason.as_deref(), message.marked_at), (Some(reason), None));
        }
    }

    async fn inv_07_a_settled_mark_is_never_taken_back(subject) {
        let store = subject.store();
        owing(store, 2).await;
        let first = [settled(1, MarkVerdict::Done), settled(2, abandoned("OVERDUE"))];
        store.settle_marks(&first, at(5)).await.expect("settles");
        let before = (store.message(MsgId(1)).await, store.message(MsgId(2)).await);
        for verdict in [MarkVerdict::Done, retry(1, 6), abandoned("MISSING_ROW")] {
            let batch = [settled(1, verdict.clone()), settled(2, verdict)];
            store.settle_marks(&batch, at(9)).await.expect("changes nothing");
            assert_eq!((store.message(MsgId(1)).await, store.message(MsgId(2)).await), before);
            assert_eq!(due_ids(store, at(1_000)).await, [0_i64; 0]);
        }
    }

    async fn inv_08_a_message_without_an_end_is_not_marked(subject) {
        let store = subject.store();
        owing(store, 1).await;
        let before = store.message(MsgId(2)).await;
        for verdict in [MarkVerdict::Done, retry(1, 6), abandoned("MISSING_ROW")] {
            store.settle_marks(&[settled(2, verdict.clone()), settled(99, verdict)], at(5)).await.expect("settles");
        }
        assert_eq!(store.message(MsgId(2)).await, before);
        assert_eq!(due_ids(store, at(1_000)).await, [1]);
    }

    async fn inv_05_owed_marks_do_not_stop_discovery(subject) {
        let store = subject.store();
        owing(store, 2).await;
        let epoch = store.lease().await.expect("answers").expect("is held").epoch;
        store.enqueue(epoch, &enqueue(3, 4, vec![row(4)])).await.expect("enqueues");
        assert_eq!(due_ids(store, at(1_000)).await, [1, 2]);
    }

    async fn marks_are_settled_whoever_leads(subject) {
        let store = subject.store();
        owing(store, 1).await;
        let epoch = store.lease().await.expect("answers").expect("is held").epoch;
        store.release_lease(epoch).await.expect("releases");
        super::lead(store).await;
        store.settle_marks(&[settled(1, MarkVerdict::Done)], at(5)).await.expect("needs no epoch");
        store.settle_marks(&[], at(5)).await.expect("nothing to do");
        assert_eq!(due_ids(store, at(1_000)).await, [0_i64; 0]);
    }

    async fn an_archived_row_owes_nothing(subject) {
        let store = subject.store();
        owing(store, 2).await;
        store.settle_marks(&[settled(1, MarkVerdict::Done)], at(5)).await.expect("settles");
        subject.archive(MsgId(1)).await;
        assert_eq!(due_ids(store, at(1_000_000)).await, [2]);
    }
}

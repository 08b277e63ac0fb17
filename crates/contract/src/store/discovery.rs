//! Watermark and rows move together (INV-2).

use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::pin;
use std::task::Poll;

use domain::MsgId;
use domain::message::StoredBody;
use engine::ports::{Landed, Store, StoreError, Views};

use super::{end, enqueue, head_ids, lead, queued, watermark};
use crate::sample::{at, ids, landed, range, row, succeeded, whole};
use domain::mailbox::{ClosedGap, GapVerdict};

cases! { $ store_discovery_cases: StoreHarness in store::discovery;
    async fn the_clock_is_in_microseconds_and_does_not_go_back(subject) {
        let first = subject.store().now().await.expect("answers");
        let second = subject.store().now().await.expect("answers");
        assert!(second >= first);
        assert_eq!(second.subsec_nanosecond() % 1_000, 0);
    }

    async fn a_start_sets_the_watermark_once(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        assert_eq!(watermark(store).await, None);
        let closed = |first, last, verdict| ClosedGap {
            range: range(first, last),
            first_seen: at(0),
            closed_at: at(0),
            verdict,
        };
        let missing = closed(38, 39, GapVerdict::MissingAtStart);
        let before = closed(1, 40, GapVerdict::BeforeStart);
        store.start_at(epoch, MsgId(40), &[before.clone(), missing.clone()], at(0)).await.expect("starts");
        let other = closed(1, 7, GapVerdict::BeforeStart);
        store.start_at(epoch, MsgId(7), &[other], at(1)).await.expect("does nothing");
        assert_eq!(watermark(store).await, Some(40));
        assert_eq!(store.closed_gaps(at(0), 10).await, Ok(vec![missing, before]));
        assert_eq!(store.gaps().await.expect("answers").released_ids, 0, "nothing was released by age");
    }

    async fn a_start_with_nothing_closed_enters_nothing_in_the_ledger(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        store.start_at(epoch, MsgId(0), &[], at(0)).await.expect("starts");
        assert_eq!(watermark(store).await, Some(0));
        assert_eq!(store.closed_gaps(at(-9), 10).await, Ok(vec![]));
    }

    async fn inv_02_watermark_and_rows_move_in_one_step(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        store.start_at(epoch, MsgId(4), &[], at(0)).await.expect("starts");
        let known = store.enqueue(epoch, &enqueue(4, 7, vec![row(5), row(7)])).await;
        assert_eq!(known, Ok(vec![]));
        assert_eq!((watermark(store).await, head_ids(store).await), (Some(7), vec![5, 7]));
        let message = store.message(MsgId(5)).await.expect("answers").expect("is there");
        assert_eq!((message.enqueued_at, message.updated_at), (at(1), at(1)));
        assert_eq!(message.received_at, Some(whole(-5)));
    }

    async fn inv_02_the_watermark_may_move_without_rows(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        store.enqueue(epoch, &enqueue(2, 1_000_000_002, vec![])).await.expect("moves");
        assert_eq!(watermark(store).await, Some(1_000_000_002));
        store.enqueue(epoch, &enqueue(1_000_000_002, 1_000_000_002, vec![])).await.expect("stays");
    }

    async fn inv_02_a_plan_on_another_watermark_changes_nothing(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        for from in [1, 3] {
            let refused = store.enqueue(epoch, &enqueue(from, 5, vec![row(5)])).await;
            assert!(matches!(refused, Err(StoreError::Conflict(_))), "from {from}: {refused:?}");
        }
        assert_eq!((watermark(store).await, head_ids(store).await), (Some(2), vec![1, 2]));
        assert_eq!(store.message(MsgId(5)).await, Ok(None));
    }

    async fn inv_02_of_two_plans_at_once_one_applies(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        let plans = [enqueue(1, 2, vec![row(2)]), enqueue(1, 3, vec![row(3)])];
        let answers = tokio::join!(store.enqueue(epoch, &plans[0]), store.enqueue(epoch, &plans[1]));
        assert_ne!(answers.0.is_ok(), answers.1.is_ok(), "{answers:?}");
        let expected = if answers.0.is_ok() { 2 } else { 3 };
        assert_eq!((watermark(store).await, head_ids(store).await), (Some(expected), vec![1, expected]));
    }

    async fn nothing_is_enqueued_before_the_start(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        let refused = store.enqueue(epoch, &enqueue(0, 1, vec![row(1)])).await;
        assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
        assert_eq!((watermark(store).await, store.message(MsgId(1)).await), (None, Ok(None)));
    }

    async fn inv_02_the_watermark_never_goes_down(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        let plan = enqueue(3, 1, vec![]);
        let mut call = pin!(store.enqueue(epoch, &plan));
        let answer = poll_fn(|context| {
            match catch_unwind(AssertUnwindSafe(|| call.as_mut().poll(context))) {
                Ok(poll) => poll.map(Some),
                Err(_panic) => Poll::Ready(None),
            }
        })
        .await;
        assert!(!matches!(answer, Some(Ok(_))), "{answer:?}");
        assert_eq!(watermark(store).await, Some(3));
    }

    async fn pre_03_a_row_that_is_there_stays_and_another_body_is_reported(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        store.start_at(epoch, MsgId(0), &[], at(0)).await.expect("starts");
        let missing = |id| Landed { id: MsgId(id), received_at: None, body: StoredBody::Missing };
        let first = vec![row(1), row(2), row(3), missing(4), missing(5)];
        store.enqueue(epoch, &enqueue(0, 1, first)).await.expect("enqueues");
        end(store, epoch, [succeeded(1)]).await;
        let again = vec![row(1), row(2), landed(3, "other"), missing(4), landed(5, ""), row(6)];
        let known = store.enqueue(epoch, &enqueue(1, 6, again)).await;
        assert_eq!(known, Ok(ids([3, 5])));
        assert_eq!(head_ids(store).await, [2, 3, 4, 5, 6], "1 is still SUCCEEDED");
        let head = store.head(2, 1 << 20).await.expect("answers");
        assert_eq!(head[1].body, row(3).body, "the first body is kept");
    }

    async fn bodies_come_back_byte_for_byte(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        store.start_at(epoch, MsgId(0), &[], at(0)).await.expect("starts");
        let noise: Vec<u8> = (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
        let bodies = [
            StoredBody::Bytes("<MSG>国航 延误 𠮷 ✈</MSG>".into()),
            StoredBody::Bytes(Vec::new()),
            StoredBody::Bytes(vec![0, 0xff, 0xfe, 0, b'\r', b'\n', b' ']),
            StoredBody::Bytes(noise),
            StoredBody::Missing,
            StoredBody::Oversized { length: 11 << 20, sha256: [7; 32] },
        ];
        let landed = |(id, body): (i64, &StoredBody)| {
            Landed { id: MsgId(id), received_at: None, body: body.clone() }
        };
        let rows: Vec<Landed> = (1..).zip(&bodies).map(landed).collect();
        store.enqueue(epoch, &enqueue(0, 6, rows)).await.expect("enqueues");
        let head = store.head(10, 1 << 30).await.expect("answers");
        assert_eq!(head.into_iter().map(|row| row.body).collect::<Vec<_>>(), bodies);
    }

    async fn ids_may_be_as_large_as_they_get(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        store.start_at(epoch, MsgId(i64::MAX - 2), &[], at(0)).await.expect("starts");
        let rows = vec![row(i64::MAX - 1)];
        store.enqueue(epoch, &enqueue(i64::MAX - 2, i64::MAX - 1, rows)).await.expect("enqueues");
        assert_eq!(head_ids(store).await, [i64::MAX - 1]);
    }

    async fn many_rows_are_enqueued_at_once(subject) {
        let store = subject.store();
        queued(store, 3_000).await;
        assert_eq!((watermark(store).await, store.five_facts().await.expect("answers").enqueued), (Some(3_000), 3_000));
    }
}

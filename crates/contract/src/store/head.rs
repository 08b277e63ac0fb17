//! The head of the queue (INV-3, INV-4).

use domain::MsgId;
use domain::message::{Candidate, Conclusion, ErrorClass, Settled, State};
use engine::ports::{Landed, Store};

use super::{end, enqueue, head_ids, lead, queued};
use crate::sample::{at, landed, row, skipped, succeeded, tried};

fn failed(id: i64) -> Settled {
    let class = ErrorClass::CodecError;
    let conclusion = Conclusion::Failed { class, error: "DTTM: no such form".into(), due: at(99) };
    Settled { attempts: 1, ..tried(id, conclusion) }
}

cases! { $ store_head_cases: StoreHarness in store::head;
    async fn an_empty_store_has_no_head(subject) {
        assert_eq!(subject.store().head(10, 1_000).await, Ok(vec![]));
    }

    async fn inv_03_the_head_is_the_smallest_unfinished_message(subject) {
        let store = subject.store();
        let epoch = queued(store, 4).await;
        end(store, epoch, [succeeded(1), skipped(2, "ignored:LDM-*")]).await;
        let head = store.head(10, 1 << 20).await.expect("answers");
        let expected = |id| Candidate {
            msg_id: MsgId(id),
            state: State::Pending,
            attempts: 0,
            due: None,
            enqueued_at: at(1),
            body: row(id).body,
        };
        assert_eq!(head, [expected(3), expected(4)]);
    }

    async fn inv_03_a_failed_head_holds_its_place_before_it_is_due(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        end(store, epoch, [failed(1)]).await;
        let head = store.head(10, 1 << 20).await.expect("answers");
        let first = &head[0];
        assert_eq!((first.msg_id, first.state, first.attempts), (MsgId(1), State::Failed, 1));
        assert_eq!((first.due, first.enqueued_at), (Some(at(99)), at(1)));
        assert_eq!(head_ids(store).await, [1, 2, 3]);
    }

    async fn inv_03_every_end_leaves_the_queue(subject) {
        let store = subject.store();
        let epoch = queued(store, 5).await;
        let dead = Conclusion::Dead { class: ErrorClass::Malformed, error: "no root".into() };
        end(store, epoch, [succeeded(1), skipped(2, "x"), tried(3, dead), succeeded(4)]).await;
        subject.archive(MsgId(4)).await;
        assert_eq!(head_ids(store).await, [5]);
    }

    async fn inv_04_rows_above_the_watermark_are_not_claimed(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        store.enqueue(epoch, &enqueue(2, 3, vec![row(3), row(5)])).await.expect("enqueues");
        assert_eq!(head_ids(store).await, [1, 2, 3]);
        store.enqueue(epoch, &enqueue(3, 5, vec![])).await.expect("enqueues");
        assert_eq!(head_ids(store).await, [1, 2, 3, 5]);
    }

    async fn the_head_is_cut_by_rows(subject) {
        let store = subject.store();
        queued(store, 5).await;
        let head = store.head(2, 1 << 20).await.expect("answers");
        assert_eq!(head.iter().map(|row| row.msg_id.0).collect::<Vec<_>>(), [1, 2]);
    }

    async fn the_head_is_cut_by_bytes_and_one_row_always_fits(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        store.start_at(epoch, MsgId(0), &[], at(0)).await.expect("starts");
        let rows: Vec<Landed> = (1..=4).map(|id| landed(id, vec![b'x'; 1_000])).collect();
        store.enqueue(epoch, &enqueue(0, 4, rows)).await.expect("enqueues");
        for (bytes_max, rows) in [(1, 1..=1), (2_500, 2..=3), (1 << 20, 4..=4)] {
            let head = store.head(10, bytes_max).await.expect("answers");
            assert!(rows.contains(&head.len()), "{} rows at {bytes_max}", head.len());
            assert!(head.iter().map(|row| row.msg_id.0).eq(1..=head.len() as i64), "a prefix");
        }
    }
}

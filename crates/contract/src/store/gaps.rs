//! The gap ledger, and rows found in it too late.

use domain::MsgId;
use domain::mailbox::{ClosedGap, GapVerdict, OpenGap};
use engine::ports::{Enqueue, Ledger, Store, StoreError};

use super::{enqueue, lead, queued};
use crate::sample::{at, gap, ids, range, row};

fn released(first: i64, last: i64, closed: i64) -> ClosedGap {
    let verdict = GapVerdict::ReleasedByAge;
    ClosedGap { range: range(first, last), first_seen: at(closed - 300), closed_at: at(closed), verdict }
}

fn plan(from: i64, to: i64, open: Vec<OpenGap>, closed: Vec<ClosedGap>) -> Enqueue {
    Enqueue { ledger: Some(Ledger { open, closed }), ..enqueue(from, to, vec![]) }
}

cases! { $ store_gaps_cases: StoreHarness in store::gaps;
    async fn open_gaps_are_kept_whole_and_ascending(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        assert_eq!(store.open_gaps().await, Ok(vec![]));
        let open = vec![gap(2, 2, 3), gap(5, 1_000_000, 1)];
        store.enqueue(epoch, &plan(1, 1, open.clone(), vec![])).await.expect("enqueues");
        assert_eq!(store.open_gaps().await, Ok(open));
    }

    async fn the_ledger_is_replaced_as_gaps_fill_split_and_close(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        let before = vec![gap(2, 9, 3), gap(20, 30, 4)];
        store.enqueue(epoch, &plan(1, 1, before, vec![])).await.expect("enqueues");
        // 2 to 3 released, 6 filled, the rest of both gaps keeps its age; the server changed.
        let moved = OpenGap { server: "server-2".into(), ..gap(20, 30, 8) };
        let after = vec![gap(4, 5, 3), gap(7, 9, 3), moved];
        let split = plan(1, 3, after.clone(), vec![released(2, 3, 303)]);
        store.enqueue(epoch, &split).await.expect("enqueues");
        assert_eq!(store.open_gaps().await, Ok(after));
        assert_eq!(store.closed_gaps(at(0), 10).await, Ok(vec![released(2, 3, 303)]));
        store.enqueue(epoch, &plan(3, 3, vec![], vec![])).await.expect("enqueues");
        assert_eq!(store.open_gaps().await, Ok(vec![]));
        assert_eq!(store.closed_gaps(at(0), 10).await, Ok(vec![released(2, 3, 303)]), "closed is kept");
    }

    async fn the_ledger_stays_when_a_plan_does_not_change_it(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        store.enqueue(epoch, &plan(1, 1, vec![gap(2, 3, 3)], vec![])).await.expect("enqueues");
        store.enqueue(epoch, &enqueue(1, 1, vec![row(5)])).await.expect("enqueues");
        assert_eq!(store.open_gaps().await, Ok(vec![gap(2, 3, 3)]));
    }

    async fn inv_02_a_refused_plan_leaves_the_ledger_alone(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        store.enqueue(epoch, &plan(1, 1, vec![gap(2, 3, 3)], vec![])).await.expect("enqueues");
        let refused = store.enqueue(epoch, &plan(0, 9, vec![], vec![released(2, 3, 303)])).await;
        assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
        assert_eq!(store.open_gaps().await, Ok(vec![gap(2, 3, 3)]));
        assert_eq!(store.closed_gaps(at(0), 10).await, Ok(vec![]));
    }

    async fn closed_gaps_are_listed_newest_first_since_a_time_up_to_a_limit(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        store.start_at(epoch, MsgId(0), &[], at(0)).await.expect("starts");
        for (n, closed) in [(1, 400), (2, 500), (3, 600)] {
            store.enqueue(epoch, &plan(n - 1, n, vec![], vec![released(n, n, closed)])).await.expect("closes");
        }
        let all = vec![released(3, 3, 600), released(2, 2, 500), released(1, 1, 400)];
        assert_eq!(store.closed_gaps(at(400), 10).await, Ok(all.clone()), "at `since` is in");
        assert_eq!(store.closed_gaps(at(401), 10).await, Ok(all[..2].to_vec()));
        assert_eq!(store.closed_gaps(jiff::Timestamp::MIN, 10).await, Ok(all.clone()), "since ever");
        assert_eq!(store.closed_gaps(jiff::Timestamp::MAX, 10).await, Ok(vec![]), "never");
        assert_eq!(store.closed_gaps(at(0), 1).await, Ok(all[..1].to_vec()));
        assert_eq!(store.closed_gaps(at(601), 10).await, Ok(vec![]));
    }

    async fn late_rows_are_noted_once(subject) {
        let store = subject.store();
        assert_eq!(store.record_late(&ids([7, 9]), at(1)).await, Ok(ids([7, 9])));
        assert_eq!(store.record_late(&ids([7, 8, 9]), at(2)).await, Ok(ids([8])));
        assert_eq!(store.record_late(&ids([7, 8, 9]), at(3)).await, Ok(vec![]));
        assert_eq!(store.record_late(&[], at(3)).await, Ok(vec![]));
    }
}

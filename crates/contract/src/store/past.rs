//! What is kept of the mailbox's past (PRE-3, DEC-5).

use domain::MsgId;
use domain::mailbox::{ClosedGap, GapVerdict, KeptBody};
use domain::message::StoredBody;
use engine::ports::{Enqueue, Landed, Ledger, Store, StorePast};
use sha2::{Digest, Sha256};

use super::{enqueue, lead};
use crate::sample::{at, range};

fn landed(id: i64, body: StoredBody) -> Landed {
    Landed { id: MsgId(id), received_at: None, body }
}

fn closed(first: i64, last: i64, verdict: GapVerdict) -> ClosedGap {
    ClosedGap { range: range(first, last), first_seen: at(1), closed_at: at(2), verdict }
}

cases! { $ store_past_cases: StoreHarness in store::past;
    async fn pre_03_the_newest_bodies_are_known_by_their_hashes_newest_first(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        store.start_at(epoch, MsgId(0), &[], at(0)).await.expect("starts");
        assert_eq!(store.newest_bodies(9).await, Ok(vec![]));
        let rows = vec![
            landed(1, StoredBody::Bytes(b"one".to_vec())),
            landed(2, StoredBody::Missing),
            landed(3, StoredBody::Oversized { length: 9, sha256: [3; 32] }),
        ];
        let plan = enqueue(0, 3, rows);
        store.enqueue(epoch, &plan).await.expect("enqueues");
        let kept = |id, sha256| KeptBody { msg_id: MsgId(id), enqueued_at: plan.at, sha256 };
        let all = [kept(3, Some([3; 32])), kept(2, None), kept(1, Some(Sha256::digest(b"one").into()))];
        assert_eq!(store.newest_bodies(9).await, Ok(all.to_vec()));
        assert_eq!(store.newest_bodies(2).await, Ok(all[..2].to_vec()));
    }

    async fn released_ranges_are_walked_through_ascending_from_an_id(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        let before = [closed(1, 10, GapVerdict::BeforeStart), closed(4, 5, GapVerdict::MissingAtStart)];
        store.start_at(epoch, MsgId(10), &before, at(0)).await.expect("starts");
        let released = vec![
            closed(30, 39, GapVerdict::ReleasedByTransactions),
            closed(12, 20, GapVerdict::ReleasedByAge),
        ];
        let ledger = Some(Ledger { open: vec![], closed: released });
        store.enqueue(epoch, &Enqueue { ledger, ..enqueue(10, 40, vec![]) }).await.expect("enqueues");
        let all = [range(4, 5), range(12, 20), range(30, 39)];
        for (from, limit, expected) in [
            (0, 9, &all[..]),
            (0, 2, &all[..2]),
            (5, 9, &all[..]),
            (6, 9, &all[1..]),
            (20, 1, &all[1..2]),
            (21, 9, &all[2..]),
            (40, 9, &[]),
        ] {
            assert_eq!(store.released_gaps(MsgId(from), limit).await, Ok(expected.to_vec()), "{from} {limit}");
        }
    }
}

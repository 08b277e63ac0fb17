//! One leader at a time, and a fence behind it.

use std::time::Duration;

use domain::MsgId;
use domain::decide::Effects;
use domain::{Epoch, EventId};
use engine::ports::{EventSettled, EventVerdict, Store, StoreError};

use super::{HOUR, enqueue, head_ids, lead, queued, watermark};
use crate::sample::{at, row, skipped, succeeded};

cases! { $ store_leadership_cases: StoreHarness in store::leadership;
    async fn nobody_holds_the_lease_at_first(subject) {
        assert_eq!(subject.store().lease().await, Ok(None));
    }

    async fn a_held_lease_is_given_to_nobody_else(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        assert_eq!(store.acquire_lease("second", HOUR).await, Ok(None));
        let lease = store.lease().await.expect("answers").expect("is held");
        assert_eq!((lease.epoch, lease.owner.as_str()), (epoch, "leader"));
    }

    async fn the_lease_expires_on_the_stores_clock_and_the_epoch_rises(subject) {
        let store = subject.store();
        let first = store.acquire_lease("first", Duration::ZERO).await.expect("answers").expect("is free");
        let second = store.acquire_lease("second", HOUR).await.expect("answers").expect("has expired");
        assert!(second > first, "{second} after {first}");
        let lease = store.lease().await.expect("answers").expect("is held");
        assert_eq!((lease.epoch, lease.owner.as_str()), (second, "second"));
        let now = store.now().await.expect("answers");
        assert!(lease.expires_at > now && lease.expires_at <= now + HOUR, "{lease:?} at {now}");
    }

    async fn renewal_moves_the_heartbeat_and_nothing_else(subject) {
        let store = subject.store();
        let epoch = store.acquire_lease("leader", Duration::ZERO).await.expect("answers").expect("is free");
        let before = store.lease().await.expect("answers").expect("is held");
        store.renew_lease(epoch, HOUR).await.expect("renews");
        let after = store.lease().await.expect("answers").expect("is held");
        assert!(after.expires_at > before.expires_at);
        assert_eq!((after.epoch, after.owner), (before.epoch, before.owner));
        assert_eq!(store.acquire_lease("second", HOUR).await, Ok(None), "it is held again");
    }

    async fn renewal_after_a_take_over_is_fenced(subject) {
        let store = subject.store();
        let old = store.acquire_lease("old", Duration::ZERO).await.expect("answers").expect("is free");
        lead(store).await;
        let before = store.lease().await;
        assert_eq!(store.renew_lease(old, HOUR).await, Err(StoreError::Fenced(old)));
        assert_eq!(store.lease().await, before);
    }

    async fn a_released_lease_is_free_at_once(subject) {
        let store = subject.store();
        let first = lead(store).await;
        store.release_lease(first).await.expect("releases");
        assert!(lead(store).await > first);
    }

    async fn of_several_takers_at_once_one_leads(subject) {
        let store = subject.store();
        let taken = tokio::join!(
            store.acquire_lease("a", HOUR),
            store.acquire_lease("b", HOUR),
            store.acquire_lease("c", HOUR),
        );
        let leaders = [taken.0, taken.1, taken.2].into_iter().filter(|taken| matches!(taken, Ok(Some(_))));
        assert_eq!(leaders.count(), 1);
    }

    async fn a_deposed_leader_releases_nothing(subject) {
        let store = subject.store();
        let old = store.acquire_lease("old", Duration::ZERO).await.expect("answers").expect("is free");
        lead(store).await;
        let _ = store.release_lease(old).await;
        assert_eq!(store.acquire_lease("third", HOUR).await, Ok(None));
    }

    async fn an_expired_lease_still_writes_until_another_takes_over(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        store.release_lease(epoch).await.expect("releases");
        store.enqueue(epoch, &enqueue(1, 2, vec![row(2)])).await.expect("the epoch is still the lease's");
        assert_eq!(watermark(store).await, Some(2));
    }

    async fn nobody_writes_without_a_lease(subject) {
        let store = subject.store();
        let refused = store.start_at(Epoch(1), MsgId(0), &[], at(0)).await;
        assert_eq!(refused, Err(StoreError::Fenced(Epoch(1))));
        assert_eq!(watermark(store).await, None);
    }

    async fn every_pipeline_write_of_a_deposed_leader_is_fenced(subject) {
        let store = subject.store();
        let old = queued(store, 2).await;
        store.release_lease(old).await.expect("releases");
        lead(store).await;
        let fenced = StoreError::Fenced(old);
        assert_eq!(store.start_at(old, MsgId(9), &[], at(2)).await, Err(fenced.clone()));
        let refused = store.enqueue(old, &enqueue(2, 3, vec![row(3)])).await;
        assert_eq!(refused, Err(fenced.clone()));
        let effects = Effects { settled: vec![succeeded(1), skipped(2, "x")], ..Effects::default() };
        assert_eq!(store.commit_run(old, &effects, at(2)).await, Err(fenced.clone()));
        let verdict = EventVerdict::Dead { error: "x".into(), attempts: 1 };
        let settled = EventSettled { event_id: EventId(1), state_version: 1, verdict };
        assert_eq!(store.settle_events(old, &[settled], at(2)).await, Err(fenced));
        assert_eq!((watermark(store).await, head_ids(store).await), (Some(2), vec![1, 2]));
    }
}

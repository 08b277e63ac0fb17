//! Messages that are over: who goes, what stays, and for how long (US-11, INV-9, C-8, C-16).

use domain::message::{Conclusion, ErrorClass, Settled, State};
use domain::{Epoch, MsgId};
use engine::ports::{Archivable, Archive, MarkSettled, MarkVerdict, Old, Store, StoreError, Views};
use jiff::Timestamp;

use super::{end, queued};
use crate::sample::{at, key, skipped, succeeded, tried};

/// A dead letter that holds its key.
pub(super) fn dead(id: i64) -> Settled {
    let conclusion = Conclusion::Dead { class: ErrorClass::Exhausted, error: "no handler 𠮷".into() };
    let content_hash = Some([77; 32]);
    Settled { attempts: 2, identity: Some(key(id)), content_hash, ..tried(id, conclusion) }
}

pub(super) async fn mark(store: &impl Store, ids: impl IntoIterator<Item = i64>, second: i64) {
    let done = |id| MarkSettled { msg_id: MsgId(id), verdict: MarkVerdict::Done };
    let done: Vec<MarkSettled> = ids.into_iter().map(done).collect();
    store.settle_marks(&done, at(second)).await.expect("settles");
}

pub(super) async fn give_up(store: &impl Store, id: i64, second: i64) {
    let verdict = MarkVerdict::Abandoned { reason: "MISSING_ROW", error: String::new() };
    store.settle_marks(&[MarkSettled { msg_id: MsgId(id), verdict }], at(second)).await.expect("settles");
}

/// Messages 1 to `last` have succeeded and are marked at second 5.
pub(super) async fn over(store: &impl Store, last: i64) -> Epoch {
    let epoch = queued(store, last).await;
    end(store, epoch, (1..=last).map(succeeded)).await;
    mark(store, 1..=last, 5).await;
    epoch
}

async fn archivable(store: &impl Store, before: Timestamp) -> Vec<Archivable> {
    store.archivable(before, None, 100).await.expect("answers")
}

async fn archivable_ids(store: &impl Store, before: Timestamp) -> Vec<i64> {
    archivable(store, before).await.iter().map(|one| one.msg_id.0).collect()
}

/// Archives what may go before second 10, at second `second`.
pub(super) async fn archive(store: &impl Store, epoch: Epoch, second: i64) -> u64 {
    let seen = archivable(store, at(10)).await;
    store.archive(epoch, &seen, at(second)).await.expect("archives")
}

pub(super) fn old(second: i64, below: i64) -> Old {
    Old { before: at(second), below: MsgId(below) }
}

cases! { $ store_archive_cases: KeepingHarness in store::archive;
    async fn us_11_what_is_over_reaches_the_archive_and_a_shadow_stays(subject) {
        let store = subject.store();
        let epoch = over(store, 2).await;
        let before = [store.message(MsgId(1)).await, store.message(MsgId(2)).await];
        assert_eq!(archive(store, epoch, 20).await, 2);
        assert_eq!(subject.archived().await, [1, 2]);
        for id in [1, 2] {
            let shadow = subject.shadow(MsgId(id)).await.expect("an archived row");
            assert_eq!((shadow.identity, shadow.archived_at), (Some(key(id)), at(20)));
        }
        let after = [store.message(MsgId(1)).await, store.message(MsgId(2)).await];
        assert_eq!(after, before, "people find it as it was");
        assert_eq!(subject.bodies().await, [1, 2], "the body has its own time");
    }

    async fn us_11_only_what_is_over_settled_and_old_enough_may_go(subject) {
        let store = subject.store();
        let epoch = queued(store, 6).await;
        let failed = Conclusion::Failed { class: ErrorClass::Infra, error: "x".into(), due: at(3) };
        end(store, epoch, [succeeded(1), skipped(2, "x"), dead(3), succeeded(4), Settled { attempts: 1, ..tried(5, failed) }]).await;
        assert_eq!(archivable_ids(store, at(1_000)).await, [0_i64; 0], "each owes its mark, or has no end");
        mark(store, [3], 5).await;
        mark(store, [1, 2], 6).await;
        assert_eq!(archivable_ids(store, at(5)).await, [0_i64; 0], "counted from the mark, not from the end");
        assert_eq!(archivable_ids(store, at(6)).await, [3]);
        assert_eq!(archivable_ids(store, at(7)).await, [3, 1, 2], "by time, then by ID");
        let first = archivable(store, at(7)).await[0];
        assert_eq!(first, Archivable { msg_id: MsgId(3), state: State::Dead, updated_at: at(5) });
        let rest = store.archivable(at(7), Some(first.place()), 1).await.expect("answers");
        assert_eq!(rest.iter().map(|one| one.msg_id.0).collect::<Vec<_>>(), [1]);
    }

    async fn c_16_a_mark_that_was_given_up_goes_only_when_it_is_reconciled(subject) {
        let store = subject.store();
        let epoch = over(store, 2).await;
        let epoch_rows = archivable(store, at(10)).await;
        assert_eq!(store.archive(epoch, &epoch_rows[..1], at(20)).await, Ok(1));
        let (third, fourth) = (3, 4);
        store.enqueue(epoch, &super::enqueue(2, 4, vec![crate::sample::row(third), crate::sample::row(fourth)])).await.expect("enqueues");
        end(store, epoch, [succeeded(third), succeeded(fourth)]).await;
        give_up(store, third, 5).await;
        give_up(store, fourth, 5).await;
        assert_eq!(archivable_ids(store, at(1_000)).await, [2]);
        let unseen = [third, fourth].map(|id| Archivable { msg_id: MsgId(id), state: State::Succeeded, updated_at: at(5) });
        assert_eq!(store.archive(epoch, &unseen, at(20)).await, Ok(0), "whoever asks");
        subject.reconcile(MsgId(fourth), at(7)).await;
        assert_eq!(store.archive(epoch, &unseen, at(20)).await, Ok(1));
        assert_eq!(subject.archived().await, [1, 4]);
        let reason = store.message(MsgId(fourth)).await.expect("answers").expect("is there").abandoned_reason;
        assert_eq!(reason.as_deref(), Some("MISSING_ROW"), "the evidence is in the archive");
    }

    async fn us_11_a_dead_letter_replayed_between_look_and_write_stays_and_the_rest_goes(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        end(store, epoch, [dead(1), dead(2), dead(3)]).await;
        mark(store, 1..=3, 5).await;
        let seen = archivable(store, at(10)).await;
        assert_eq!(seen.len(), 3);
        subject.replay(MsgId(1), at(8)).await;
        subject.replay(MsgId(2), at(8)).await;
        store.commit_run(epoch, &super::run([dead(2)]), at(9)).await.expect("dead again by then");
        assert_eq!(store.archive(epoch, &seen, at(20)).await, Ok(1), "two of three are passed by, and counted");
        assert_eq!(subject.archived().await, [3]);
        let states = [1, 2].map(|id| store.message(MsgId(id)));
        let [first, second] = states;
        assert_eq!(first.await.expect("answers").expect("is there").state, State::Pending);
        assert_eq!(second.await.expect("answers").expect("is there").updated_at, at(9));
        assert_eq!(archivable_ids(store, at(10)).await, [2], "its turn comes");
    }

    async fn us_11_archiving_twice_moves_nothing_more(subject) {
        let store = subject.store();
        let epoch = over(store, 2).await;
        let seen = archivable(store, at(10)).await;
        assert_eq!(store.archive(epoch, &seen, at(20)).await, Ok(2));
        assert_eq!(store.archive(epoch, &seen, at(30)).await, Ok(0));
        assert_eq!(store.archive(epoch, &[], at(30)).await, Ok(0));
        assert_eq!(archivable_ids(store, at(1_000)).await, [0_i64; 0]);
        assert_eq!(subject.shadow(MsgId(1)).await.expect("a shadow").archived_at, at(20));
    }

    async fn us_11_what_the_archive_refuses_leaves_all_of_a_batch_where_it_was(subject) {
        let store = subject.store();
        let epoch = over(store, 3).await;
        subject.occupy_archive(MsgId(2)).await;
        let seen = archivable(store, at(10)).await;
        let refused = store.archive(epoch, &seen, at(20)).await;
        assert!(matches!(refused, Err(StoreError::Data(_))), "{refused:?}");
        assert_eq!((subject.archived().await, subject.shadow(MsgId(1)).await), (vec![2], None));
        let others = [seen[0], seen[2]];
        assert_eq!(store.archive(epoch, &others, at(20)).await, Ok(2));
    }

    async fn a_deposed_leader_archives_and_forgets_nothing(subject) {
        let store = subject.store();
        let epoch = over(store, 1).await;
        let seen = archivable(store, at(10)).await;
        store.release_lease(epoch).await.expect("releases");
        super::lead(store).await;
        assert_eq!(store.archive(epoch, &seen, at(20)).await, Err(StoreError::Fenced(epoch)));
        assert_eq!(store.forget_archived(epoch, old(99, 99), 9).await, Err(StoreError::Fenced(epoch)));
        assert_eq!(store.forget_shadows(epoch, old(99, 99), 9).await, Err(StoreError::Fenced(epoch)));
        assert_eq!(subject.shadow(MsgId(1)).await, None);
    }
}

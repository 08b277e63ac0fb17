//! What is archived still counts, still tells duplicates, and goes when the mailbox has lost the row
//! (INV-1, INV-9, C-8).

use domain::MsgId;
use domain::message::{ErrorClass, Holder, Settled, State};
use engine::ports::{Archive, FiveFacts, Messages, OutcomeCount, Store, Views};

use super::archive::{archive, dead, give_up, mark, old, over};
use super::{end, queued};
use crate::sample::{at, key, skipped, succeeded};

cases! { $ store_archived_cases: KeepingHarness in store::archived;
    async fn inv_09_a_duplicate_of_an_archived_message_is_told_by_the_archives_hash(subject) {
        let store = subject.store();
        let epoch = over(store, 2).await;
        archive(store, epoch, 20).await;
        let told = |content_hash| Holder { key: key(1), msg_id: MsgId(1), state: State::Archived, content_hash };
        let holders = async || store.world(&[key(1)], &[]).await.expect("answers").holders;
        assert_eq!(holders().await, [told(Some([1; 32]))]);
        assert_eq!(store.forget_archived(epoch, old(30, 9), 1).await, Ok(1));
        assert_eq!(holders().await, [told(None)], "a shadow alone proves nothing");
        assert_eq!(store.forget_shadows(epoch, old(30, 9), 9).await, Ok(2));
        assert_eq!(holders().await, []);
    }

    async fn inv_01_the_facts_are_the_same_after_archiving(subject) {
        let store = subject.store();
        let epoch = queued(store, 5).await;
        end(store, epoch, [succeeded(1), skipped(2, "x"), dead(3), succeeded(4)]).await;
        mark(store, 1..=3, 5).await;
        give_up(store, 4, 5).await;
        subject.reconcile(MsgId(4), at(6)).await;
        let outcomes = |mut all: Vec<OutcomeCount>| { all.sort_by_key(|one| one.state.as_str()); all };
        let before = (store.five_facts().await, outcomes(store.outcomes().await.expect("answers")));
        let FiveFacts { enqueued, processed, marked, abandoned, .. } = before.0.clone().expect("answers");
        assert_eq!((enqueued, processed, marked, abandoned), (5, 4, 3, 1));
        assert_eq!(archive(store, epoch, 20).await, 4);
        assert_eq!((store.five_facts().await, outcomes(store.outcomes().await.expect("answers"))), before);
        let queue = store.queue().await.expect("answers");
        assert_eq!((queue.pending, queue.dead, queue.unmarked), (1, 0, 0));
        assert_eq!(super::head_ids(store).await, [5]);
        assert_eq!(store.due_marks(at(1_000), 9).await, Ok(vec![]));
    }

    async fn c_08_nothing_of_archive_or_shadows_goes_while_the_mailbox_holds_the_row(subject) {
        let store = subject.store();
        let epoch = over(store, 3).await;
        archive(store, epoch, 20).await;
        for (what, expected) in [(old(20, 99), 0), (old(1_000, 1), 0), (old(21, 3), 2), (old(1_000, 3), 0), (old(1_000, 4), 1)] {
            assert_eq!(store.forget_archived(epoch, what, 9).await, Ok(expected), "{what:?}");
            assert_eq!(store.forget_shadows(epoch, what, 9).await, Ok(expected), "{what:?}");
        }
        assert_eq!(store.five_facts().await.expect("answers").enqueued, 0);
        assert_eq!(subject.archived().await, [0_i64; 0]);
    }

    async fn fc_41_what_the_mailbox_holds_does_not_stand_in_the_way_of_what_may_go(subject) {
        let store = subject.store();
        let epoch = queued(store, 4).await;
        end(store, epoch, (1..=4).map(succeeded)).await;
        mark(store, [3, 4], 5).await;
        archive(store, epoch, 20).await;
        mark(store, [1, 2], 6).await;
        archive(store, epoch, 30).await;
        // The oldest are those that stay.
        for expected in [1, 1, 0] {
            assert_eq!(store.forget_archived(epoch, old(40, 3), 1).await, Ok(expected));
            assert_eq!(store.forget_shadows(epoch, old(40, 3), 1).await, Ok(expected));
        }
        assert_eq!(subject.archived().await, [3, 4]);
    }

    async fn what_is_not_archived_is_never_forgotten(subject) {
        let store = subject.store();
        let epoch = over(store, 2).await;
        assert_eq!(store.forget_shadows(epoch, old(1_000, 99), 9).await, Ok(0));
        assert_eq!(store.forget_archived(epoch, old(1_000, 99), 9).await, Ok(0));
        assert_eq!(store.five_facts().await.expect("answers").enqueued, 2);
    }

    async fn tries_are_forgotten_with_their_message(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        let failure = Some((ErrorClass::Infra, "x".to_owned()));
        let tried = |id| Settled { attempt_failure: failure.clone(), ..dead(id) };
        end(store, epoch, [tried(1), tried(2)]).await;
        mark(store, [1], 5).await;
        archive(store, epoch, 20).await;
        assert_eq!(store.attempts(MsgId(1)).await.expect("answers").len(), 1);
        assert_eq!(store.forget_archived(epoch, old(30, 9), 9).await, Ok(1));
        let left = [store.attempts(MsgId(1)).await, store.attempts(MsgId(2)).await];
        assert_eq!(left.map(|tries| tries.expect("answers").len()), [0, 1]);
    }
}

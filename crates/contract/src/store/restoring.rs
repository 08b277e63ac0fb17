//! Dead letters that come back from the archive (G-REPLAY-CHANNEL).

use domain::MsgId;
use domain::lifecycle::Act;
use domain::message::{Settled, State};
use engine::ports::{Archive, Outcome, Retention, Store, Views};

use super::acts::{act, outcomes};
use super::archive::{archive, dead, mark, old};
use super::{end, enqueue, head_ids, queued, run};
use crate::sample::{at, ids, key, row, skipped, succeeded};

cases! { $ store_restoring_cases: KeepingHarness in store::restoring;
    async fn an_archived_dead_letter_comes_back_as_it_was_and_can_be_replayed(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        end(store, epoch, [dead(1), dead(2)]).await;
        mark(store, [1, 2], 5).await;
        let before = store.message(MsgId(1)).await;
        archive(store, epoch, 20).await;
        assert_eq!(store.restore(&ids([1])).await, Ok(ids([1]).to_vec()));
        assert_eq!(store.message(MsgId(1)).await, before);
        assert_eq!((subject.shadow(MsgId(1)).await, subject.archived().await), (None, vec![2]));
        subject.replay(MsgId(1), at(30)).await;
        assert_eq!(head_ids(store).await, [1]);
        store.commit_run(epoch, &run([succeeded(1)]), at(31)).await.expect("commits");
        assert_eq!(store.due_marks(at(1_000), 9).await, Ok(vec![]), "once marked, it owes no second mark");
        let message = store.message(MsgId(1)).await.expect("answers").expect("is there");
        assert_eq!((message.state, message.marked_at), (State::Succeeded, Some(at(5))));
        assert_eq!(archive(store, epoch, 40).await, 0, "its time counts from now");
    }

    async fn only_archived_dead_letters_come_back_each_once(subject) {
        let store = subject.store();
        let epoch = queued(store, 5).await;
        end(store, epoch, [succeeded(1), skipped(2, "x"), dead(3), dead(4)]).await;
        mark(store, 1..=3, 5).await;
        archive(store, epoch, 20).await;
        let asked = ids([5, 4, 3, 2, 1, 3, 99]);
        assert_eq!(store.restore(&asked).await, Ok(ids([3]).to_vec()));
        assert_eq!(store.restore(&asked).await, Ok(vec![]));
        assert_eq!(store.restore(&[]).await, Ok(vec![]));
        assert_eq!(subject.archived().await, [1, 2]);
    }

    async fn a_dead_letter_whose_body_or_shadow_is_gone_stays_in_the_archive(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        end(store, epoch, [dead(1), dead(2), dead(3)]).await;
        mark(store, 1..=3, 5).await;
        archive(store, epoch, 20).await;
        assert_eq!(store.forget_bodies(epoch, at(2), 1).await, Ok(1));
        assert_eq!(store.forget_shadows(epoch, old(30, 3), 9).await, Ok(2));
        assert_eq!(store.restore(&ids([1, 2, 3])).await, Ok(ids([3]).to_vec()));
        assert_eq!(subject.archived().await, [1, 2]);
    }

    async fn inv_09_an_archived_dead_letter_yields_its_key_and_comes_back_without(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        end(store, epoch, [dead(1)]).await;
        mark(store, [1], 5).await;
        archive(store, epoch, 20).await;
        let holders = store.world(&[key(1)], &[]).await.expect("answers").holders;
        assert_eq!(holders.iter().map(|one| (one.msg_id, one.state)).collect::<Vec<_>>(), [(MsgId(1), State::Dead)]);
        store.enqueue(epoch, &enqueue(1, 2, vec![row(2)])).await.expect("enqueues");
        let newcomer = Settled { identity: Some(key(1)), yields: Some(MsgId(1)), ..succeeded(2) };
        store.commit_run(epoch, &run([newcomer]), at(21)).await.expect("takes the key");
        assert_eq!(subject.shadow(MsgId(1)).await.expect("a shadow").identity, None);
        assert_eq!(store.restore(&ids([1])).await, Ok(ids([1]).to_vec()));
        let holders = store.world(&[key(1)], &[]).await.expect("answers").holders;
        assert_eq!(holders.iter().map(|one| one.msg_id.0).collect::<Vec<_>>(), [2]);
    }
    async fn a_dead_letter_whose_body_is_gone_is_refused_and_the_queue_goes_on(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        end(store, epoch, [dead(1), dead(2)]).await;
        assert_eq!(store.forget_bodies(epoch, at(2), 1).await, Ok(1));
        let done = act(store, Act::Replay, &[1, 2]).await;
        assert_eq!(outcomes(&done), [(1, Outcome::Refused), (2, Outcome::Done)]);
        assert!(done[0].detail.contains("body is no longer kept"), "{}", done[0].detail);
        assert_eq!(head_ids(store).await, [2, 3]);
        let skipped = act(store, Act::Skip, &[1]).await;
        assert_eq!(outcomes(&skipped), [(1, Outcome::Done)], "what is left to do with it");
    }
}

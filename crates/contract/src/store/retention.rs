//! What is forgotten by age: events and bodies (G-EVENT-RETENTION).

use domain::decide::Effects;
use domain::event::Target;
use domain::message::{Conclusion, ErrorClass, Settled};
use domain::{Epoch, Flid, MsgId};
use engine::ports::{Archive, EventVerdict, OutboxEvent, Retention, Store, StoreError, Views};

use super::archive::{archive, mark, old};
use super::outbox::{due, settled, with_events, write};
use super::{end, head_ids, queued};
use crate::sample::{at, event, succeeded, tried};

fn sent() -> EventVerdict {
    EventVerdict::Sent { topic: "msgx.msg".into(), partition: 3, offset: 7 }
}

async fn settle(
    store: &impl Store,
    epoch: Epoch,
    events: &[OutboxEvent],
    verdict: EventVerdict,
    second: i64,
) {
    let settled: Vec<_> = events.iter().map(|one| self::settled(one, verdict.clone())).collect();
    assert_eq!(store.settle_events(epoch, &settled, at(second)).await, Ok(events.len() as u64));
}

/// SENT events of [`Target::Msg`] and of [`Target::Schd`].
async fn delivered(store: &impl Views) -> [u64; 2] {
    let counts = store.five_facts().await.expect("answers").delivered;
    Target::ALL.map(|target| counts.iter().find(|(one, _)| *one == target).map_or(0, |(_, count)| *count))
}

cases! { $ store_retention_cases: KeepingHarness in store::retention;
    async fn g_event_retention_events_go_by_the_time_they_were_sent(subject) {
        let store = subject.store();
        let events = (1..=4).map(|flid| event(Target::Msg, flid, 1, 1)).collect();
        let epoch = with_events(store, events).await;
        let waiting = due(store, Target::Msg, 2).await;
        settle(store, epoch, &waiting[1..2], sent(), 10).await;
        settle(store, epoch, &waiting[0..1], sent(), 20).await;
        settle(store, epoch, &waiting[2..3], EventVerdict::Dead { error: "too large".into(), attempts: 5 }, 5).await;
        for (before, expected) in [(10, 0), (11, 1), (11, 0), (20, 0), (1_000, 1)] {
            assert_eq!(store.forget_events(epoch, at(before), 9).await, Ok(expected), "before {before}");
        }
        assert_eq!(delivered(store).await, [0, 0]);
        let outbox = store.outbox().await.expect("answers");
        let msg = outbox.iter().find(|count| count.target == Target::Msg).expect("is counted");
        assert_eq!((msg.pending, msg.dead), (1, 1), "neither was sent");
    }

    async fn g_event_retention_a_dead_event_goes_once_it_was_discarded(subject) {
        let store = subject.store();
        let epoch = with_events(store, vec![event(Target::Msg, 7, 1, 1), event(Target::Msg, 8, 1, 1)]).await;
        let waiting = due(store, Target::Msg, 2).await;
        settle(store, epoch, &waiting, EventVerdict::Dead { error: "x".into(), attempts: 5 }, 5).await;
        subject.discard(waiting[0].event_id, at(10)).await;
        assert_eq!(store.forget_events(epoch, at(10), 9).await, Ok(0));
        assert_eq!(store.forget_events(epoch, at(11), 9).await, Ok(1));
        assert_eq!(store.forget_events(epoch, at(1_000), 9).await, Ok(0), "the other waits for an operator");
    }

    async fn g_event_retention_a_state_that_was_forgotten_is_told_anew(subject) {
        let store = subject.store();
        let epoch = with_events(store, vec![event(Target::Schd, 7, 10, 1)]).await;
        let first = due(store, Target::Schd, 2).await;
        settle(store, epoch, &first, sent(), 5).await;
        assert_eq!(store.forget_events(epoch, at(6), 9).await, Ok(1));
        write(store, epoch, 2, vec![event(Target::Schd, 7, 11, 2)]).await;
        let next = due(store, Target::Schd, 9).await;
        assert_eq!(next.iter().map(|one| (one.flid, one.state_version)).collect::<Vec<_>>(), [(Flid(7), 11)]);
        assert!(next[0].event_id > first[0].event_id);
    }

    async fn g_event_retention_a_state_with_a_new_generation_is_not_forgotten(subject) {
        let store = subject.store();
        let epoch = with_events(store, vec![event(Target::Schd, 7, 10, 1)]).await;
        settle(store, epoch, &due(store, Target::Schd, 2).await, sent(), 5).await;
        write(store, epoch, 2, vec![event(Target::Schd, 7, 11, 2)]).await;
        assert_eq!(store.forget_events(epoch, at(1_000), 9).await, Ok(0));
        let next = due(store, Target::Schd, 9).await;
        assert_eq!(next.iter().map(|one| one.state_version).collect::<Vec<_>>(), [11]);
        settle(store, epoch, &next, sent(), 50).await;
        assert_eq!(store.forget_events(epoch, at(50), 9).await, Ok(0), "its time counts from the new one");
    }

    async fn g_event_retention_goes_batch_by_batch_and_leaves_the_order_of_the_rest(subject) {
        let store = subject.store();
        let events = (1..=5).map(|flid| event(Target::Msg, flid, 1, 1)).collect();
        let epoch = with_events(store, events).await;
        let waiting = due(store, Target::Msg, 2).await;
        settle(store, epoch, &waiting[..3], sent(), 5).await;
        for expected in [2, 1, 0] {
            assert_eq!(store.forget_events(epoch, at(9), 2).await, Ok(expected));
            assert_eq!(due(store, Target::Msg, 9).await, waiting[3..]);
        }
    }

    async fn bodies_go_by_age_of_messages_that_are_over(subject) {
        let store = subject.store();
        let epoch = queued(store, 5).await;
        let failed = Conclusion::Failed { class: ErrorClass::Infra, error: "x".into(), due: at(3) };
        end(store, epoch, [succeeded(1), succeeded(2), succeeded(3)]).await;
        end(store, epoch, [Settled { attempts: 1, ..tried(4, failed) }]).await;
        mark(store, [1, 2], 5).await;
        archive(store, epoch, 20).await;
        assert_eq!(store.forget_shadows(epoch, old(30, 2), 9).await, Ok(1));
        assert_eq!(store.forget_bodies(epoch, at(1), 9).await, Ok(0), "enqueued at that time, not before");
        for expected in [2, 1, 0] {
            assert_eq!(store.forget_bodies(epoch, at(1_000), 2).await, Ok(expected));
        }
        assert_eq!(subject.bodies().await, [4, 5], "these are still to be processed");
        assert_eq!(head_ids(store).await, [4, 5]);
    }

    async fn a_deposed_leader_forgets_neither_events_nor_bodies(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        let effects = Effects { events: vec![event(Target::Msg, 7, 1, 1)], ..super::run([succeeded(1)]) };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        settle(store, epoch, &due(store, Target::Msg, 2).await, sent(), 5).await;
        store.release_lease(epoch).await.expect("releases");
        super::lead(store).await;
        assert_eq!(store.forget_events(epoch, at(99), 9).await, Err(StoreError::Fenced(epoch)));
        assert_eq!(store.forget_bodies(epoch, at(99), 9).await, Err(StoreError::Fenced(epoch)));
        assert_eq!((delivered(store).await, subject.bodies().await), ([1, 0], vec![1]));
        assert_eq!(store.message(MsgId(1)).await.expect("answers").map(|one| one.msg_id), Some(MsgId(1)));
    }
}

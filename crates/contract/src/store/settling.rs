//! What became of events: conditional on the version sent, and on the epoch (INV-16).

use domain::event::Target;
use domain::{EventId, Flid};
use engine::ports::{EventSettled, EventVerdict, OutboxEvent, Store, StoreError, Views};

use super::lead;
use super::outbox::{due, failed, settled, with_events, write};
use crate::sample::{at, event};

fn sent(offset: i64) -> EventVerdict {
    EventVerdict::Sent { topic: "msgx.msg".into(), partition: 3, offset }
}

fn dead() -> EventVerdict {
    EventVerdict::Dead { error: "record too large 𠮷".into(), attempts: 5 }
}

async fn due_after(store: &impl Store) -> Vec<OutboxEvent> {
    due(store, Target::Msg, 1_000).await
}

cases! { $ store_settling_cases: StoreHarness in store::settling;
    async fn an_acknowledged_event_is_sent_with_its_receipt(subject) {
        let store = subject.store();
        let epoch = with_events(store, vec![event(Target::Msg, 7, 1, 1), event(Target::Msg, 8, 1, 1)]).await;
        let events = due(store, Target::Msg, 2).await;
        let answers = [settled(&events[0], sent(i64::MAX)), settled(&events[1], sent(17))];
        assert_eq!(store.settle_events(epoch, &answers, at(3)).await, Ok(2));
        assert_eq!(due_after(store).await, []);
        let receipt = |offset| vec![("msgx.msg".to_owned(), 3, offset)];
        assert_eq!(subject.receipts(Target::Msg, Flid(7)).await, receipt(i64::MAX));
        assert_eq!(subject.receipts(Target::Msg, Flid(8)).await, receipt(17));
        let delivered = store.five_facts().await.expect("answers").delivered;
        assert!(delivered.contains(&(Target::Msg, 2)), "{delivered:?}");
    }

    async fn a_second_confirmation_applies_to_nothing(subject) {
        let store = subject.store();
        let epoch = with_events(store, vec![event(Target::Msg, 7, 1, 1)]).await;
        let first = due(store, Target::Msg, 2).await.remove(0);
        assert_eq!(store.settle_events(epoch, &[settled(&first, sent(1))], at(3)).await, Ok(1));
        for late in [sent(2), failed(5), dead()] {
            assert_eq!(store.settle_events(epoch, &[settled(&first, late)], at(4)).await, Ok(0));
        }
        assert_eq!(subject.receipts(Target::Msg, Flid(7)).await, [("msgx.msg".to_owned(), 3, 1)]);
        assert_eq!(due_after(store).await, []);
    }

    async fn inv_16_a_newer_generation_stays_pending(subject) {
        let store = subject.store();
        for (n, verdict) in [(1, sent(1)), (2, failed(900)), (3, dead())] {
            let epoch = match n {
                1 => with_events(store, vec![event(Target::Schd, 7, 10, 1)]).await,
                _ => store.lease().await.expect("answers").expect("is held").epoch,
            };
            let old = due(store, Target::Schd, 20).await.remove(0);
            write(store, epoch, 1 + n, vec![event(Target::Schd, 7, 10 + n, 1 + n)]).await;
            assert_eq!(store.settle_events(epoch, &[settled(&old, verdict)], at(9)).await, Ok(0));
            let due = due(store, Target::Schd, 20).await;
            assert_eq!((due[0].state_version, due[0].attempts), (10 + n, 0));
        }
    }

    async fn a_dead_event_is_not_due_and_does_not_hold_up_its_key(subject) {
        let store = subject.store();
        let epoch = with_events(store, vec![event(Target::Msg, 7, 1, 1), event(Target::Msg, 7, 2, 1)]).await;
        let first = due(store, Target::Msg, 2).await.remove(0);
        assert_eq!(store.settle_events(epoch, &[settled(&first, dead())], at(3)).await, Ok(1));
        let due = due_after(store).await;
        assert_eq!(due.iter().map(|event| event.state_version).collect::<Vec<_>>(), [2]);
        let outbox = store.outbox().await.expect("answers");
        let msg = outbox.iter().find(|count| count.target == Target::Msg).expect("is counted");
        assert_eq!((msg.pending, msg.dead), (1, 1));
    }

    async fn outcomes_of_one_batch_are_independent(subject) {
        let store = subject.store();
        let events = [7, 8, 9].map(|flid| event(Target::Msg, flid, 1, 1)).to_vec();
        let epoch = with_events(store, events).await;
        let events = due(store, Target::Msg, 2).await;
        let unknown = EventSettled { event_id: EventId(1 << 40), state_version: 1, verdict: sent(1) };
        let batch =
            [settled(&events[0], sent(1)), unknown, settled(&events[1], failed(50)), settled(&events[2], dead())];
        assert_eq!(store.settle_events(epoch, &batch, at(3)).await, Ok(3));
        let later = due_after(store).await;
        assert_eq!(later.iter().map(|event| event.flid.0).collect::<Vec<_>>(), [8]);
        assert_eq!(store.settle_events(epoch, &[], at(3)).await, Ok(0));
    }

    async fn a_deposed_leader_confirms_nothing(subject) {
        let store = subject.store();
        let old = with_events(store, vec![event(Target::Msg, 7, 1, 1)]).await;
        store.release_lease(old).await.expect("releases");
        lead(store).await;
        let before = due(store, Target::Msg, 2).await;
        let refused = store.settle_events(old, &[settled(&before[0], sent(1))], at(3)).await;
        assert_eq!(refused, Err(StoreError::Fenced(old)));
        assert_eq!(due(store, Target::Msg, 2).await, before);
    }
}

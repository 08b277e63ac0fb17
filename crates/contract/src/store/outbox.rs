//! Events in order, per FLID (CLM-7).

use domain::decide::Effects;
use domain::event::{EventType, NewEvent, Target};
use domain::{Epoch, Flid, MsgId};
use engine::ports::{EventSettled, EventVerdict, OutboxEvent, Store, Views};

use super::{queued, run};
use crate::sample::{at, event, flight, succeeded};

/// Writes `events` as message 1's run, at [`at`]`(2)`.
pub(super) async fn with_events(store: &impl Store, events: Vec<NewEvent>) -> Epoch {
    let epoch = queued(store, 9).await;
    write(store, epoch, 1, events).await;
    epoch
}

pub(super) async fn write(store: &impl Store, epoch: Epoch, by: i64, events: Vec<NewEvent>) {
    let effects = Effects { events, ..run([succeeded(by)]) };
    store.commit_run(epoch, &effects, at(1 + by)).await.expect("commits");
}

pub(super) async fn due(store: &impl Store, target: Target, seconds: i64) -> Vec<OutboxEvent> {
    store.due_events(target, at(seconds), 100).await.expect("answers")
}

pub(super) fn settled(event: &OutboxEvent, verdict: EventVerdict) -> EventSettled {
    EventSettled { event_id: event.event_id, state_version: event.state_version, verdict }
}

pub(super) fn failed(due: i64) -> EventVerdict {
    EventVerdict::Failed { error: "too large".into(), attempts: 1, due: at(due) }
}

fn keys(events: &[OutboxEvent]) -> Vec<(i64, i64)> {
    events.iter().map(|event| (event.flid.0, event.state_version)).collect()
}

cases! { $ store_outbox_cases: StoreHarness in store::outbox;
    async fn an_event_is_due_at_once_and_whole(subject) {
        let store = subject.store();
        let new = event(Target::Msg, 7_304_412, 3, 1);
        with_events(store, vec![new.clone()]).await;
        let due = due(store, Target::Msg, 2).await;
        let expected = OutboxEvent {
            event_id: due[0].event_id,
            target: Target::Msg,
            flid: Flid(7_304_412),
            event_type: EventType::Upsert,
            state_version: 3,
            payload: new.payload,
            msg_id: MsgId(1),
            attempts: 0,
            created_at: at(2),
            is_late: false,
        };
        assert_eq!(due, [expected]);
    }

    async fn events_are_due_in_the_order_they_were_written(subject) {
        let store = subject.store();
        let events = [(9, 1), (3, 1), (9, 2), (5, 1)].map(|(flid, v)| event(Target::Msg, flid, v, 1));
        let epoch = with_events(store, events.to_vec()).await;
        write(store, epoch, 2, vec![event(Target::Msg, 1, 1, 2)]).await;
        let due = due(store, Target::Msg, 9).await;
        assert_eq!(keys(&due), [(9, 1), (3, 1), (9, 2), (5, 1), (1, 1)]);
        assert!(due.is_sorted_by(|a, b| a.event_id < b.event_id));
        let first = store.due_events(Target::Msg, at(9), 3).await.expect("answers");
        assert_eq!(first, due[..3]);
    }

    async fn targets_are_apart(subject) {
        let store = subject.store();
        with_events(store, vec![event(Target::Msg, 7, 1, 1), event(Target::Schd, 8, 1, 1)]).await;
        assert_eq!(keys(&due(store, Target::Msg, 9).await), [(7, 1)]);
        assert_eq!(keys(&due(store, Target::Schd, 9).await), [(8, 1)]);
    }

    async fn a_tombstone_is_kept_as_one(subject) {
        let store = subject.store();
        let deleted =
            NewEvent { event_type: EventType::Delete, payload: "null".into(), ..event(Target::Schd, 7, 2, 1) };
        with_events(store, vec![deleted]).await;
        let due = due(store, Target::Schd, 9).await;
        assert_eq!((due[0].event_type, due[0].payload.as_str()), (EventType::Delete, "null"));
    }

    async fn clm_07_an_event_waits_for_an_earlier_one_of_its_key(subject) {
        let store = subject.store();
        let events = [(7, 1), (8, 1), (7, 2)].map(|(flid, v)| event(Target::Msg, flid, v, 1));
        let epoch = with_events(store, events.to_vec()).await;
        let first = due(store, Target::Msg, 2).await.remove(0);
        store.settle_events(epoch, &[settled(&first, failed(50))], at(3)).await.expect("settles");
        assert_eq!(keys(&due(store, Target::Msg, 49).await), [(8, 1)], "others don't wait for it");
        let again = due(store, Target::Msg, 50).await;
        assert_eq!(keys(&again), [(7, 1), (8, 1), (7, 2)]);
        assert_eq!(again[0].attempts, 1);
    }

    async fn clm_07_the_limit_does_not_let_an_event_overtake_its_key(subject) {
        let store = subject.store();
        let events = [(7, 1), (7, 2), (8, 1)].map(|(flid, v)| event(Target::Msg, flid, v, 1));
        let epoch = with_events(store, events.to_vec()).await;
        let first = due(store, Target::Msg, 2).await.remove(0);
        store.settle_events(epoch, &[settled(&first, failed(50))], at(3)).await.expect("settles");
        let due = store.due_events(Target::Msg, at(4), 1).await.expect("answers");
        assert_eq!(keys(&due), [(8, 1)], "what waits takes no place");
    }

    async fn clm_07_a_waiting_key_of_one_target_does_not_hold_the_other(subject) {
        let store = subject.store();
        let epoch = with_events(store, Target::ALL.map(|target| event(target, 7, 1, 1)).to_vec()).await;
        let first = due(store, Target::Msg, 2).await.remove(0);
        store.settle_events(epoch, &[settled(&first, failed(50))], at(3)).await.expect("settles");
        assert_eq!(keys(&due(store, Target::Schd, 4).await), [(7, 1)]);
    }

    async fn a_newer_state_of_a_flight_takes_the_place_of_the_one_waiting(subject) {
        let store = subject.store();
        let epoch = with_events(store, vec![event(Target::Schd, 7, 1, 1), event(Target::Schd, 8, 1, 1)]).await;
        let seven = due(store, Target::Schd, 2).await.remove(0);
        assert_eq!(seven.flid, Flid(7));
        store.settle_events(epoch, &[settled(&seven, failed(50))], at(3)).await.expect("settles");
        let newer = event(Target::Schd, 7, 2, 2);
        write(store, epoch, 2, vec![newer.clone()]).await;
        let mut due = due(store, Target::Schd, 3).await;
        due.retain(|event| event.flid == Flid(7));
        assert_eq!(keys(&due), [(7, 2)], "one row, due at once");
        let event = due.remove(0);
        assert_eq!((event.attempts, event.msg_id, event.created_at), (0, MsgId(2), at(3)));
        assert_eq!(event.payload, newer.payload);
        let outbox = store.outbox().await.expect("answers");
        let schd = outbox.iter().find(|count| count.target == Target::Schd).expect("is counted");
        assert_eq!(schd.pending, 2);
    }

    async fn a_newer_state_of_a_flight_is_to_be_sent_again(subject) {
        let store = subject.store();
        let epoch = with_events(store, vec![event(Target::Schd, 7, 1, 1)]).await;
        let sent = EventVerdict::Sent { topic: "schd".into(), partition: 0, offset: 1 };
        let first = due(store, Target::Schd, 2).await.remove(0);
        store.settle_events(epoch, &[settled(&first, sent)], at(3)).await.expect("settles");
        assert_eq!(due(store, Target::Schd, 9).await, []);
        write(store, epoch, 2, vec![event(Target::Schd, 7, 2, 2)]).await;
        assert_eq!(keys(&due(store, Target::Schd, 9).await), [(7, 2)]);
        let delivered = store.five_facts().await.expect("answers").delivered;
        assert!(delivered.iter().all(|(_, count)| *count == 0), "sent no more: {delivered:?}");
    }

    async fn a_newer_state_revives_a_dead_event(subject) {
        let store = subject.store();
        let epoch = with_events(store, vec![event(Target::Schd, 7, 1, 1)]).await;
        let first = due(store, Target::Schd, 2).await.remove(0);
        let dead = EventVerdict::Dead { error: "too large".into(), attempts: 5 };
        store.settle_events(epoch, &[settled(&first, dead)], at(3)).await.expect("settles");
        write(store, epoch, 2, vec![event(Target::Schd, 7, 2, 2)]).await;
        let due = due(store, Target::Schd, 9).await;
        assert_eq!((keys(&due), due[0].attempts), (vec![(7, 2)], 0));
    }

    async fn events_and_flights_of_one_run_belong_together(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        let effects = Effects {
            new_flights: vec![flight(7, 1, 1), flight(8, 1, 1)],
            events: vec![event(Target::Msg, 7, 1, 1), event(Target::Msg, 8, 1, 1)],
            ..run([succeeded(1)])
        };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        assert_eq!(keys(&due(store, Target::Msg, 2).await), [(7, 1), (8, 1)]);
        assert_eq!(store.flights(10).await.expect("answers").len(), 2);
    }
}

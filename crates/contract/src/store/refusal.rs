//! What a refused run leaves behind: nothing (INV-17).

use domain::decide::Effects;
use domain::event::Target;
use domain::flight::Flight;
use domain::message::{Conclusion, ErrorClass, Settled};
use domain::{Flid, MsgId};
use engine::ports::{FiveFacts, Messages, QueueView, Store, StoreError, Views};

use super::{end, queued, run};
use crate::sample::{at, event, flight, key, succeeded, tried};

type Facts = (FiveFacts, QueueView, usize, usize);

async fn facts(store: &(impl Store + Views)) -> Facts {
    let events = store.due_events(Target::Msg, at(1_000), 10).await.expect("answers").len();
    (
        store.five_facts().await.expect("answers"),
        store.queue().await.expect("answers"),
        store.flights(10).await.expect("answers").len()
            + store.attempts(MsgId(2)).await.expect("answers").len(),
        events,
    )
}

/// A run of message 2 with all there is to write, and then `last`.
fn run_before(last: Settled) -> Effects {
    let failure = Some((ErrorClass::Infra, "x".to_owned()));
    let first = Settled { attempts: 1, attempt_failure: failure, ..succeeded(2) };
    Effects {
        new_flights: vec![flight(7, 1, 2)],
        events: vec![event(Target::Msg, 7, 1, 2), event(Target::Schd, 7, 1, 2)],
        ..run([first, last])
    }
}

cases! { $ store_refusal_cases: StoreHarness in store::refusal;
    async fn inv_17_a_message_not_as_it_was_read_refuses_the_whole_run(subject) {
        let store = subject.store();
        let epoch = queued(store, 4).await;
        end(store, epoch, [succeeded(1)]).await;
        let failed = Conclusion::Failed { class: ErrorClass::Infra, error: "x".into(), due: at(3) };
        end(store, epoch, [Settled { attempts: 1, ..tried(4, failed) }]).await;
        let before = facts(store).await;
        for (why, last) in [
            ("ended already", Settled { identity: None, ..succeeded(1) }),
            ("attempts too low", succeeded(4)),
            ("attempts too high", Settled { attempts_seen: 1, ..succeeded(3) }),
            ("unknown", succeeded(99)),
        ] {
            let refused = store.commit_run(epoch, &run_before(last), at(5)).await;
            assert!(matches!(refused, Err(StoreError::Conflict(_))), "{why}: {refused:?}");
            assert_eq!(facts(store).await, before, "{why}");
            assert_eq!(store.flight(Flid(7)).await, Ok(None), "{why}");
        }
    }

    async fn inv_17_of_two_runs_of_one_message_at_once_one_applies(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        let runs = [run_before(succeeded(1)), run_before(succeeded(3))];
        let answers =
            tokio::join!(store.commit_run(epoch, &runs[0], at(5)), store.commit_run(epoch, &runs[1], at(5)));
        assert_ne!(answers.0.is_ok(), answers.1.is_ok(), "{answers:?}");
        assert_eq!(store.five_facts().await.expect("answers").processed, 2);
        assert_eq!(store.due_events(Target::Msg, at(9), 10).await.expect("answers").len(), 1);
        assert_eq!(store.attempts(MsgId(2)).await.expect("answers").len(), 1);
    }

    async fn inv_06_an_ended_message_is_never_ended_again(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        end(store, epoch, [succeeded(1)]).await;
        let before = store.message(MsgId(1)).await;
        let dead = Conclusion::Dead { class: ErrorClass::Malformed, error: "x".into() };
        let refused = store.commit_run(epoch, &run([tried(1, dead)]), at(5)).await;
        assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
        assert_eq!(store.message(MsgId(1)).await, before);
    }

    async fn inv_13_a_flights_version_never_goes_back(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        let stored = Flight { incarnation: 2, ..flight(7, 5, 1) };
        let effects = Effects { new_flights: vec![stored.clone()], ..run([succeeded(1)]) };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        let before = facts(store).await;
        for older in [Flight { incarnation: 2, ..flight(7, 4, 2) }, Flight { incarnation: 1, ..flight(7, 6, 2) }] {
            let new_flights = vec![flight(8, 1, 2)];
            let effects = Effects { new_flights, flights: vec![older], ..run_before(succeeded(3)) };
            let refused = store.commit_run(epoch, &effects, at(5)).await;
            assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
            assert_eq!(facts(store).await, before);
            assert_eq!(store.flight(Flid(7)).await, Ok(Some(stored.clone())));
        }
    }

    async fn inv_17_a_fenced_run_leaves_nothing(subject) {
        let store = subject.store();
        let old = queued(store, 3).await;
        store.release_lease(old).await.expect("releases");
        super::lead(store).await;
        let before = facts(store).await;
        let refused = store.commit_run(old, &run_before(succeeded(3)), at(5)).await;
        assert_eq!(refused, Err(StoreError::Fenced(old)));
        assert_eq!(facts(store).await, before);
        assert_eq!(store.flight(Flid(7)).await, Ok(None));
    }

    async fn inv_09_two_messages_never_hold_one_key(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        end(store, epoch, [succeeded(1)]).await;
        let before = facts(store).await;
        let thief = Settled { identity: Some(key(1)), ..succeeded(3) };
        let refused = store.commit_run(epoch, &run_before(thief), at(5)).await;
        assert!(matches!(refused, Err(StoreError::Data(_))), "{refused:?}");
        assert_eq!(facts(store).await, before);
    }

    async fn inv_09_a_shadow_row_gives_its_key_to_nobody(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        end(store, epoch, [succeeded(1)]).await;
        subject.archive(MsgId(1)).await;
        let thief = Settled { identity: Some(key(1)), ..succeeded(2) };
        let refused = store.commit_run(epoch, &run([thief]), at(5)).await;
        assert!(matches!(refused, Err(StoreError::Data(_))), "{refused:?}");
    }

    async fn inv_09_only_a_dead_holder_yields(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        end(store, epoch, [succeeded(1)]).await;
        let before = facts(store).await;
        let thief = Settled { identity: Some(key(1)), yields: Some(MsgId(1)), ..succeeded(3) };
        let refused = store.commit_run(epoch, &run_before(thief), at(5)).await;
        assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
        assert_eq!(facts(store).await, before);
    }
}

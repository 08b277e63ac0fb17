//! Flights that become history (INV-18): which, in what order, and what is told of them.

use domain::decide::Effects;
use domain::event::{EventType, Target};
use domain::flight::{Flight, HistoryDue, Life, PastFlight};
use domain::{Epoch, Flid, MsgId};
use engine::ports::{PastView, Store, StoreError, Views};
use jiff::Timestamp;
use jiff::civil::date;

use super::{queued, run};
use crate::sample::{at, code_share, event, flight, succeeded};

/// A flight of that day of May 2026.
fn of_day(flight: Flight, day: i8) -> Flight {
    Flight { operation_day: Some(date(2026, 5, day)), ..flight }
}

/// Due: days before 10 May, and what has no day and was silent since `silent_since`.
fn due(silent_since: Timestamp) -> HistoryDue {
    HistoryDue { day: date(2026, 5, 10), silent_since }
}

/// Commits flights as new at [`at`]`(2)`, each ACTIVE one with its event.
async fn with_flights(store: &impl Store, new_flights: Vec<Flight>) -> Epoch {
    let epoch = queued(store, 9).await;
    let active = new_flights.iter().filter(|flight| flight.life == Life::Active);
    let events = active.map(|one| event(Target::Schd, one.flid.0, one.state_version, 1)).collect();
    let effects = Effects { new_flights, events, ..run([succeeded(1)]) };
    store.commit_run(epoch, &effects, at(2)).await.expect("commits");
    epoch
}

async fn current(store: &impl Views) -> Vec<i64> {
    let mut flids: Vec<i64> =
        store.flights(1_000).await.expect("answers").iter().map(|flight| flight.flid.0).collect();
    flids.sort_unstable();
    flids
}

async fn sweep(store: &impl Store, epoch: Epoch, limit: usize) -> u64 {
    store.sweep_flights(epoch, due(at(5)), limit, at(50)).await.expect("sweeps")
}

cases! { $ store_history_cases: StoreHarness in store::history;
    async fn inv_18_a_swept_flight_is_history_with_its_tombstone_and_its_version(subject) {
        let store = subject.store();
        let swept = of_day(flight(7, 3, 1), 9);
        let epoch = with_flights(store, vec![swept.clone(), of_day(flight(8, 1, 1), 10)]).await;
        assert_eq!(sweep(store, epoch, 10).await, 1);
        assert_eq!(current(store).await, [8]);
        let past = Flight { state_version: 4, ..swept };
        assert_eq!(store.past_flights(Flid(7)).await, Ok(vec![PastView { flight: past, swept_at: at(50) }]));
        let events = store.due_events(Target::Schd, at(60), 10).await.expect("answers");
        let told = |flid| {
            let event = events.iter().find(|event| event.flid == Flid(flid)).expect("an event");
            (event.event_type, event.state_version, event.payload.as_str(), event.msg_id)
        };
        assert_eq!(told(7), (EventType::Delete, 4, "null", MsgId(1)));
        assert_eq!(told(8).0, EventType::Upsert);
        assert_eq!(sweep(store, epoch, 10).await, 0, "once");
    }

    async fn inv_18_flights_that_consumers_do_not_see_become_history_silently(subject) {
        let store = subject.store();
        let deleted = Flight { life: Life::Deleted, ..of_day(flight(7, 3, 1), 1) };
        let partial = Flight { life: Life::Partial, ..of_day(flight(8, 2, 1), 1) };
        let epoch = with_flights(store, vec![deleted.clone(), partial.clone()]).await;
        assert_eq!(sweep(store, epoch, 10).await, 2);
        assert_eq!(store.due_events(Target::Schd, at(60), 10).await, Ok(vec![]));
        for flight in [deleted, partial] {
            let past = store.past_flights(flight.flid).await.expect("answers");
            assert_eq!(past.into_iter().map(|past| past.flight).collect::<Vec<_>>(), [flight]);
        }
    }

    async fn inv_18_a_flight_without_a_day_is_due_when_it_has_been_silent(subject) {
        let store = subject.store();
        let dayless = Flight { life: Life::Partial, operation_day: None, ..flight(7, 1, 1) };
        let epoch = with_flights(store, vec![dayless]).await;
        for (silent_since, swept) in [(at(2), 0), (at(3), 1)] {
            let sweep = store.sweep_flights(epoch, due(silent_since), 10, at(50)).await;
            assert_eq!(sweep, Ok(swept), "written at {}", at(2));
        }
    }

    async fn inv_21_a_code_share_stays_while_its_main_flight_is_active_and_not_due(subject) {
        let store = subject.store();
        let gone = Flight { life: Life::Deleted, ..of_day(flight(30, 2, 1), 20) };
        let flights = vec![
            of_day(flight(10, 1, 1), 20),
            of_day(code_share(11, 10, 1), 9),
            gone,
            of_day(code_share(31, 30, 1), 9),
            of_day(code_share(41, 41, 1), 9),
            of_day(code_share(51, 99, 1), 9),
            of_day(code_share(61, 11, 1), 9),
            of_day(code_share(71, 72, 1), 9),
            of_day(code_share(72, 71, 1), 9),
        ];
        let epoch = with_flights(store, flights).await;
        assert_eq!(sweep(store, epoch, 10).await, 5);
        let left = current(store).await;
        assert_eq!(left, [10, 11, 30, 61], "an unknown, a deleted, its own or a mutual main keeps none");
        assert_eq!(sweep(store, epoch, 10).await, 0, "61 waits for 11, which waits for 10");
    }

    async fn inv_18_main_flights_go_first_then_the_oldest_day_and_no_more_than_asked(subject) {
        let store = subject.store();
        let flights = vec![
            of_day(code_share(1, 10, 1), 1),
            of_day(flight(10, 1, 1), 9),
            of_day(flight(20, 1, 1), 8),
            of_day(flight(15, 1, 1), 8),
        ];
        let epoch = with_flights(store, flights).await;
        for left in [&[1, 10, 20][..], &[1, 10], &[1], &[]] {
            assert_eq!(sweep(store, epoch, 1).await, 1);
            assert_eq!(current(store).await, left);
        }
    }

    async fn inv_17_a_fenced_sweep_moves_nothing(subject) {
        let store = subject.store();
        let old = with_flights(store, vec![of_day(flight(7, 3, 1), 1)]).await;
        store.release_lease(old).await.expect("releases");
        super::lead(store).await;
        let refused = store.sweep_flights(old, due(at(5)), 10, at(50)).await;
        assert_eq!(refused, Err(StoreError::Fenced(old)));
        assert_eq!(store.forget_history(old, at(99), 10).await, Err(StoreError::Fenced(old)));
        assert_eq!(store.forget_changes(old, at(99), 10).await, Err(StoreError::Fenced(old)));
        assert_eq!(current(store).await, [7]);
    }

    async fn inv_18_a_run_that_read_a_flight_before_the_sweep_is_refused(subject) {
        let store = subject.store();
        let epoch = with_flights(store, vec![of_day(flight(7, 3, 1), 1)]).await;
        assert_eq!(sweep(store, epoch, 10).await, 1);
        let late = Effects { flights: vec![flight(7, 4, 2)], ..run([succeeded(2)]) };
        let refused = store.commit_run(epoch, &late, at(60)).await;
        assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
        assert_eq!(store.flight(Flid(7)).await, Ok(None));
        assert_eq!(super::head_ids(store).await[0], 2, "nothing of the run was written");
    }

    async fn inv_18_a_new_flight_that_is_there_already_refuses_the_run(subject) {
        let store = subject.store();
        let first = of_day(flight(7, 3, 1), 20);
        let epoch = with_flights(store, vec![first.clone()]).await;
        let again = Effects { new_flights: vec![flight(8, 1, 2), flight(7, 9, 2)], ..run([succeeded(2)]) };
        let refused = store.commit_run(epoch, &again, at(60)).await;
        assert!(matches!(refused, Err(StoreError::Conflict(_))), "{refused:?}");
        assert_eq!(store.flight(Flid(7)).await, Ok(Some(first)));
        assert_eq!(current(store).await, [7]);
    }

    async fn inv_18_the_world_knows_the_newest_life_in_history_of_what_is_not_current(subject) {
        let store = subject.store();
        let lives = |version, incarnation| Flight { incarnation, ..of_day(flight(7, version, 1), 1) };
        let epoch = with_flights(store, vec![lives(3, 1), of_day(flight(8, 1, 1), 20)]).await;
        assert_eq!(sweep(store, epoch, 10).await, 1);
        let revived = Effects {
            new_flights: vec![Flight { last_by: MsgId(2), ..lives(5, 2) }],
            ..run([succeeded(2)])
        };
        store.commit_run(epoch, &revived, at(60)).await.expect("commits");
        let past = async || store.world(&[], &[Flid(7), Flid(8), Flid(9)]).await.expect("answers").past;
        assert_eq!(past().await, [], "the one with a current life lives");
        assert_eq!(sweep(store, epoch, 10).await, 1);
        let newest = PastFlight { flid: Flid(7), state_version: 6, incarnation: 2, last_by: MsgId(2) };
        assert_eq!(past().await, [newest]);
        let lives = store.past_flights(Flid(7)).await.expect("answers");
        assert_eq!(lives.iter().map(|past| past.flight.incarnation).collect::<Vec<_>>(), [2, 1]);
    }

    async fn what_is_older_than_it_is_kept_is_forgotten_oldest_first(subject) {
        let store = subject.store();
        let epoch = with_flights(store, (1..=3).map(|n| of_day(flight(n, 1, 1), 1)).collect()).await;
        for second in [50, 51, 52] {
            let swept = store.sweep_flights(epoch, due(at(5)), 1, at(second)).await;
            assert_eq!(swept, Ok(1));
        }
        for (before, limit, forgotten) in [(50, 9, 0), (52, 1, 1), (52, 9, 1), (99, 9, 1), (99, 9, 0)] {
            assert_eq!(store.forget_history(epoch, at(before), limit).await, Ok(forgotten), "{before}");
        }
    }
}

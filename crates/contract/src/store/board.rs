//! Flights for the board.

use domain::decide::Effects;
use domain::flight::{Flight, Life};
use domain::{Flid, MsgId};
use engine::ports::{Store, Views};
use jiff::civil::date;

use super::{queued, run};
use crate::sample::{at, flight, succeeded};

async fn board(store: &(impl Store + Views), limit: usize) -> Vec<i64> {
    store.flights(limit).await.expect("answers").iter().map(|flight| flight.flid.0).collect()
}

async fn with_flights(store: &impl Store, flights: Vec<Flight>) {
    let epoch = queued(store, 1).await;
    let effects = Effects { new_flights: flights, ..run([succeeded(1)]) };
    store.commit_run(epoch, &effects, at(2)).await.expect("commits");
}

fn flights() -> Vec<Flight> {
    [(9, 1, 30), (3, 1, 10), (5, 2, 40), (20, 1, 20)]
        .map(|(flid, day, by)| Flight { operation_day: Some(date(2026, 5, day)), ..flight(flid, 1, by) })
        .to_vec()
}

cases! { $ store_board_cases: StoreHarness in store::board;
    async fn the_board_is_in_order_of_day_and_flight(subject) {
        let store = subject.store();
        assert_eq!(board(store, 10).await, [0_i64; 0]);
        with_flights(store, flights()).await;
        assert_eq!(board(store, 10).await, [3, 9, 20, 5]);
    }

    async fn the_board_shows_what_changed_last_where_not_all_fits(subject) {
        let store = subject.store();
        with_flights(store, flights()).await;
        assert_eq!(board(store, 3).await, [9, 20, 5], "3 was touched least recently");
        assert_eq!(board(store, 1).await, [5]);
    }

    async fn flights_without_a_day_come_last(subject) {
        let store = subject.store();
        let unknown = Flight { life: Life::Partial, operation_day: None, ..flight(1, 0, 50) };
        with_flights(store, flights().into_iter().chain([unknown]).collect()).await;
        assert_eq!(board(store, 10).await, [3, 9, 20, 5, 1]);
    }

    async fn a_flight_on_the_board_is_the_flight_as_written(subject) {
        let store = subject.store();
        let written = Flight { last_by: MsgId(77), ..flight(7, 3, 1) };
        with_flights(store, vec![written.clone()]).await;
        assert_eq!(store.flights(1).await, Ok(vec![written.clone()]));
        assert_eq!(store.flight(Flid(7)).await, Ok(Some(written)));
        assert_eq!(store.flight(Flid(8)).await, Ok(None));
    }
}

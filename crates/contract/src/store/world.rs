//! What a run meets: holders of its keys, flights and their families.

use domain::decide::Effects;
use domain::flight::Flight;
use domain::message::{Conclusion, ErrorClass, Holder, Settled, State};
use domain::{Flid, MsgId};
use engine::ports::Store;

use super::{end, queued, run};
use crate::sample::{at, code_share, flight, key, skipped, succeeded, tried};

async fn with_flights(store: &impl Store, flights: Vec<Flight>) {
    let epoch = queued(store, 1).await;
    let effects = Effects { new_flights: flights, ..run([succeeded(1)]) };
    store.commit_run(epoch, &effects, at(2)).await.expect("commits");
}

async fn family(store: &impl Store, asked: &[i64]) -> Vec<i64> {
    let flids: Vec<Flid> = asked.iter().copied().map(Flid).collect();
    let world = store.world(&[], &flids).await.expect("answers");
    let mut found: Vec<i64> = world.flights.iter().map(|flight| flight.flid.0).collect();
    found.sort_unstable();
    found
}

cases! { $ store_world_cases: StoreHarness in store::world;
    async fn nothing_asked_nothing_found(subject) {
        let store = subject.store();
        with_flights(store, vec![flight(7, 1, 1)]).await;
        let world = store.world(&[], &[]).await.expect("answers");
        assert_eq!((world.holders, world.flights), (vec![], vec![]));
    }

    async fn inv_09_the_holder_of_a_key_is_found_with_state_and_hash(subject) {
        let store = subject.store();
        let epoch = queued(store, 4).await;
        let dead = Conclusion::Dead { class: ErrorClass::Exhausted, error: "x".into() };
        let dead = Settled { identity: Some(key(2)), ..tried(2, dead) };
        end(store, epoch, [succeeded(1), dead, skipped(3, "duplicate-of:1"), succeeded(4)]).await;
        let world = store.world(&[key(1), key(2), key(3), key(99)], &[]).await.expect("answers");
        let mut holders = world.holders;
        holders.sort_by_key(|holder| holder.msg_id);
        let succeeded = Holder {
            key: key(1),
            msg_id: MsgId(1),
            state: State::Succeeded,
            content_hash: Some([1; 32]),
        };
        let dead = Holder { key: key(2), msg_id: MsgId(2), state: State::Dead, content_hash: None };
        assert_eq!(holders, [succeeded, dead]);
    }

    async fn inv_09_a_shadow_row_still_holds_its_key_and_proves_no_duplicate(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        end(store, epoch, [succeeded(1)]).await;
        subject.archive(MsgId(1)).await;
        let world = store.world(&[key(1)], &[]).await.expect("answers");
        let shadow =
            Holder { key: key(1), msg_id: MsgId(1), state: State::Archived, content_hash: None };
        assert_eq!(world.holders, [shadow]);
    }

    async fn unknown_flights_are_not_made_up(subject) {
        let store = subject.store();
        with_flights(store, vec![flight(7, 1, 1)]).await;
        assert_eq!(family(store, &[7, 8]).await, [7]);
    }

    async fn a_flight_comes_with_its_whole_family(subject) {
        let store = subject.store();
        let shares = [(11, 10), (12, 10), (21, 20)];
        let mut flights = vec![flight(10, 1, 1), flight(20, 1, 1), flight(30, 1, 1)];
        flights.extend(shares.map(|(flid, main)| code_share(flid, main, 1)));
        with_flights(store, flights).await;
        for (asked, expected) in [
            (&[10][..], &[10, 11, 12][..]),
            (&[11], &[10, 11, 12]),
            (&[30], &[30]),
            (&[30, 21], &[20, 21, 30]),
            (&[12, 11, 10, 11], &[10, 11, 12]),
        ] {
            assert_eq!(family(store, asked).await, expected, "asked for {asked:?}");
        }
    }

    async fn a_main_flight_that_is_unknown_or_the_flight_itself_does_no_harm(subject) {
        let store = subject.store();
        with_flights(store, vec![code_share(11, 10, 1), code_share(13, 13, 1)]).await;
        assert_eq!(family(store, &[11]).await, [11]);
        assert_eq!(family(store, &[13]).await, [13]);
    }

    async fn inv_21_children_are_found_before_their_main_flight_is_known(subject) {
        let store = subject.store();
        with_flights(store, vec![code_share(11, 10, 1), code_share(12, 10, 1), flight(30, 1, 1)]).await;
        assert_eq!(family(store, &[10]).await, [11, 12]);
    }

    async fn a_flight_that_changes_its_main_changes_family(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        let before = vec![flight(10, 1, 1), flight(20, 1, 1), code_share(11, 10, 1)];
        let effects = Effects { new_flights: before, ..run([succeeded(1)]) };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        let effects = Effects { flights: vec![code_share(11, 20, 2)], ..run([succeeded(2)]) };
        store.commit_run(epoch, &effects, at(3)).await.expect("commits");
        assert_eq!((family(store, &[10]).await, family(store, &[20]).await), (vec![10], vec![11, 20]));
    }
}

//! Timelines of flights, kinds of messages, and flights by day and kin.

use domain::decide::Effects;
use domain::flight::{FieldState, Flight, FlightChange, HistoryDue, Life, Stamped};
use domain::message::{Conclusion, ErrorClass, Labels, Settled, State};
use domain::{Flid, MsgId};
use engine::ports::{ChangeView, KindCount, Store, Views};
use jiff::civil::date;
use serde_json::json;

use super::{end, queued, run};
use crate::sample::{at, code_share, flight, skipped, succeeded, tried};

fn change(flid: i64, state_version: i64, by: i64) -> FlightChange {
    FlightChange {
        flid: Flid(flid),
        state_version,
        incarnation: 2,
        life: Life::Active,
        msg_id: MsgId(by),
        kind: (by != 2).then(|| "FLOP".into()),
        subtype: (by != 2).then(|| "STND".into()),
        changes: json!([{ "field": "stand", "from": null, "to": "延误 𠮷 ✈" }]).to_string(),
    }
}

/// A flight whose aircraft came with, or goes on as, `partner`.
fn turning(flid: i64, partner: i64) -> Flight {
    let mut flight = flight(flid, 1, 1);
    let link = Stamped { value: Some(json!({ "airline": "ZZ", "flid": partner })), by: MsgId(1) };
    flight.fields.insert("turnaround".into(), FieldState::Single(link));
    flight
}

fn flids(flights: &[Flight]) -> Vec<i64> {
    flights.iter().map(|flight| flight.flid.0).collect()
}

cases! { $ store_timeline_cases: StoreHarness in store::timeline;
    async fn steps_of_a_timeline_come_back_as_they_were_written_oldest_first(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        let changes = vec![change(7, 1, 1), change(8, 1, 1), change(7, 2, 1)];
        store.commit_run(epoch, &Effects { changes, ..run([succeeded(1)]) }, at(2)).await.expect("commits");
        let changes = vec![change(7, 3, 2)];
        store.commit_run(epoch, &Effects { changes, ..run([succeeded(2)]) }, at(3)).await.expect("commits");
        let view = |version, by, second| ChangeView { change: change(7, version, by), at: at(second) };
        let all = [view(1, 1, 2), view(2, 1, 2), view(3, 2, 3)];
        assert_eq!(store.flight_changes(Flid(7), 9).await, Ok(all.to_vec()));
        assert_eq!(store.flight_changes(Flid(7), 2).await, Ok(all[1..].to_vec()), "the last ones");
        assert_eq!(store.flight_changes(Flid(9), 9).await, Ok(vec![]));
    }

    async fn steps_older_than_they_are_kept_are_forgotten_oldest_first(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        for by in 1..=3 {
            let effects = Effects { changes: vec![change(7, by, by)], ..run([succeeded(by)]) };
            store.commit_run(epoch, &effects, at(10 + by)).await.expect("commits");
        }
        for (before, limit, forgotten) in [(11, 9, 0), (13, 1, 1), (13, 9, 1), (13, 9, 0)] {
            assert_eq!(store.forget_changes(epoch, at(before), limit).await, Ok(forgotten), "{before}");
        }
        let left = store.flight_changes(Flid(7), 9).await.expect("answers");
        assert_eq!(left.iter().map(|view| view.change.state_version).collect::<Vec<_>>(), [3]);
    }

    async fn a_flid_that_is_used_anew_after_all_was_forgotten_begins_its_timeline_anew(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        for by in 1..=2 {
            let effects = Effects { changes: vec![change(7, 1, by)], ..run([succeeded(by)]) };
            store.commit_run(epoch, &effects, at(by)).await.expect("commits");
        }
        let steps = store.flight_changes(Flid(7), 9).await;
        assert_eq!(steps, Ok(vec![ChangeView { change: change(7, 1, 2), at: at(2) }]));
    }

    async fn inv_01_ends_are_counted_by_kind_with_the_first_and_the_last(subject) {
        let store = subject.store();
        let epoch = queued(store, 6).await;
        let class = ErrorClass::Malformed;
        let dead = tried(3, Conclusion::Dead { class, error: "no root".into() });
        let failed = tried(5, Conclusion::Failed { class, error: "x".into(), due: at(9) });
        let first = [succeeded(2), succeeded(1), Settled { labels: Labels::default(), ..dead }];
        end(store, epoch, first).await;
        let second = [succeeded(4), skipped(6, "duplicate-of:1"), Settled { attempts: 1, ..failed }];
        store.commit_run(epoch, &run(second), at(7)).await.expect("commits");
        let kind = |names: [&str; 2], state, count, ids: [i64; 2], seconds: [i64; 2]| KindCount {
            kind: names[0].into(),
            subtype: names[1].into(),
            state,
            class: (state == State::Dead).then_some(class),
            count,
            first_at: at(seconds[0]),
            last_at: at(seconds[1]),
            first_msg_id: MsgId(ids[0]),
            last_msg_id: MsgId(ids[1]),
        };
        let mut kinds = store.message_kinds().await.expect("answers");
        assert_eq!(kinds[0].count, 3, "most frequent first");
        kinds.sort_by_key(|kind| kind.first_msg_id);
        let flop = ["FLOP", "ESTT"];
        let expected = [
            kind(flop, State::Succeeded, 3, [1, 4], [2, 7]),
            kind(["", ""], State::Dead, 1, [3, 3], [2, 2]),
            kind(flop, State::Skipped, 1, [6, 6], [7, 7]),
        ];
        assert_eq!(kinds, expected, "FAILED is no end");
    }

    async fn flights_of_a_day_are_found_current_and_past(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        let of = |flid, day| Flight { operation_day: Some(date(2026, 5, day)), ..flight(flid, 1, 1) };
        let new_flights = vec![of(9, 1), of(3, 1), of(5, 2), of(4, 1)];
        let effects = Effects { new_flights, ..run([succeeded(1)]) };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        let day = date(2026, 5, 1);
        assert_eq!(flids(&store.flights_of(day, 9).await.expect("answers")), [3, 4, 9]);
        assert_eq!(flids(&store.flights_of(day, 2).await.expect("answers")), [3, 4]);
        let due = HistoryDue { day: date(2026, 5, 2), silent_since: at(0) };
        assert_eq!(store.sweep_flights(epoch, due, 9, at(50)).await, Ok(3));
        assert_eq!(store.flights_of(day, 9).await, Ok(vec![]));
        let past = async |limit| -> Vec<i64> {
            let views = store.past_flights_of(day, limit).await.expect("answers");
            views.iter().map(|view| view.flight.flid.0).collect()
        };
        assert_eq!((past(9).await, past(1).await), (vec![3, 4, 9], vec![3]));
        assert_eq!(store.past_flights_of(date(2026, 5, 2), 9).await, Ok(vec![]));
    }

    async fn relatives_are_main_flight_code_shares_and_turnaround_both_ways(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        let new_flights = vec![
            flight(10, 1, 1),
            code_share(11, 10, 1),
            code_share(12, 10, 1),
            turning(20, 10),
            turning(30, 31),
            turning(31, 30),
            turning(40, 40),
            turning(50, 99),
        ];
        let effects = Effects { new_flights, ..run([succeeded(1)]) };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        for (flid, kin) in [
            (10, &[11, 12, 20][..]),
            (11, &[10]),
            (20, &[10]),
            (30, &[31]),
            (40, &[]),
            (50, &[]),
            (99, &[50]),
        ] {
            assert_eq!(flids(&store.relatives(Flid(flid)).await.expect("answers")), kin, "of {flid}");
        }
    }
}

//! Paused rooms: kept, replaced, taken away, audited.

use domain::lifecycle::{Act, Pausable, Pause, Target};
use engine::ports::{Actions, AuditFilter, Outcome, PauseOrder, PauseWhat, Pauses};

use crate::sample::at;

fn order(operation: &str, room: Pausable, second: i64, what: PauseWhat) -> PauseOrder {
    let (by, reason) = ("ann".to_owned(), "cut-over 港".to_owned());
    PauseOrder { operation: operation.into(), room, by, reason, at: at(second), what }
}

const OPEN: PauseWhat = PauseWhat::Pause { until: None };

cases! { $ store_pauses_cases: StoreHarness in store::pauses;
    async fn a_pause_is_kept_with_who_why_and_until_when(subject) {
        let store = subject.store();
        assert_eq!(store.pauses().await, Ok(vec![]));
        let timed = PauseWhat::Pause { until: Some(at(60)) };
        for (id, room, what) in [("a", Pausable::Pump, OPEN), ("b", Pausable::Marks, timed)] {
            assert_eq!(store.set_pause(&order(id, room, 1, what)).await, Ok(true));
        }
        let pause = |room, until| {
            Pause { room, by: "ann".into(), reason: "cut-over 港".into(), at: at(1), until }
        };
        let expected = vec![pause(Pausable::Marks, Some(at(60))), pause(Pausable::Pump, None)];
        let mut found = store.pauses().await.expect("answers");
        found.sort_by_key(|pause| pause.room.as_str());
        assert_eq!(found, expected);
    }

    async fn a_pause_is_replaced_resumed_and_repeated_orders_change_nothing(subject) {
        let store = subject.store();
        let pause = order("a", Pausable::Delivery, 1, OPEN);
        assert_eq!(store.set_pause(&pause).await, Ok(true));
        let longer = order("b", Pausable::Delivery, 2, PauseWhat::Pause { until: Some(at(90)) });
        assert_eq!(store.set_pause(&longer).await, Ok(true));
        assert_eq!(store.pauses().await, Ok(vec![longer.pause().expect("a pause")]));
        let resume = order("c", Pausable::Delivery, 3, PauseWhat::Resume);
        assert_eq!(store.set_pause(&resume).await, Ok(true));
        assert_eq!(store.pauses().await, Ok(vec![]));
        assert_eq!(store.set_pause(&pause).await, Ok(true), "given twice");
        assert_eq!(store.pauses().await, Ok(vec![]));
    }

    async fn resuming_what_is_not_paused_is_refused_and_audited(subject) {
        let store = subject.store();
        let short = order("a", Pausable::Pump, 1, PauseWhat::Pause { until: Some(at(5)) });
        assert_eq!(store.set_pause(&short).await, Ok(true));
        for (id, room) in [("b", Pausable::Pump), ("c", Pausable::Discovery)] {
            assert_eq!(store.set_pause(&order(id, room, 9, PauseWhat::Resume)).await, Ok(false), "{room:?}");
        }
        let of_pump = AuditFilter { target: Some((Target::Room, "pump".into())), ..AuditFilter::default() };
        let log = store.audit(&of_pump, 9).await.expect("answers");
        let told: Vec<_> = log.iter().map(|entry| (entry.act, entry.outcome)).collect();
        assert_eq!(told, [(Act::Resume, Outcome::Refused), (Act::Pause, Outcome::Done)]);
        assert!(log[1].detail.starts_with("paused by ann"), "{}", log[1].detail);
    }
}

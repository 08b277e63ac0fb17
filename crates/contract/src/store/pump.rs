//! A run's effects, written in one step (INV-8, INV-17).

use domain::MsgId;
use domain::decide::Effects;
use domain::event::Target;
use domain::flight::{FieldState, Flight, Life, Stamped};
use domain::message::{Conclusion, ErrorClass, Labels, Settled, State};
use engine::ports::{AttemptLog, MessageView, Messages, Store, Views};
use serde_json::json;

use super::{end, head_ids, queued, run};
use crate::sample::{at, event, flight, key, skipped, succeeded, tried, whole};

fn text(text: &str) -> Option<String> {
    Some(text.into())
}

/// A flight with every kind of field.
fn rich() -> Flight {
    let stamped = |value, by| Stamped { value, by: MsgId(by) };
    let entries = [
        ("1".into(), stamped(Some(json!({ "gate": "A21", "open": true, "note": "延误 𠮷" })), 3)),
        ("2".into(), stamped(None, i64::MAX)),
    ];
    let keyed = FieldState::Keyed { cleared_by: MsgId(2), entries: entries.into() };
    let fields = [
        ("gates", keyed),
        ("flightNumber", FieldState::Single(stamped(Some(json!("ZZ6238")), 1))),
        ("passengers", FieldState::Single(stamped(Some(json!(180)), 1))),
        ("vias", FieldState::Single(stamped(Some(json!(["PEK", "SHA"])), 2))),
        ("stand", FieldState::Single(stamped(None, 3))),
        ("extra.XYZ", FieldState::Single(stamped(Some(json!("\u{1F6EB} \"<&>\\")), 3))),
    ];
    Flight {
        incarnation: 3,
        floor: MsgId(1),
        schedule_by: MsgId(2),
        last_by: MsgId(i64::MAX),
        fields: fields.map(|(name, field)| (name.to_owned(), field)).into(),
        ..flight(7_304_412, 41, 1)
    }
}

cases! { $ store_pump_cases: StoreHarness in store::pump;
    async fn inv_08_terminal_state_and_intent_to_mark_are_one_step(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        let dead = Conclusion::Dead { class: ErrorClass::Malformed, error: "no root".into() };
        end(store, epoch, [succeeded(1), skipped(2, "reference:GLST-DNLD"), tried(3, dead)]).await;
        let marks = store.due_marks(at(2), 10).await.expect("answers");
        assert_eq!(marks.iter().map(|mark| mark.msg_id.0).collect::<Vec<_>>(), [1, 2, 3]);
        assert!(marks.iter().all(|mark| mark.enqueued_at == at(1) && mark.attempts == 0));
    }

    async fn inv_08_a_failed_message_owes_no_mark(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        let conclusion = Conclusion::Failed { class: ErrorClass::Infra, error: "x".into(), due: at(3) };
        end(store, epoch, [Settled { attempts: 1, ..tried(1, conclusion) }]).await;
        assert_eq!(store.due_marks(at(1_000_000), 10).await, Ok(vec![]));
    }

    async fn each_conclusion_is_stored_whole(subject) {
        let store = subject.store();
        let epoch = queued(store, 4).await;
        let labels = Labels {
            kind: text("SCHD"),
            subtype: text("DNLD"),
            sender: text("机场"),
            seqn: text("000017"),
            dttm: text("20260501080000"),
        };
        let failure = "é".repeat(1_000);
        let settled = [
            Settled { labels: labels.clone(), ..succeeded(1) },
            Settled { labels: Labels::default(), ..skipped(2, "duplicate-of:1") },
            Settled {
                attempts: 5,
                labels: labels.clone(),
                ..tried(3, Conclusion::Dead { class: ErrorClass::Exhausted, error: failure.clone() })
            },
            Settled {
                attempts: 1,
                labels: labels.clone(),
                ..tried(4, Conclusion::Failed { class: ErrorClass::Unsupported, error: "𠮷".into(), due: at(9) })
            },
        ];
        end(store, epoch, settled).await;
        let view = |id, state, attempts, class, last_error: Option<&str>, labels| MessageView {
            msg_id: MsgId(id),
            state,
            labels,
            attempts,
            class,
            last_error: last_error.map(Into::into),
            received_at: Some(whole(-id)),
            enqueued_at: at(1),
            updated_at: at(2),
            marked_at: None,
            abandoned_reason: None,
        };
        for expected in [
            view(1, State::Succeeded, 0, None, None, labels.clone()),
            view(2, State::Skipped, 0, None, Some("duplicate-of:1"), Labels::default()),
            view(3, State::Dead, 5, Some(ErrorClass::Exhausted), Some(&failure), labels.clone()),
            view(4, State::Failed, 1, Some(ErrorClass::Unsupported), Some("𠮷"), labels.clone()),
        ] {
            assert_eq!(store.message(expected.msg_id).await, Ok(Some(expected)));
        }
    }

    async fn a_failed_message_may_succeed_and_forgets_its_failure(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        let conclusion = Conclusion::Failed { class: ErrorClass::Infra, error: "x".into(), due: at(3) };
        end(store, epoch, [Settled { attempts: 1, ..tried(1, conclusion) }]).await;
        end(store, epoch, [Settled { attempts_seen: 1, attempts: 1, ..succeeded(1) }]).await;
        let message = store.message(MsgId(1)).await.expect("answers").expect("is there");
        assert_eq!((message.state, message.attempts), (State::Succeeded, 1));
        assert_eq!((message.class, message.last_error), (None, None));
        assert_eq!(head_ids(store).await, [0_i64; 0]);
    }

    async fn every_failed_try_is_kept_with_its_own_words(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        assert_eq!(store.attempts(MsgId(1)).await, Ok(vec![]));
        let first = (ErrorClass::CodecError, "first 𠮷".to_owned());
        let last = (ErrorClass::CodecError, "é".repeat(1_000));
        let failed = Conclusion::Failed { class: first.0, error: first.1.clone(), due: at(3) };
        let dead = Conclusion::Dead { class: ErrorClass::Exhausted, error: "after 2 tries".into() };
        let failed = Settled { attempts: 1, attempt_failure: Some(first.clone()), ..tried(1, failed) };
        let dead =
            Settled { attempts_seen: 1, attempts: 2, attempt_failure: Some(last.clone()), ..tried(1, dead) };
        store.commit_run(epoch, &run([failed]), at(2)).await.expect("commits");
        store.commit_run(epoch, &run([dead]), at(4)).await.expect("commits");
        let log = |attempt, at, (class, error)| AttemptLog { attempt, at, class, error };
        let expected = vec![log(1, at(2), first), log(2, at(4), last)];
        assert_eq!(store.attempts(MsgId(1)).await, Ok(expected));
        assert_eq!(store.attempts(MsgId(2)).await, Ok(vec![]));
    }

    async fn flights_come_back_as_they_were_written(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        let partial = Flight { life: Life::Partial, operation_day: None, state_version: 0, ..flight(8, 0, 1) };
        let new_flights = vec![rich(), partial.clone()];
        let effects = Effects { new_flights, ..run([succeeded(1)]) };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        assert_eq!(store.flight(rich().flid).await, Ok(Some(rich())));
        assert_eq!(store.flight(partial.flid).await, Ok(Some(partial.clone())));
        let changed = Flight { life: Life::Deleted, state_version: 42, fields: flight(1, 1, 1).fields, ..rich() };
        let effects = Effects { flights: vec![changed.clone()], ..run([succeeded(2)]) };
        store.commit_run(epoch, &effects, at(3)).await.expect("commits");
        let world = store.world(&[], &[rich().flid]).await.expect("answers");
        assert_eq!(world.flights, [changed]);
        assert_eq!(store.flight(partial.flid).await, Ok(Some(partial)), "others stay as they are");
    }

    async fn inv_17_state_flight_event_and_intent_appear_together(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        let events = vec![event(Target::Msg, 7, 1, 1), event(Target::Schd, 7, 1, 1)];
        let effects = Effects { new_flights: vec![flight(7, 1, 1)], events, ..run([succeeded(1)]) };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        assert_eq!(head_ids(store).await, [0_i64; 0]);
        assert_eq!(store.flight(flight(7, 1, 1).flid).await, Ok(Some(flight(7, 1, 1))));
        for target in Target::ALL {
            assert_eq!(store.due_events(target, at(2), 10).await.expect("answers").len(), 1);
        }
        assert_eq!(store.due_marks(at(2), 10).await.expect("answers").len(), 1);
    }

    async fn the_blocked_message_is_not_written_with_the_others(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        let conclusion = Conclusion::Failed { class: ErrorClass::Infra, error: "x".into(), due: at(9) };
        let blocked = Some(Settled { attempts: 1, ..tried(2, conclusion) });
        let effects = Effects { blocked, ..run([succeeded(1)]) };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        let second = store.message(MsgId(2)).await.expect("answers").expect("is there");
        assert_eq!((second.state, second.attempts, second.updated_at), (State::Pending, 0, at(1)));
    }

    async fn inv_09_a_dead_holder_yields_its_key_to_the_newcomer(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        let dead = Conclusion::Dead { class: ErrorClass::Exhausted, error: "x".into() };
        end(store, epoch, [Settled { identity: Some(key(1)), ..tried(1, dead) }]).await;
        let newcomer = Settled { identity: Some(key(1)), yields: Some(MsgId(1)), ..succeeded(2) };
        end(store, epoch, [newcomer]).await;
        let world = store.world(&[key(1)], &[]).await.expect("answers");
        assert_eq!(world.holders.iter().map(|holder| holder.msg_id.0).collect::<Vec<_>>(), [2]);
        let dead = store.message(MsgId(1)).await.expect("answers").expect("is there");
        assert_eq!((dead.state, dead.last_error), (State::Dead, text("x")), "it keeps all else");
    }

    async fn a_large_run_is_one_step(subject) {
        let store = subject.store();
        let epoch = queued(store, 500).await;
        let new_flights = (1..=500).map(|n| flight(n, 1, n)).collect();
        let events = (1..=500).flat_map(|n| Target::ALL.map(|target| event(target, n, 1, n))).collect();
        let effects = Effects { new_flights, events, ..run((1..=500).map(succeeded)) };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        assert_eq!(store.five_facts().await.expect("answers").processed, 500);
        assert_eq!(store.due_events(Target::Msg, at(2), 1_000).await.expect("answers").len(), 500);
    }

    async fn doubt_is_settled_when_no_run_is_under_way(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        store.settle_doubt().await.expect("nothing is under way");
        end(store, epoch, [succeeded(1)]).await;
        store.settle_doubt().await.expect("the run has ended");
        assert_eq!(head_ids(store).await, [0_i64; 0]);
    }
}

//! Lists of messages, and everything kept of one.

use domain::decide::Effects;
use domain::event::Target;
use domain::flight::{FlightChange, Life};
use domain::lifecycle::EventState;
use domain::message::{Conclusion, ErrorClass, Settled, State, StoredBody};
use domain::{Flid, MsgId};
use engine::ports::{
    Archive, EventVerdict, MarkSettled, MarkVerdict, MessagePage, Messages, Sought, Store, Views,
};

use super::outbox::{due, settled};
use super::{end, enqueue, queued, run};
use crate::sample::{at, event, key, landed, row, skipped, succeeded, tried};

/// Above every message.
const TOP: MsgId = MsgId(i64::MAX);

fn dead(id: i64) -> Settled {
    let error = "not well-formed".to_owned();
    let failure = Some((ErrorClass::Malformed, error.clone()));
    let settled = tried(id, Conclusion::Dead { class: ErrorClass::Malformed, error });
    Settled { attempts: 1, attempt_failure: failure, ..settled }
}

fn ids(page: &MessagePage) -> Vec<i64> {
    page.messages.iter().map(|record| record.message.msg_id.0).collect()
}

async fn found(store: &impl Views, sought: &Sought) -> Vec<i64> {
    ids(&store.messages(sought, TOP, 100).await.expect("answers"))
}

/// Nine messages: 1 to 3 done, 4 skipped, 5 and 6 dead, 7 failed, 8 and 9 waiting.
async fn mixed(store: &(impl Store + Views)) {
    let epoch = queued(store, 9).await;
    end(store, epoch, (1..=3).map(succeeded).chain([skipped(4, "duplicate-of:1"), dead(5), dead(6)])).await;
    let class = ErrorClass::Unsupported;
    let failed = tried(7, Conclusion::Failed { class, error: "FLOP-XXXX".into(), due: at(9) });
    let failure = Some((class, "FLOP-XXXX".to_owned()));
    end(store, epoch, [Settled { attempts: 1, attempt_failure: failure, ..failed }]).await;
}

cases! { $ store_messages_cases: StoreHarness in store::messages;
    async fn a_list_is_newest_first_and_goes_on_where_it_ended(subject) {
        let store = subject.store();
        queued(store, 5).await;
        let first = store.messages(&Sought::default(), TOP, 2).await.expect("answers");
        assert_eq!((ids(&first), first.next), (vec![5, 4], Some(MsgId(4))));
        let second = store.messages(&Sought::default(), MsgId(4), 2).await.expect("answers");
        assert_eq!((ids(&second), second.next), (vec![3, 2], Some(MsgId(2))));
        let last = store.messages(&Sought::default(), MsgId(2), 2).await.expect("answers");
        assert_eq!((ids(&last), last.next), (vec![1], None));
    }

    async fn a_list_holds_what_is_sought_and_nothing_else(subject) {
        let store = subject.store();
        mixed(store).await;
        let any = Sought::default();
        let of = |state| Sought { state: Some(state), ..Sought::default() };
        let text = |text: &str| Some(text.to_owned());
        for (sought, expected) in [
            (any.clone(), vec![9, 8, 7, 6, 5, 4, 3, 2, 1]),
            (of(State::Pending), vec![9, 8]),
            (of(State::Failed), vec![7]),
            (of(State::Dead), vec![6, 5]),
            (of(State::Skipped), vec![4]),
            (of(State::Succeeded), vec![3, 2, 1]),
            (of(State::Archived), vec![]),
            (Sought { class: Some(ErrorClass::Unsupported), ..any.clone() }, vec![7]),
            (Sought { class: Some(ErrorClass::Malformed), ..of(State::Dead) }, vec![6, 5]),
            (Sought { class: Some(ErrorClass::Infra), ..any.clone() }, vec![]),
            (Sought { kind: text("FLOP"), subtype: text("ESTT"), ..any.clone() }, vec![7, 6, 5, 4, 3, 2, 1]),
            (Sought { subtype: text("GTDT"), ..any.clone() }, vec![]),
            (Sought { sender: text("MSGX"), ..any.clone() }, vec![]),
            (Sought { identity: Some(key(2)), ..any.clone() }, vec![2]),
            (Sought { identity: Some(key(7)), ..any.clone() }, vec![]),
        ] {
            assert_eq!(found(store, &sought).await, expected, "{sought:?}");
        }
    }

    async fn a_list_of_a_time_holds_what_was_enqueued_in_it(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        let late = engine::ports::Enqueue { at: at(100), ..enqueue(3, 5, vec![row(4), row(5)]) };
        store.enqueue(epoch, &late).await.expect("enqueues");
        let any = Sought::default();
        for (since, until, expected) in [
            (Some(at(1)), None, vec![5, 4, 3, 2, 1]),
            (Some(at(2)), None, vec![5, 4]),
            (None, Some(at(100)), vec![3, 2, 1]),
            (Some(at(1)), Some(at(2)), vec![3, 2, 1]),
            (Some(at(101)), None, vec![]),
            (None, Some(at(1)), vec![]),
        ] {
            let sought = Sought { since, until, ..any.clone() };
            assert_eq!(found(store, &sought).await, expected, "{sought:?}");
        }
    }

    async fn a_list_of_a_flight_holds_the_messages_that_changed_it(subject) {
        let store = subject.store();
        let epoch = queued(store, 4).await;
        let effects = Effects {
            changes: vec![change(7, 1, 1), change(7, 2, 3), change(8, 1, 2)],
            ..run((1..=4).map(succeeded))
        };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        let sought = Sought { flid: Some(Flid(7)), ..Sought::default() };
        assert_eq!(found(store, &sought).await, [3, 1]);
        let led = store.changes_by(MsgId(3), 9).await.expect("answers");
        let led: Vec<_> = led.iter().map(|step| (step.change.flid.0, step.change.state_version, step.at)).collect();
        assert_eq!(led, [(7, 2, at(2))]);
        assert_eq!(store.changes_by(MsgId(4), 9).await, Ok(vec![]));
    }

    async fn an_archived_message_is_in_lists_once_and_its_bare_shadow_is_not(subject) {
        let store = subject.store();
        mixed(store).await;
        let settle = |id| MarkSettled { msg_id: MsgId(id), verdict: MarkVerdict::Done };
        store.settle_marks(&[settle(1), settle(5)], at(3)).await.expect("settles");
        let epoch = store.lease().await.expect("answers").expect("is held").epoch;
        let old = store.archivable(at(9), None, 9).await.expect("answers");
        assert_eq!(store.archive(epoch, &old, at(9)).await, Ok(2));
        let dead = Sought { state: Some(State::Dead), ..Sought::default() };
        assert_eq!(found(store, &dead).await, [6, 5], "dead letters of both tables");
        let held = Sought { identity: Some(key(1)), ..Sought::default() };
        assert_eq!(found(store, &held).await, [1]);
        let record = store.record(MsgId(5)).await.expect("answers").expect("is known");
        assert_eq!((record.message.state, record.archived_at), (State::Dead, Some(at(9))));
        assert_eq!(record.first_failure, Some((ErrorClass::Malformed, "not well-formed".into())));
        subject.archive(MsgId(2)).await;
        assert_eq!(found(store, &Sought::default()).await, [9, 8, 7, 6, 5, 4, 3, 1]);
        let shadow = store.record(MsgId(2)).await.expect("answers").expect("is known");
        assert_eq!((shadow.message.state, shadow.identity), (State::Archived, Some(key(2))));
    }

    async fn inv_01_a_record_tells_the_facts_apart(subject) {
        let store = subject.store();
        mixed(store).await;
        let marked = MarkSettled { msg_id: MsgId(1), verdict: MarkVerdict::Done };
        let retry = MarkVerdict::Retry { error: "locked".into(), attempts: 1, due: at(40) };
        let given_up = MarkVerdict::Abandoned { reason: "MISSING_ROW", error: "no such row".into() };
        let settled = [
            marked,
            MarkSettled { msg_id: MsgId(2), verdict: retry },
            MarkSettled { msg_id: MsgId(3), verdict: given_up },
        ];
        store.settle_marks(&settled, at(5)).await.expect("settles");
        let record = async |id| store.record(MsgId(id)).await.expect("answers").expect("is known");
        let one = record(1).await;
        assert_eq!((one.message.enqueued_at, one.processed_at(), one.message.marked_at), (at(1), Some(at(2)), Some(at(5))));
        assert_eq!((one.identity, one.content_hash), (Some(key(1)), Some([1; 32])));
        let two = record(2).await;
        assert_eq!((two.processed_at(), two.mark.due, two.mark.attempts), (Some(at(2)), Some(at(40)), 1));
        assert_eq!(two.mark.error.as_deref(), Some("locked"));
        let three = record(3).await;
        assert_eq!((three.mark.abandoned_at, three.processed_at()), (Some(at(5)), Some(at(2))));
        let seven = record(7).await;
        assert_eq!((seven.due, seven.processed_at()), (Some(at(9)), None));
        assert_eq!(seven.first_failure, Some((ErrorClass::Unsupported, "FLOP-XXXX".into())));
        assert_eq!(store.record(MsgId(99)).await, Ok(None));
    }

    async fn a_body_is_as_it_was_taken_up(subject) {
        let store = subject.store();
        let epoch = queued(store, 0).await;
        let oversized = StoredBody::Oversized { length: 99, sha256: [7; 32] };
        let rows = vec![
            landed(1, "航班"),
            engine::ports::Landed { body: StoredBody::Missing, ..row(2) },
            engine::ports::Landed { body: oversized.clone(), ..row(3) },
        ];
        store.enqueue(epoch, &enqueue(0, 3, rows)).await.expect("enqueues");
        let kept = async |id| store.body(MsgId(id)).await.expect("answers");
        let one = kept(1).await.expect("is kept");
        assert_eq!((one.body, one.length), (StoredBody::Bytes("航班".into()), 6));
        assert!(one.sha256.is_some());
        let two = kept(2).await.expect("is kept");
        assert_eq!((two.body, two.sha256, two.length), (StoredBody::Missing, None, 0));
        let three = kept(3).await.expect("is kept");
        assert_eq!((three.body, three.sha256, three.length), (oversized, Some([7; 32]), 99));
        assert_eq!(kept(4).await, None);
    }

    async fn events_of_a_message_say_where_they_went(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        let events = vec![event(Target::Msg, 7, 1, 1), event(Target::Schd, 7, 1, 1), event(Target::Msg, 8, 1, 2)];
        let effects = Effects { events, ..run([succeeded(1), succeeded(2)]) };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        let sent = EventVerdict::Sent { topic: "msgx.msg".into(), partition: 3, offset: 17 };
        let first = due(store, Target::Msg, 9).await.remove(0);
        store.settle_events(epoch, &[settled(&first, sent)], at(4)).await.expect("settles");
        let events = store.events_by(MsgId(1), 9).await.expect("answers");
        let told: Vec<_> = events.iter().map(|event| (event.target, event.state, event.sent_at)).collect();
        let waiting = (Target::Schd, EventState::Pending, None);
        assert_eq!(told, [(Target::Msg, EventState::Sent, Some(at(4))), waiting]);
        assert_eq!(events[0].receipt, Some(("msgx.msg".into(), 3, 17)));
        assert_eq!((events[1].receipt.clone(), events[1].created_at), (None, at(2)));
    }
}

pub(super) fn change(flid: i64, state_version: i64, by: i64) -> FlightChange {
    FlightChange {
        flid: Flid(flid),
        state_version,
        incarnation: 1,
        life: Life::Active,
        msg_id: MsgId(by),
        kind: None,
        subtype: None,
        changes: "[]".into(),
    }
}

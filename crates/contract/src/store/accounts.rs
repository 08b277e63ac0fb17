//! What a store says of a range of IDs, for the comparison with the mailbox.

use domain::MsgId;
use domain::decide::Effects;
use domain::event::Target;
use domain::flight::Life;
use domain::lifecycle::Act;
use domain::mailbox::{ClosedGap, GapVerdict};
use domain::message::State;
use domain::reconcile::{Account, MarkKept};
use engine::ports::{Accounts, Archive, MarkVerdict, Retention, Store};

use super::acts::{abandoned, act, mark};
use super::archive::{archive, old};
use super::messages::change;
use super::{end, enqueue, lead, queued, run};
use crate::sample::{at, event, ids, range, row, skipped, succeeded};

async fn accounts(store: &impl Accounts, first: i64, last: i64) -> Vec<Account> {
    store.accounts(range(first, last), at(0), 100).await.expect("answers")
}

cases! { $ store_accounts_cases: KeepingHarness in store::accounts;
    async fn fc_17_accounts_of_a_range_are_ascending_bounded_and_nobody_elses(subject) {
        let store = subject.store();
        queued(store, 5).await;
        let found = async |first, last, most| {
            let found = store.accounts(range(first, last), at(0), most).await.expect("answers");
            found.iter().map(|account| account.msg_id.0).collect::<Vec<_>>()
        };
        assert_eq!(found(2, 4, 9).await, [2, 3, 4]);
        assert_eq!(found(2, 9, 2).await, [2, 3]);
        assert_eq!(found(6, 9, 9).await, [0_i64; 0]);
    }

    async fn an_account_says_what_became_of_message_mark_and_body(subject) {
        let store = subject.store();
        let epoch = queued(store, 5).await;
        end(store, epoch, (1..=3).map(succeeded).chain([skipped(4, "duplicate-of:1")])).await;
        mark(store, 1, MarkVerdict::Done).await;
        mark(store, 2, abandoned("MISSING_ROW")).await;
        mark(store, 3, abandoned("OVERDUE")).await;
        let told = |one: Account| (one.state, one.mark, one.has_body, one.enqueued_at);
        let expected = [
            (State::Succeeded, MarkKept::Written, true, at(1)),
            (State::Succeeded, MarkKept::RowMissing, true, at(1)),
            (State::Succeeded, MarkKept::GivenUp, true, at(1)),
            (State::Skipped, MarkKept::Open, true, at(1)),
            (State::Pending, MarkKept::Open, true, at(1)),
        ];
        assert_eq!(accounts(store, 1, 5).await.into_iter().map(told).collect::<Vec<_>>(), expected);
        assert_eq!(store.forget_bodies(epoch, at(100), 9).await, Ok(4), "of what has ended");
        let kept: Vec<_> = accounts(store, 1, 5).await.iter().map(|one| one.has_body).collect();
        assert_eq!(kept, [false, false, false, false, true]);
    }

    async fn the_archive_speaks_for_a_shadow_until_it_is_forgotten(subject) {
        let store = subject.store();
        let epoch = queued(store, 1).await;
        end(store, epoch, [succeeded(1)]).await;
        mark(store, 1, MarkVerdict::Done).await;
        let before = accounts(store, 1, 1).await;
        assert_eq!(archive(store, epoch, 20).await, 1);
        assert_eq!(accounts(store, 1, 1).await, before);
        assert_eq!(store.forget_archived(epoch, old(100, 9), 9).await, Ok(1));
        let bare = accounts(store, 1, 1).await;
        assert_eq!((bare.len(), bare[0].state), (1, State::Archived));
    }

    async fn inv_17_a_published_step_without_its_event_is_untold(subject) {
        let store = subject.store();
        let epoch = queued(store, 4).await;
        let partial = domain::flight::FlightChange { life: Life::Partial, ..change(9, 1, 3) };
        let effects = Effects {
            changes: vec![change(7, 1, 1), change(8, 1, 1), change(7, 2, 2), change(8, 2, 2), partial],
            events: vec![
                event(Target::Msg, 7, 1, 1),
                event(Target::Msg, 8, 1, 1),
                event(Target::Schd, 7, 2, 2),
                event(Target::Msg, 8, 2, 2),
            ],
            ..run((1..=4).map(succeeded))
        };
        store.commit_run(epoch, &effects, at(2)).await.expect("commits");
        let untold = async |since| {
            let found = store.accounts(range(1, 4), at(since), 9).await.expect("answers");
            found.iter().map(|account| account.untold).collect::<Vec<_>>()
        };
        assert_eq!(untold(2).await, [0, 1, 0, 0], "the state of flight 7 is not its change");
        assert_eq!(untold(3).await, [0, 0, 0, 0], "before the time looked at");
    }

    async fn fc_17_what_was_left_out_is_before_the_start_or_dismissed(subject) {
        let store = subject.store();
        let epoch = lead(store).await;
        let closed = |first, last, verdict| ClosedGap { range: range(first, last), first_seen: at(1), closed_at: at(2), verdict };
        let before = [closed(1, 5, GapVerdict::BeforeStart), closed(7, 8, GapVerdict::MissingAtStart)];
        store.start_at(epoch, MsgId(8), &before, at(0)).await.expect("starts");
        store.enqueue(epoch, &enqueue(8, 12, vec![row(12)])).await.expect("enqueues");
        store.record_late(&ids([7, 9, 10]), at(3)).await.expect("records");
        act(store, Act::Dismiss, &[7, 9]).await;
        let asked: Vec<MsgId> = (1..=12).map(MsgId).collect();
        assert_eq!(store.left_out(&asked).await, Ok(ids([1, 2, 3, 4, 5, 7, 9])));
        assert_eq!(store.left_out(&[]).await, Ok(vec![]));
    }
}

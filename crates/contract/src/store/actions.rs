//! Operator actions on messages: replay, try now, skip; out of the archive too.

use domain::MsgId;
use domain::lifecycle::Act;
use domain::message::{ErrorClass, Settled, State};
use engine::ports::{Actions, Archive, Filter, MarkVerdict, Messages, Outcome, Selection, Store, Views};

use super::acts::{abandoned, act, dead, due_marks, exhausted, failed, frozen, mark, outcomes, state};
use super::{end, head_ids, queued};
use crate::sample::{at, key, row, succeeded};

cases! { $ store_actions_cases: StoreHarness in store::actions;
    async fn us_09_a_replayed_dead_letter_is_the_head_again_with_its_attempts(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        end(store, epoch, [exhausted(1), dead(2, ErrorClass::Malformed, "no root")]).await;
        let done = act(store, Act::Replay, &[2, 1, 77]).await;
        assert_eq!(outcomes(&done), [(1, Outcome::Done), (2, Outcome::Refused), (77, Outcome::Refused)]);
        assert_eq!(head_ids(store).await, [1, 3], "below W and first");
        let head = store.head(1, 1 << 20).await.expect("answers");
        assert_eq!((head[0].state, head[0].attempts, head[0].due), (State::Pending, 2, None));
        assert_eq!(head[0].body, row(1).body, "from the own store, whatever became of the mailbox");
        assert_eq!(due_marks(store).await, [2], "what has no end is not marked (INV-8)");
        assert_eq!(store.attempts(MsgId(1)).await.expect("answers").len(), 1, "its tries are kept");
        let again = dead(1, ErrorClass::Exhausted, "CODEC_ERROR at its one attempt of a replay: DTTM");
        end(store, epoch, [Settled { attempts_seen: 2, attempts: 3, ..again }]).await;
        assert_eq!(state(store, 1).await, (State::Dead, 3, Some(ErrorClass::Exhausted)));
        let tries = store.attempts(MsgId(1)).await.expect("answers");
        assert_eq!(tries.iter().map(|attempt| attempt.attempt).collect::<Vec<_>>(), [2, 3]);
        assert_eq!(due_marks(store).await, [1, 2]);
    }

    async fn inv_08_a_message_that_was_marked_owes_no_second_mark_after_its_replay(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        end(store, epoch, [exhausted(1), exhausted(2)]).await;
        mark(store, 1, MarkVerdict::Done).await;
        mark(store, 2, abandoned("MISSING_ROW")).await;
        act(store, Act::Replay, &[1, 2]).await;
        end(store, epoch, [1, 2].map(|id| Settled { attempts_seen: 2, attempts: 2, ..succeeded(id) })).await;
        assert_eq!(due_marks(store).await, [0_i64; 0]);
        let [first, second] = [1, 2].map(|id| store.message(MsgId(id)));
        assert_eq!(first.await.expect("answers").expect("is there").marked_at, Some(at(5)));
        let reason = second.await.expect("answers").expect("is there").abandoned_reason;
        assert_eq!(reason.as_deref(), Some("MISSING_ROW"));
    }

    async fn fc_47_a_failed_head_in_back_off_is_due_at_once(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        end(store, epoch, [failed(1)]).await;
        let done = act(store, Act::Replay, &[1, 2]).await;
        assert_eq!(outcomes(&done), [(1, Outcome::Done), (2, Outcome::Refused)]);
        let head = store.head(1, 1 << 20).await.expect("answers");
        assert_eq!((head[0].state, head[0].attempts, head[0].due), (State::Failed, 1, Some(at(10))));
    }

    async fn c_27_a_skipped_message_says_who_and_why_and_gives_up_its_identity(subject) {
        let store = subject.store();
        let epoch = queued(store, 4).await;
        end(store, epoch, [exhausted(1), succeeded(2)]).await;
        end(store, epoch, [failed(3)]).await;
        let done = act(store, Act::Skip, &[1, 2, 3, 4]).await;
        let expected =
            [(1, Outcome::Done), (2, Outcome::Refused), (3, Outcome::Done), (4, Outcome::Refused)];
        assert_eq!(outcomes(&done), expected);
        for id in [1, 3] {
            let message = store.message(MsgId(id)).await.expect("answers").expect("is there");
            assert_eq!((message.state, message.class), (State::Skipped, None));
            assert_eq!(message.last_error.as_deref(), Some("operator:ann: cut-over 港"));
        }
        assert_eq!(head_ids(store).await, [4], "nothing is blocked any more");
        assert_eq!(due_marks(store).await, [1, 2, 3], "an end owes a mark (INV-8)");
        let world = store.world(&[key(1)], &[]).await.expect("answers");
        assert_eq!(world.holders, [], "what comes with it later is no duplicate");
        let kinds = store.message_kinds().await.expect("answers");
        let skipped = kinds.iter().find(|kind| kind.state == State::Skipped).expect("is counted");
        assert_eq!((skipped.count, skipped.kind.as_str(), skipped.class), (2, "FLOP", None));
    }

    async fn clm_05_bodies_are_read_whatever_the_state(subject) {
        let store = subject.store();
        let epoch = queued(store, 3).await;
        end(store, epoch, [exhausted(1), succeeded(2)]).await;
        let bodies = store.bodies(&[MsgId(3), MsgId(1), MsgId(9)]).await.expect("answers");
        let told: Vec<_> = bodies.iter().map(|one| (one.msg_id.0, one.state, one.attempts)).collect();
        assert_eq!(told, [(1, State::Dead, 2), (3, State::Pending, 0)]);
        assert_eq!(bodies[0].body, row(1).body);
    }

    async fn g_proc_hst_an_archived_dead_letter_is_replayed_from_the_archive_in_one_step(subject) {
        let store = subject.store();
        let epoch = queued(store, 4).await;
        end(store, epoch, [exhausted(1), succeeded(2), dead(3, ErrorClass::Malformed, "no root")]).await;
        for id in 1..=3 {
            mark(store, id, MarkVerdict::Done).await;
        }
        let over = store.archivable(at(100), None, 9).await.expect("answers");
        assert_eq!(store.archive(epoch, &over, at(50)).await, Ok(3));
        let all = Selection::Filter(Filter::default());
        let listed = frozen(store, Act::Replay, &all).await;
        assert_eq!(listed.iter().map(|target| target.id).collect::<Vec<_>>(), [1, 3], "of both tables");
        assert_eq!(frozen(store, Act::Skip, &all).await, [], "only replay looks into the archive");
        let ahead = store.bodies(&[MsgId(1)]).await.expect("answers");
        assert_eq!((ahead[0].state, ahead[0].attempts, &ahead[0].body), (State::Dead, 2, &row(1).body));
        let done = act(store, Act::Replay, &[1, 2, 3]).await;
        assert_eq!(outcomes(&done), [(1, Outcome::Done), (2, Outcome::Refused), (3, Outcome::Refused)]);
        let head = store.head(9, 1 << 20).await.expect("answers");
        let told: Vec<_> = head.iter().map(|one| (one.msg_id.0, one.state, one.attempts)).collect();
        assert_eq!(told, [(1, State::Pending, 2), (4, State::Pending, 0)]);
        end(store, epoch, [Settled { attempts_seen: 2, attempts: 2, ..succeeded(1) }]).await;
        assert_eq!(due_marks(store).await, [0_i64; 0], "it was marked before it was archived");
        let over = store.archivable(at(100), None, 9).await.expect("answers");
        assert_eq!(over.iter().map(|one| one.msg_id.0).collect::<Vec<_>>(), [1], "and may go again");
    }
}

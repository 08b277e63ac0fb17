//! Selections: what a filter finds, frozen once, done once, and the audit of all of it.

use domain::lifecycle::{Act, Facts, Target};
use domain::message::{ErrorClass, Settled, State};
use engine::ports::{Actions, AuditFilter, Batch, Filter, MarkVerdict, Outcome, Selection};

use super::acts::{act, carry_out, dead, exhausted, failed, frozen, mark, operation, outcomes, state};
use super::{end, head_ids, queued};
use crate::sample::{at, succeeded};

const LIKE_CODEC: &str = "codec_error at%";

cases! { $ store_selections_cases: StoreHarness in store::selections;
    async fn us_11_a_selection_is_frozen_when_confirmed_and_each_target_is_done_once(subject) {
        let store = subject.store();
        let epoch = queued(store, 5).await;
        end(store, epoch, [1, 2, 3].map(exhausted)).await;
        let all = Selection::Filter(Filter::default());
        let targets = frozen(store, Act::Replay, &all).await;
        let begun = store.confirm(&operation("op", Act::Replay), &targets).await.expect("freezes");
        assert_eq!((begun.targets, begun.open()), (3, 3));
        end(store, epoch, [exhausted(4)]).await;
        // Given again with what matches by now: the first selection stays.
        let more = frozen(store, Act::Replay, &all).await;
        assert_eq!(more.len(), 4);
        let kept = store.confirm(&operation("op", Act::Replay), &more).await.expect("finds it");
        assert_eq!((kept.targets, &kept.operation), (3, &begun.operation));
        // Killed after the first of them.
        let batch = Batch { operation: "op".into(), ids: vec![1], landed: vec![], at: at(10) };
        assert_eq!(store.carry_out(&batch).await.map(|done| done.len()), Ok(1));
        // It dies again before the rest is done: not once more.
        let again = Settled { attempts_seen: 2, attempts: 3, ..exhausted(1) };
        end(store, epoch, [again]).await;
        assert_eq!(outcomes(&carry_out(store, "op", 11).await), [(2, Outcome::Done), (3, Outcome::Done)]);
        assert_eq!(carry_out(store, "op", 12).await, []);
        assert_eq!(store.carry_out(&batch).await, Ok(vec![]), "a target that is done stays as it is");
        assert_eq!(state(store, 1).await.1, 3);
        assert_eq!(state(store, 4).await.0, State::Dead, "what matched later is untouched");
        assert_eq!(head_ids(store).await, [2, 3, 5]);
        let ended = store.operation("op").await.expect("answers").expect("is kept");
        assert_eq!((ended.done, ended.refused, ended.open()), (3, 0, 0));
        assert_eq!(store.operation("another").await, Ok(None));
        assert_eq!(store.carry_out(&Batch { operation: "another".into(), ..batch }).await, Ok(vec![]));
    }

    async fn what_changed_between_selection_and_act_is_refused(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        end(store, epoch, [exhausted(1), exhausted(2)]).await;
        let targets = frozen(store, Act::Replay, &Selection::Ids(vec![1, 2])).await;
        store.confirm(&operation("late", Act::Replay), &targets).await.expect("freezes");
        act(store, Act::Replay, &[1]).await;
        end(store, epoch, [Settled { attempts_seen: 2, attempts: 3, ..exhausted(1) }]).await;
        mark(store, 2, MarkVerdict::Done).await;
        let done = carry_out(store, "late", 12).await;
        assert_eq!(outcomes(&done), [(1, Outcome::Refused), (2, Outcome::Done)], "a mark changes nothing");
        assert!(done[0].detail.contains("changed since it was selected"), "{:?}", done[0]);
    }

    async fn filters_find_dead_letters_by_what_is_known_of_them(subject) {
        let store = subject.store();
        let epoch = queued(store, 5).await;
        let labelled = |id, subtype: &str| {
            let mut one = exhausted(id);
            one.labels.subtype = Some(subtype.into());
            one.labels.sender = Some("AODB".into());
            one
        };
        let broken = dead(3, ErrorClass::Malformed, "no root");
        end(store, epoch, [labelled(1, "GTDT"), labelled(2, "STND"), broken, succeeded(4)]).await;
        end(store, epoch, [failed(5)]).await;
        let f = Filter::default;
        let text = |text: &str| Some(text.to_owned());
        for (filter, expected) in [
            (f(), vec![1, 2, 3]),
            (Filter { class: Some(ErrorClass::Exhausted), ..f() }, vec![1, 2]),
            (Filter { kind: text("FLOP"), subtype: text("STND"), ..f() }, vec![2]),
            (Filter { sender: text("AODB"), first: Some(2), ..f() }, vec![2]),
            (Filter { sender: text("ELSE"), ..f() }, vec![]),
            (Filter { last: Some(1), ..f() }, vec![1]),
            (Filter { since: Some(at(1)), until: Some(at(2)), ..f() }, vec![1, 2, 3]),
            (Filter { since: Some(at(2)), ..f() }, vec![]),
            (Filter { until: Some(at(1)), ..f() }, vec![]),
            (Filter { reason_like: text(LIKE_CODEC), ..f() }, vec![1, 2]),
            (Filter { reason_like: text("%ROOT"), ..f() }, vec![3]),
            (Filter { state: Some(State::Failed), ..f() }, vec![5]),
            (Filter { state: Some(State::Succeeded), ..f() }, vec![]),
        ] {
            let found = frozen(store, Act::Replay, &Selection::Filter(filter.clone())).await;
            assert_eq!(found.iter().map(|target| target.id).collect::<Vec<_>>(), expected, "{filter:?}");
        }
        let page = store.select(Act::Replay, &Selection::Filter(f()), 1, 1).await.expect("answers");
        assert_eq!(page.iter().map(|target| target.id).collect::<Vec<_>>(), [2], "behind one ID");
        assert_eq!((page[0].kind.as_deref(), page[0].subtype.as_deref()), (Some("FLOP"), Some("STND")));
        let ids = store.select(Act::Skip, &Selection::Ids(vec![9, 5, 5]), 0, 9).await.expect("answers");
        assert_eq!((ids.len(), &ids[1].facts), (2, &Facts::Missing));
    }

    async fn every_act_is_in_the_audit_log_with_who_when_why_and_what_came_of_it(subject) {
        let store = subject.store();
        let epoch = queued(store, 2).await;
        end(store, epoch, [exhausted(1), dead(2, ErrorClass::Protocol, "RECS")]).await;
        act(store, Act::Replay, &[1, 2]).await;
        act(store, Act::Skip, &[2]).await;
        let all = store.audit(&AuditFilter::default(), 10).await.expect("answers");
        assert_eq!(all.len(), 3);
        assert_eq!((all[0].act, all[0].target_id.as_str()), (Act::Skip, "2"), "newest first");
        let of_second = AuditFilter { target: Some((Target::Message, "2".into())), ..AuditFilter::default() };
        let of_second = store.audit(&of_second, 10).await.expect("answers");
        let told: Vec<_> = of_second.iter().map(|entry| (entry.act, entry.outcome)).collect();
        assert_eq!(told, [(Act::Skip, Outcome::Done), (Act::Replay, Outcome::Refused)]);
        assert!(of_second[1].detail.contains("PROTOCOL"), "{}", of_second[1].detail);
        let first = all.iter().find(|entry| entry.target_id == "1").expect("is there");
        assert_eq!((first.by.as_str(), first.reason.as_str()), ("ann", "cut-over 港"));
        assert_eq!((first.at, first.operation.as_str()), (at(10), "replay"));
        assert_eq!(first.detail, "DEAD(EXHAUSTED) after 2 attempt(s) -> PENDING, one attempt");
        for (filter, count) in [
            (AuditFilter { operation: Some("skip".into()), ..AuditFilter::default() }, 1),
            (AuditFilter { by: Some("bob".into()), ..AuditFilter::default() }, 0),
            (AuditFilter { since: Some(at(11)), ..AuditFilter::default() }, 0),
        ] {
            assert_eq!(store.audit(&filter, 10).await.expect("answers").len(), count, "{filter:?}");
        }
        assert_eq!(store.audit(&AuditFilter::default(), 1).await.expect("answers").len(), 1);
    }
}

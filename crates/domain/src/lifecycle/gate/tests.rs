//! Every act on every state.

use jiff::Timestamp;

use super::*;
use crate::lifecycle::{Abandonment, BodyFacts, MarkFacts, MessageFacts};
use crate::message::{ErrorClass, State};

const AT: Timestamp = Timestamp::constant(1_800_000_000, 0);

fn message(state: State, class: Option<ErrorClass>, mark: MarkFacts) -> Facts {
    Facts::Message(MessageFacts { state, class, attempts: 2, mark, body: BodyFacts::Kept })
}

fn abandoned(reason: &str) -> MarkFacts {
    MarkFacts::Abandoned(Abandonment { reason: reason.to_owned(), at: AT })
}

/// Every state of every target, and what is allowed on it; everything else is refused.
fn table() -> Vec<(Facts, Vec<(Act, Change)>)> {
    let open = |state, class| message(state, class, MarkFacts::Open);
    let dead = |class| open(State::Dead, Some(class));
    let marked = |mark| message(State::Succeeded, None, mark);
    let event = |state| Facts::Event(EventFacts { state, attempts: 5 });
    let (replay, skip) = ((Act::Replay, Change::Replay), (Act::Skip, Change::Skip));
    let reconcile = (Act::Reconcile, Change::Reconcile);
    vec![
        (Facts::Missing, vec![]),
        (open(State::Pending, None), vec![]),
        (open(State::Failed, Some(ErrorClass::Infra)), vec![(Act::Replay, Change::TryNow), skip]),
        (open(State::Succeeded, None), vec![]),
        (open(State::Skipped, None), vec![]),
        (open(State::Archived, None), vec![]),
        (open(State::Dead, None), vec![skip]),
        (dead(ErrorClass::Malformed), vec![skip]),
        (dead(ErrorClass::Protocol), vec![skip]),
        (dead(ErrorClass::CodecError), vec![replay, skip]),
        (dead(ErrorClass::Unsupported), vec![replay, skip]),
        (dead(ErrorClass::Infra), vec![replay, skip]),
        (dead(ErrorClass::Exhausted), vec![replay, skip]),
        (marked(MarkFacts::Done), vec![]),
        (marked(abandoned("OVERDUE")), vec![(Act::RetryMark, Change::OweMark), reconcile]),
        (marked(abandoned("MISSING_ROW")), vec![reconcile]),
        (marked(MarkFacts::Reconciled), vec![]),
        (Facts::Late(LateState::Found), vec![(Act::Admit, Change::Admit), (Act::Dismiss, Change::Dismiss)]),
        (Facts::Late(LateState::Admitted), vec![]),
        (Facts::Late(LateState::Dismissed), vec![]),
        (event(EventState::Pending), vec![]),
        (event(EventState::Sent), vec![]),
        (
            event(EventState::Dead),
            vec![(Act::RetryEvent, Change::SendLate), (Act::DiscardEvent, Change::Discard)],
        ),
        (event(EventState::Discarded), vec![]),
    ]
}

#[test]
fn every_act_is_allowed_where_the_table_says_so_and_refused_with_words_elsewhere() {
    for (facts, allowed) in table() {
        for act in Act::ALL {
            let expected = allowed.iter().find(|(other, _)| *other == act).map(|(_, change)| *change);
            match judge(act, &facts, &facts.seen(act)) {
                Ok(change) => assert_eq!(Some(change), expected, "{act:?} on {facts:?}"),
                Err(Refusal(words)) => {
                    assert_eq!(expected, None, "{act:?} on {facts:?}: {words}");
                    assert!(words.len() > 10, "{words}");
                }
            }
        }
    }
}

#[test]
fn the_table_has_every_state_and_class() {
    let has = |wanted: &dyn Fn(&MessageFacts) -> bool| {
        table().iter().any(|(facts, _)| matches!(facts, Facts::Message(message) if wanted(message)))
    };
    for state in State::ALL {
        assert!(has(&|message| message.state == state), "{state:?}");
    }
    for class in ErrorClass::ALL {
        assert!(has(&|message| message.state == State::Dead && message.class == Some(class)), "{class:?}");
    }
    for state in LateState::ALL {
        assert!(table().iter().any(|(facts, _)| *facts == Facts::Late(state)), "{state:?}");
    }
}

#[test]
fn what_changed_since_it_was_selected_is_left_alone() {
    let class = Some(ErrorClass::Exhausted);
    let selected = message(State::Dead, class, MarkFacts::Open);
    let died_again = Facts::Message(MessageFacts {
        state: State::Dead,
        class,
        attempts: 3,
        mark: MarkFacts::Open,
        body: BodyFacts::Kept,
    });
    let refused = judge(Act::Replay, &died_again, &selected.seen(Act::Replay)).expect_err("another death");
    assert!(refused.0.contains("changed since it was selected"), "{refused}");
    let marked_since = message(State::Dead, class, MarkFacts::Done);
    assert_eq!(judge(Act::Replay, &marked_since, &selected.seen(Act::Replay)), Ok(Change::Replay));
}

#[test]
fn a_dead_letter_whose_body_was_forgotten_is_skipped_but_not_replayed() {
    let forgotten = Facts::Message(MessageFacts {
        state: State::Dead,
        class: Some(ErrorClass::Exhausted),
        attempts: 2,
        mark: MarkFacts::Open,
        body: BodyFacts::Forgotten,
    });
    let refused = judge(Act::Replay, &forgotten, &forgotten.seen(Act::Replay)).expect_err("nothing to read");
    assert!(refused.0.contains("body is no longer kept"), "{refused}");
    assert_eq!(judge(Act::Skip, &forgotten, &forgotten.seen(Act::Skip)), Ok(Change::Skip));
}

#[test]
fn names_are_read_as_they_are_written() {
    for act in Act::ALL {
        assert_eq!(Act::parse(act.as_str()), Some(act));
        assert_eq!(Target::parse(act.target().as_str()), Some(act.target()));
    }
    for state in LateState::ALL {
        assert_eq!(LateState::parse(state.as_str()), Some(state));
    }
    for state in [EventState::Pending, EventState::Sent, EventState::Dead] {
        assert_eq!(EventState::of(state.as_str(), None), Some(state));
    }
    assert_eq!(EventState::of("DEAD", Some(AT)), Some(EventState::Discarded));
}

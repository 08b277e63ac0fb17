//! The one gate: which act is allowed on which state, and what it does.

use super::facts::{Abandonment, EventFacts, EventState, Facts, LateState, MarkFacts, MessageFacts};
use super::{Act, Target};
use crate::message::{ERROR_CHARS_MAX, ErrorClass, State, text};

/// What an allowed act does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Change {
    /// DEAD becomes PENDING with its attempts kept: from that, reading it knows that it has one
    /// attempt. Class, words, identity and mark stay as they are.
    Replay,
    /// A FAILED head is due now.
    TryNow,
    /// SKIPPED, with who and why as its reason, no class, no identity; owes a mark unless it was
    /// marked or its mark was given up before.
    Skip,
    /// The mark is owed again from now on. Past R that is one last try.
    OweMark,
    /// The mark is accounted for: who, when, why.
    Reconcile,
    /// PENDING, enqueued now.
    Admit,
    /// Left alone for good.
    Dismiss,
    /// PENDING with its old version, said to be late; refused once more it is DEAD again.
    SendLate,
    /// Given up for good.
    Discard,
}

impl Change {
    /// What the target is afterwards, for the audit log.
    pub fn as_words(self) -> &'static str {
        match self {
            Self::Replay => "PENDING, one attempt",
            Self::TryNow => "FAILED, due now",
            Self::Skip => "SKIPPED",
            Self::OweMark => "mark owed again",
            Self::Reconcile => "reconciled",
            Self::Admit => "PENDING",
            Self::Dismiss => "DISMISSED",
            Self::SendLate => "PENDING, late",
            Self::Discard => "DISCARDED",
        }
    }
}

/// The reason kept with a message that an operator skipped: who approved it, and why (C-27).
pub fn skip_reason(by: &str, reason: &str) -> String {
    text(&format!("operator:{by}: {reason}"), ERROR_CHARS_MAX)
}

/// Why an act is not allowed, and what to do instead.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Refusal(pub String);

impl Facts {
    /// What `act` looks at, in words: equal as long as nothing of it has changed. Kept with a
    /// selection, so that an act never meets anything but what was selected.
    pub fn seen(&self, act: Act) -> String {
        match self {
            Self::Missing => "not there".to_owned(),
            Self::Late(state) => state.as_str().to_owned(),
            Self::Event(event) => event.to_string(),
            Self::Message(message) => match act {
                Act::RetryMark | Act::Reconcile => message.mark.to_string(),
                Act::Replay
                | Act::Skip
                | Act::Admit
                | Act::Dismiss
                | Act::RetryEvent
                | Act::DiscardEvent
                | Act::Pause
                | Act::Resume => message.to_string(),
            },
        }
    }
}

/// Is `act` allowed on a target with these `facts`, selected when it was as `seen` says?
///
/// # Errors
/// Why not, in words for the operator.
pub fn judge(act: Act, facts: &Facts, seen: &str) -> Result<Change, Refusal> {
    let change = allowed(act, facts)?;
    let now = facts.seen(act);
    if now == seen {
        Ok(change)
    } else {
        refuse(format!("changed since it was selected: it was {seen} and is {now}; select it again"))
    }
}

fn allowed(act: Act, facts: &Facts) -> Result<Change, Refusal> {
    match (act.target(), facts) {
        (_, Facts::Missing) => refuse(format!("there is no such {}", act.target().as_str())),
        (Target::Message, Facts::Message(message)) => on_message(act, message),
        (Target::LateRow, Facts::Late(state)) => on_late(act, *state),
        (Target::Event, Facts::Event(event)) => on_event(act, *event),
        (
            Target::Message | Target::LateRow | Target::Event | Target::Room,
            Facts::Message(_) | Facts::Late(_) | Facts::Event(_),
        ) => refuse(format!("{} is no act for this target", act.as_str())),
    }
}

fn on_message(act: Act, message: &MessageFacts) -> Result<Change, Refusal> {
    match act {
        Act::Replay => replay(message),
        Act::Skip => skip(message),
        Act::RetryMark => retry_mark(&message.mark),
        Act::Reconcile => reconcile(&message.mark),
        Act::Admit | Act::Dismiss | Act::RetryEvent | Act::DiscardEvent | Act::Pause | Act::Resume => {
            refuse(format!("{} is no act for a message", act.as_str()))
        }
    }
}

fn replay(message: &MessageFacts) -> Result<Change, Refusal> {
    match message.state {
        State::Failed => Ok(Change::TryNow),
        State::Dead => match message.class {
            Some(class) if class.is_replayable() => Ok(Change::Replay),
            Some(class @ (ErrorClass::Malformed | ErrorClass::Protocol)) => {
                refuse(format!("{class} can't be replayed: the sender must send it again"))
            }
            Some(
                ErrorClass::CodecError | ErrorClass::Unsupported | ErrorClass::Infra | ErrorClass::Exhausted,
            )
            | None => refuse("it died without a class that can be replayed".to_owned()),
        },
        State::Pending => refuse("it waits for its turn already".to_owned()),
        State::Succeeded | State::Skipped => {
            refuse(format!("it is {message}: only dead letters are replayed"))
        }
        State::Archived => refuse("it is archived and was no dead letter".to_owned()),
    }
}

fn skip(message: &MessageFacts) -> Result<Change, Refusal> {
    match message.state {
        State::Failed | State::Dead => Ok(Change::Skip),
        State::Pending => {
            refuse("it waits for its turn and has not failed: it isn't skipped unread".to_owned())
        }
        State::Succeeded | State::Skipped => refuse(format!("it has ended: {message}")),
        State::Archived => refuse("it is archived".to_owned()),
    }
}

fn retry_mark(mark: &MarkFacts) -> Result<Change, Refusal> {
    match mark {
        MarkFacts::Abandoned(Abandonment { reason, .. }) if reason == "OVERDUE" => Ok(Change::OweMark),
        MarkFacts::Abandoned(Abandonment { reason, .. }) => {
            refuse(format!("its mark was given up for {reason}: there is nothing to mark; reconcile it"))
        }
        MarkFacts::Open => refuse("its mark was not given up".to_owned()),
        MarkFacts::Done => refuse("it is marked".to_owned()),
        MarkFacts::Reconciled => refuse("its mark is reconciled".to_owned()),
    }
}

fn reconcile(mark: &MarkFacts) -> Result<Change, Refusal> {
    match mark {
        MarkFacts::Abandoned(_) => Ok(Change::Reconcile),
        MarkFacts::Open => refuse("its mark was not given up: there is nothing to reconcile".to_owned()),
        MarkFacts::Done => refuse("it is marked: there is nothing to reconcile".to_owned()),
        MarkFacts::Reconciled => refuse("it is reconciled already".to_owned()),
    }
}

fn on_late(act: Act, state: LateState) -> Result<Change, Refusal> {
    match (act, state) {
        (Act::Admit, LateState::Found) => Ok(Change::Admit),
        (Act::Dismiss, LateState::Found) => Ok(Change::Dismiss),
        (
            Act::Admit
            | Act::Dismiss
            | Act::Replay
            | Act::Skip
            | Act::RetryMark
            | Act::Reconcile
            | Act::RetryEvent
            | Act::DiscardEvent
            | Act::Pause
            | Act::Resume,
            LateState::Found | LateState::Admitted | LateState::Dismissed,
        ) => refuse(format!("somebody has decided: it is {}", state.as_str())),
    }
}

fn on_event(act: Act, event: EventFacts) -> Result<Change, Refusal> {
    match (act, event.state) {
        (Act::RetryEvent, EventState::Dead) => Ok(Change::SendLate),
        (Act::DiscardEvent, EventState::Dead) => Ok(Change::Discard),
        (
            Act::RetryEvent
            | Act::DiscardEvent
            | Act::Admit
            | Act::Dismiss
            | Act::Replay
            | Act::Skip
            | Act::RetryMark
            | Act::Reconcile
            | Act::Pause
            | Act::Resume,
            EventState::Dead | EventState::Pending | EventState::Sent | EventState::Discarded,
        ) => refuse(format!("it is {}: only dead events are retried or discarded", event.state.as_str())),
    }
}

fn refuse<T>(words: String) -> Result<T, Refusal> {
    Err(Refusal(words))
}

#[cfg(test)]
mod tests;

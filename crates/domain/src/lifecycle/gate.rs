//! The one gate: which act is allowed on which state, and what it does.

mod change;
mod messages;

pub use self::change::Change;
use self::messages::on_message;
use super::facts::{EventFacts, EventState, Facts, LateState};
use super::{Act, Target};
use crate::message::{ERROR_CHARS_MAX, text};

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

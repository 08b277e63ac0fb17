//! What is known of the target of an act.

use std::fmt;

use jiff::Timestamp;

use super::body::BodyFacts;
use crate::message::{ErrorClass, State};

/// A target as the store has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Facts {
    /// A message.
    Message(MessageFacts),
    /// A row found too late.
    Late(LateState),
    /// An event.
    Event(EventFacts),
    /// There is no such thing.
    Missing,
}

/// A row of `proc_state`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageFacts {
    /// Its state.
    pub state: State,
    /// Class of its last failure.
    pub class: Option<ErrorClass>,
    /// Failed attempts.
    pub attempts: u32,
    /// Its mark.
    pub mark: MarkFacts,
    /// Its body.
    pub body: BodyFacts,
}

/// The mark of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkFacts {
    /// Not written and not given up.
    Open,
    /// Written, or found there.
    Done,
    /// Given up, and on the list until reconciled.
    Abandoned(Abandonment),
    /// Given up and accounted for.
    Reconciled,
}

/// How a mark was given up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Abandonment {
    /// `MISSING_ROW` or `OVERDUE`.
    pub reason: String,
    /// When.
    pub at: Timestamp,
}

/// `inbox_late.state`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LateState {
    /// Found, nobody has decided.
    Found,
    /// Taken up.
    Admitted,
    /// Left alone for good.
    Dismissed,
}

/// A row of `msg_event`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EventFacts {
    /// Its state.
    pub state: EventState,
    /// Refused attempts.
    pub attempts: u32,
}

/// `msg_event.state`, a discarded event told apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EventState {
    /// Waits to be sent.
    Pending,
    /// Acknowledged.
    Sent,
    /// Refused for good.
    Dead,
    /// Refused for good and given up by an operator.
    Discarded,
}

impl LateState {
    /// Every state.
    pub const ALL: [Self; 3] = [Self::Found, Self::Admitted, Self::Dismissed];

    /// Name in the store and on every surface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Found => "FOUND",
            Self::Admitted => "ADMITTED",
            Self::Dismissed => "DISMISSED",
        }
    }

    /// The state of a stored name; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

impl EventState {
    /// Name on every surface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "PENDING",
            Self::Sent => "SENT",
            Self::Dead => "DEAD",
            Self::Discarded => "DISCARDED",
        }
    }

    /// From the stored state; `discarded` is `discarded_at`. `None` for an unknown name.
    pub fn of(state: &str, discarded: Option<Timestamp>) -> Option<Self> {
        match (state, discarded) {
            ("PENDING", _) => Some(Self::Pending),
            ("SENT", _) => Some(Self::Sent),
            ("DEAD", None) => Some(Self::Dead),
            ("DEAD", Some(_)) => Some(Self::Discarded),
            _ => None,
        }
    }
}

impl fmt::Display for MessageFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.state.as_str())?;
        if let Some(class) = self.class {
            write!(f, "({class})")?;
        }
        if self.attempts > 0 { write!(f, " after {} attempt(s)", self.attempts) } else { Ok(()) }
    }
}

impl fmt::Display for MarkFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Open => f.write_str("mark not given up"),
            Self::Done => f.write_str("marked"),
            Self::Abandoned(Abandonment { reason, at }) => write!(f, "mark given up {reason} at {at}"),
            Self::Reconciled => f.write_str("mark given up and reconciled"),
        }
    }
}

impl fmt::Display for EventFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.state.as_str())?;
        if self.attempts > 0 { write!(f, " after {} attempt(s)", self.attempts) } else { Ok(()) }
    }
}

//! The acts of an operator.

/// An act, `operation.act` and `audit_log.act`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Act {
    /// A dead letter gets one attempt more; a failed head is tried at once.
    Replay,
    /// A dead letter or a failed head ends SKIPPED.
    Skip,
    /// A mark that was given up as overdue is owed again.
    RetryMark,
    /// A mark that was given up is accounted for.
    Reconcile,
    /// A row found too late is taken up.
    Admit,
    /// A row found too late is left alone for good.
    Dismiss,
    /// A dead event is sent once more.
    RetryEvent,
    /// A dead event is given up for good.
    DiscardEvent,
    /// A room stops working.
    Pause,
    /// A paused room works again.
    Resume,
}

/// What an act is done to, `audit_log.target`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Target {
    /// A message, by its ID.
    Message,
    /// A row of the mailbox found too late, by its ID.
    LateRow,
    /// An event, by its ID.
    Event,
    /// A room, by its name.
    Room,
}

impl Act {
    /// Every act.
    pub const ALL: [Self; 10] = [
        Self::Replay,
        Self::Skip,
        Self::RetryMark,
        Self::Reconcile,
        Self::Admit,
        Self::Dismiss,
        Self::RetryEvent,
        Self::DiscardEvent,
        Self::Pause,
        Self::Resume,
    ];

    /// Name in the store and on every surface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Replay => "replay",
            Self::Skip => "skip",
            Self::RetryMark => "retry-mark",
            Self::Reconcile => "reconcile",
            Self::Admit => "admit",
            Self::Dismiss => "dismiss",
            Self::RetryEvent => "retry-event",
            Self::DiscardEvent => "discard-event",
            Self::Pause => "pause",
            Self::Resume => "resume",
        }
    }

    /// The act of a stored name; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|act| act.as_str() == name)
    }

    /// What it is done to.
    pub fn target(self) -> Target {
        match self {
            Self::Replay | Self::Skip | Self::RetryMark | Self::Reconcile => Target::Message,
            Self::Admit | Self::Dismiss => Target::LateRow,
            Self::RetryEvent | Self::DiscardEvent => Target::Event,
            Self::Pause | Self::Resume => Target::Room,
        }
    }
}

impl Target {
    /// Every target.
    pub const ALL: [Self; 4] = [Self::Message, Self::LateRow, Self::Event, Self::Room];

    /// Name in the store and on every surface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Message => "message",
            Self::LateRow => "late-row",
            Self::Event => "event",
            Self::Room => "room",
        }
    }

    /// The target of a stored name; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|target| target.as_str() == name)
    }
}

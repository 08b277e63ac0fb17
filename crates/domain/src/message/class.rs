//! Error classes: who can mend it, what happens next, whether it may be replayed.

use std::fmt;

/// Class of a failure, stored in `proc_state.error_class`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorClass {
    /// The message is broken: DEAD at once, not replayable.
    Malformed,
    /// The message breaks the business protocol (RECS, operation day): DEAD at once, nothing
    /// of it applied (INV-19), not replayable.
    Protocol,
    /// The codec can't read a value: FAILED, retried `decode-max-attempts` times.
    CodecError,
    /// No handler: FAILED, retried `decode-max-attempts` times.
    Unsupported,
    /// The store refused the message's data: FAILED, retried.
    Infra,
    /// Attempts used up: DEAD.
    Exhausted,
}

impl ErrorClass {
    /// Every class.
    pub const ALL: [Self; 6] =
        [Self::Malformed, Self::Protocol, Self::CodecError, Self::Unsupported, Self::Infra, Self::Exhausted];

    /// Name in the store and on every surface.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Malformed => "MALFORMED",
            Self::Protocol => "PROTOCOL",
            Self::CodecError => "CODEC_ERROR",
            Self::Unsupported => "UNSUPPORTED",
            Self::Infra => "INFRA",
            Self::Exhausted => "EXHAUSTED",
        }
    }

    /// The class of a stored name; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|class| class.as_str() == name)
    }

    /// May an operator replay a message that died of it?
    pub fn is_replayable(self) -> bool {
        match self {
            Self::Malformed | Self::Protocol => false,
            Self::CodecError | Self::Unsupported | Self::Infra | Self::Exhausted => true,
        }
    }
}

impl fmt::Display for ErrorClass {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

//! What a failure leads to: DEAD at once, another try, or DEAD because the tries are used up.

use jiff::Timestamp;

use super::Policy;
use super::reading::{Failure, Reading};
use crate::message::{Conclusion, ERROR_CHARS_MAX, ErrorClass, IdentityKey, Settled, text};

impl Reading {
    /// The end of a try that failed. The try that reaches the limit of its class ends DEAD, and so
    /// does that of a replay.
    pub(super) fn failed(
        &self,
        failure: &Failure,
        identity: Option<IdentityKey>,
        at: Timestamp,
        policy: &Policy,
    ) -> Settled {
        let attempts = self.attempts.saturating_add(1);
        let error = text(&failure.error, ERROR_CHARS_MAX);
        let conclusion = match attempts_max(failure.class, policy) {
            None => Conclusion::Dead { class: failure.class, error: error.clone() },
            Some(_) if self.is_replay => Conclusion::Dead {
                class: ErrorClass::Exhausted,
                error: text(
                    &format!("{} at its one attempt of a replay: {error}", failure.class),
                    ERROR_CHARS_MAX,
                ),
            },
            Some(max) if attempts >= max => Conclusion::Dead {
                class: ErrorClass::Exhausted,
                error: text(
                    &format!("{} at attempt {attempts} of {max}: {error}", failure.class),
                    ERROR_CHARS_MAX,
                ),
            },
            Some(_) => Conclusion::Failed {
                class: failure.class,
                error: error.clone(),
                due: at.checked_add(policy.backoff.after(attempts)).unwrap_or(Timestamp::MAX),
            },
        };
        Settled {
            attempts,
            attempt_failure: Some((failure.class, error)),
            identity,
            ..self.settled(conclusion)
        }
    }

    /// The end of a try that didn't fail; without identity.
    pub(super) fn settled(&self, conclusion: Conclusion) -> Settled {
        Settled {
            msg_id: self.msg_id,
            attempts_seen: self.attempts,
            attempts: self.attempts,
            conclusion,
            attempt_failure: None,
            labels: self.labels.clone(),
            identity: None,
            content_hash: self.content_hash,
            yields: None,
        }
    }

    pub(super) fn skipped(&self, reason: String) -> Settled {
        self.settled(Conclusion::Skipped { reason: text(&reason, ERROR_CHARS_MAX) })
    }
}

/// How often a failure of a class is tried; `None`: never again.
fn attempts_max(class: ErrorClass, policy: &Policy) -> Option<u32> {
    match class {
        ErrorClass::Malformed | ErrorClass::Protocol | ErrorClass::Exhausted => None,
        ErrorClass::CodecError | ErrorClass::Unsupported => Some(policy.decode_max_attempts),
        ErrorClass::Infra => Some(policy.max_attempts),
    }
}

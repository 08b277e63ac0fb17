//! A message that ends the process: nothing of it can be read without dying of it again, so its end
//! is decided from the outside.

use crate::message::{Candidate, Conclusion, ErrorClass, Labels, Settled};

/// How its end begins, in words.
const WORDS: &str = "it ended the process";

/// Deaths of the process, each while one and the same message was tried alone, after which that
/// message is given up.
pub const LONE_DEATHS_MAX: u32 = 3;

/// The end of a message during whose lone tries the process has died `deaths` times. Its labels
/// stay unknown: reading them may be what kills.
pub fn ended_the_process(candidate: &Candidate, deaths: u32) -> Settled {
    let error = format!(
        "{WORDS} {deaths} times while it was tried alone: look into its body without msgexchange, then replay or leave it"
    );
    Settled {
        msg_id: candidate.msg_id,
        attempts_seen: candidate.attempts,
        attempts: candidate.attempts.saturating_add(1),
        conclusion: Conclusion::Dead { class: ErrorClass::Exhausted, error: error.clone() },
        attempt_failure: Some((ErrorClass::Exhausted, error)),
        labels: Labels::default(),
        identity: None,
        content_hash: None,
        yields: None,
    }
}

/// Has a message with this last error been given up for ending the process? Whoever shows it must
/// not read it again.
pub fn was_lethal(last_error: Option<&str>) -> bool {
    last_error.is_some_and(|error| error.starts_with(WORDS))
}

#[cfg(test)]
mod tests {
    use jiff::Timestamp;

    use super::*;
    use crate::MsgId;
    use crate::message::{State, StoredBody};

    #[test]
    fn what_ended_the_process_is_known_by_its_words() {
        let candidate = Candidate {
            msg_id: MsgId(7),
            state: State::Failed,
            attempts: 1,
            due: None,
            enqueued_at: Timestamp::UNIX_EPOCH,
            body: StoredBody::Missing,
        };
        let settled = ended_the_process(&candidate, LONE_DEATHS_MAX);
        assert_eq!((settled.attempts_seen, settled.attempts), (1, 2));
        let Conclusion::Dead { class: ErrorClass::Exhausted, error } = settled.conclusion else {
            panic!("it is given up");
        };
        assert!(was_lethal(Some(&error)), "{error}");
        assert!(!was_lethal(Some("not well-formed")) && !was_lethal(None));
    }
}

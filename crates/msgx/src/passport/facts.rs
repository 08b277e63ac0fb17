//! The five facts of one message: none implies the next, each has its own time (INV-1).

use std::time::Duration;

use domain::event::Target;
use domain::lifecycle::EventState;
use jiff::Timestamp;

use super::Passport;

/// When each became true; `None` where it isn't, or isn't known any longer.
pub(crate) struct Facts {
    /// As the mailbox's receive time says.
    pub(crate) landed: Option<Timestamp>,
    /// Taken up.
    pub(crate) enqueued: Timestamp,
    /// Ended.
    pub(crate) processed: Option<Timestamp>,
    /// The last of its events was acknowledged; only when all are.
    pub(crate) delivered: Option<Timestamp>,
    /// The mark was written or found.
    pub(crate) marked: Option<Timestamp>,
    /// Events acknowledged, and all that are kept.
    pub(crate) events: (usize, usize),
}

impl Facts {
    /// Those of a message.
    pub(crate) fn of(passport: &Passport) -> Self {
        let message = &passport.record.message;
        let sent = passport.events.iter().filter(|event| event.state == EventState::Sent).count();
        let all_sent = sent > 0 && sent == passport.events.len();
        let last = passport.events.iter().filter_map(|event| event.sent_at).max();
        Self {
            landed: message.received_at,
            enqueued: message.enqueued_at,
            processed: processed(passport),
            delivered: last.filter(|_| all_sent),
            marked: message.marked_at,
            events: (sent, passport.events.len()),
        }
    }

    /// Each with its time and how long it took since the one before that is known. Delivered and
    /// marked both follow processed.
    pub(crate) fn steps(&self) -> [(&'static str, Option<Timestamp>, Option<Duration>); 5] {
        let since = |before: Option<Timestamp>, at: Option<Timestamp>| {
            before.zip(at).and_then(|(before, at)| Duration::try_from(at.duration_since(before)).ok())
        };
        let enqueued = Some(self.enqueued);
        let processed = self.processed;
        [
            ("landed", self.landed, None),
            ("enqueued", enqueued, since(self.landed, enqueued)),
            ("processed", processed, since(enqueued, processed)),
            ("delivered", self.delivered, since(processed, self.delivered)),
            ("marked", self.marked, since(processed, self.marked)),
        ]
    }
}

/// What its own row no longer tells, its effects do: they were written with its end.
fn processed(passport: &Passport) -> Option<Timestamp> {
    if !passport.record.message.state.is_terminal() {
        return None;
    }
    let own = passport.record.processed_at();
    let step = || passport.steps.last().map(|step| step.at);
    let event =
        || passport.events.iter().find(|event| event.target == Target::Msg).map(|event| event.created_at);
    let attempt = || passport.attempts.last().map(|attempt| attempt.at);
    own.or_else(step).or_else(event).or_else(attempt)
}

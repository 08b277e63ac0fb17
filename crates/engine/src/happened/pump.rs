//! What the pump tells.

use domain::MsgId;
use domain::decide::Passed;
use domain::message::{Conclusion, Settled};
use metrics::{counter, histogram};
use tracing::{debug, warn};

use super::catalogue::{IGNORED, IN_DOUBT, OUTCOMES, PROCESSED, RUN_MESSAGES, RUN_SPLITS, WITHOUT_EFFECT};
use crate::pulse::Outcome;

/// One message ended a try, committed.
pub struct MessageSettled<'a> {
    /// The end.
    pub settled: &'a Settled,
    /// Its bounded name.
    pub outcome: Outcome,
}

impl MessageSettled<'_> {
    /// Tells it.
    pub fn emit(self) {
        let Self { settled, outcome } = self;
        let Outcome { kind, subtype, state, class } = outcome;
        if state.is_terminal() {
            counter!(PROCESSED).increment(1);
        }
        let class_name = class.map_or("", |class| class.as_str());
        match &settled.conclusion {
            Conclusion::Succeeded => {}
            Conclusion::Skipped { reason } => {
                if let Some(rule) = reason.strip_prefix("ignored:") {
                    counter!(IGNORED, "rule" => rule.to_owned()).increment(1);
                }
                debug!(msg_id = settled.msg_id.0, reason, "message skipped");
            }
            Conclusion::Dead { class, error } => {
                warn!(
                    msg_id = settled.msg_id.0, %class, attempts = settled.attempts, kind, subtype, error,
                    "message is dead"
                );
            }
            Conclusion::Failed { class, error, due } => {
                warn!(
                    msg_id = settled.msg_id.0, %class, attempts = settled.attempts, kind, subtype, %due, error,
                    "message failed and holds up the queue until it is due"
                );
            }
        }
        counter!(
            OUTCOMES,
            "type" => kind, "styp" => subtype, "state" => state.as_str(), "class" => class_name
        )
        .increment(1);
    }
}

/// A run was committed.
pub struct RunCommitted {
    /// Messages.
    pub messages: usize,
    /// Flights changed.
    pub flights: usize,
    /// Events written.
    pub events: usize,
    /// What of them found nothing to act on.
    pub passed: Passed,
    /// The last message.
    pub last: MsgId,
}

impl RunCommitted {
    /// Tells it.
    pub fn emit(self) {
        let Self { messages, flights, events, passed, last } = self;
        let Passed { not_applied, deleted_flight, unknown_flight, in_history } = passed;
        for (why, count) in [
            ("not-applied", not_applied),
            ("deleted-flight", deleted_flight),
            ("unknown-flight", unknown_flight),
            ("in-history", in_history),
        ] {
            if count > 0 {
                counter!(WITHOUT_EFFECT, "why" => why).increment(count);
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "a run is bounded by RUN_MESSAGES_MAX")]
        histogram!(RUN_MESSAGES).record(messages as f64);
        debug!(messages, flights, events, last = last.0, "run committed");
    }
}

/// The store refused a run's data: it is cut in half until the culprit is alone.
pub struct RunSplit {
    /// Messages of the run.
    pub messages: usize,
    /// The first one.
    pub first: MsgId,
}

impl RunSplit {
    /// Tells it.
    pub fn emit(self) {
        let Self { messages, first } = self;
        counter!(RUN_SPLITS).increment(1);
        warn!(
            messages,
            first = first.0,
            "the store refused the data of a run; looking for the message to blame"
        );
    }
}

/// The answer to a commit was lost.
pub struct CommitInDoubt {
    /// First message of the run.
    pub first: MsgId,
    /// What the connection said.
    pub words: String,
}

impl CommitInDoubt {
    /// Tells it.
    pub fn emit(self) {
        let Self { first, words } = self;
        counter!(IN_DOUBT).increment(1);
        warn!(first = first.0, "a commit's answer was lost, looking whether it happened: {words}");
    }
}

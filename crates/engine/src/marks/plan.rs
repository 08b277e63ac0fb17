//! What each of the four outcomes of a mark leads to (INV-7).

use domain::message::text;
use jiff::Timestamp;

use crate::ports::{DueMark, MarkOutcome, MarkVerdict};
use crate::settings::MarkSettings;
use crate::time::age;

/// The mailbox has no such row.
pub(super) const MISSING_ROW: &str = "MISSING_ROW";

/// R has passed and the last try failed.
pub(super) const OVERDUE: &str = "OVERDUE";

/// Longest text kept of an error, in characters.
const ERROR_CHARS_MAX: usize = 512;

/// The verdict on one mark. A failure is tried again until R (`overdue-backfill`) has passed since
/// the message was enqueued; the try at R is the last one.
pub(super) fn judge(
    due: &DueMark,
    outcome: &MarkOutcome,
    now: Timestamp,
    settings: &MarkSettings,
) -> MarkVerdict {
    match outcome {
        MarkOutcome::Written | MarkOutcome::AlreadyMarked => MarkVerdict::Done,
        MarkOutcome::Missing => MarkVerdict::Abandoned { reason: MISSING_ROW, error: String::new() },
        MarkOutcome::Failed { error, .. } if overdue(due, now, settings) => {
            MarkVerdict::Abandoned { reason: OVERDUE, error: cut(error) }
        }
        MarkOutcome::Failed { error, .. } => {
            let attempts = due.attempts.saturating_add(1);
            let last_try = due.enqueued_at + settings.overdue;
            let next = now + settings.backoff.after(attempts);
            MarkVerdict::Retry { error: cut(error), attempts, due: next.min(last_try) }
        }
    }
}

/// Has R passed?
pub(super) fn overdue(due: &DueMark, now: Timestamp, settings: &MarkSettings) -> bool {
    age(due.enqueued_at, now) >= settings.overdue
}

/// Words for a column.
pub(super) fn cut(error: &str) -> String {
    text(error, ERROR_CHARS_MAX)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use domain::MsgId;

    use super::*;

    const ENQUEUED: Timestamp = Timestamp::constant(1_800_000_000, 0);

    fn due(attempts: u32) -> DueMark {
        DueMark { msg_id: MsgId(1), enqueued_at: ENQUEUED, attempts }
    }

    fn failed() -> MarkOutcome {
        MarkOutcome::Failed { error: "lock wait".to_owned(), needs_operator: false }
    }

    #[test]
    fn inv_07_each_outcome_has_its_verdict() {
        let settings = MarkSettings::default();
        let now = ENQUEUED + Duration::from_secs(1);
        let error = "lock wait".to_owned();
        let retry = MarkVerdict::Retry { error, attempts: 1, due: now + Duration::from_secs(30) };
        for (outcome, verdict) in [
            (MarkOutcome::Written, MarkVerdict::Done),
            (MarkOutcome::AlreadyMarked, MarkVerdict::Done),
            (MarkOutcome::Missing, MarkVerdict::Abandoned { reason: MISSING_ROW, error: String::new() }),
            (failed(), retry),
        ] {
            assert_eq!(judge(&due(0), &outcome, now, &settings), verdict);
        }
    }

    #[test]
    fn waits_double_to_their_cap_and_never_pass_the_last_try() {
        let settings = MarkSettings::default();
        let next = |attempts, now| match judge(&due(attempts), &failed(), now, &settings) {
            MarkVerdict::Retry { due, .. } => due,
            verdict @ (MarkVerdict::Done | MarkVerdict::Abandoned { .. }) => panic!("{verdict:?}"),
        };
        let early = ENQUEUED + Duration::from_secs(60);
        assert_eq!(next(1, early), early + Duration::from_secs(60));
        assert_eq!(next(9, early), early + Duration::from_secs(15 * 60));
        let last_try = ENQUEUED + settings.overdue;
        assert_eq!(next(9, last_try - Duration::from_secs(5)), last_try);
    }

    #[test]
    fn inv_07_after_r_the_last_try_is_made_and_then_it_is_abandoned() {
        let settings = MarkSettings::default();
        let at_r = ENQUEUED + settings.overdue;
        let abandoned = MarkVerdict::Abandoned { reason: OVERDUE, error: "lock wait".to_owned() };
        assert_eq!(judge(&due(99), &failed(), at_r, &settings), abandoned);
        assert_eq!(judge(&due(99), &MarkOutcome::Written, at_r, &settings), MarkVerdict::Done);
    }

    #[test]
    fn words_are_cut_by_characters() {
        assert_eq!(cut("航\0班"), "航班");
        assert_eq!(cut(&"航".repeat(600)).chars().count(), 512);
    }
}

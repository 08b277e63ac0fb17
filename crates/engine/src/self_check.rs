//! Start-up check of the time constants: a configuration under which evidence would be deleted
//! before it is used is refused at the door.

use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// The durations whose order matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeConstants {
    /// R, `msgx.pipeline.overdue-backfill`.
    pub overdue_backfill: Duration,
    /// R_keep, `msgx.retention.keep`.
    pub keep: Duration,
    /// `replay-window`.
    pub replay_window: Duration,
    /// `handling-window`.
    pub handling_window: Duration,
    /// `audit-window`.
    pub audit_window: Duration,
    /// `msgx.retention.hst`: how long abandonments stay visible.
    pub retention_hst: Duration,
    /// `msgx.retention.shadow`: how long duplicates are remembered.
    pub retention_shadow: Duration,
    /// `msgx.retention.raw`: how long a dead letter has a body to be replayed from.
    pub retention_raw: Duration,
    /// `msgx.retention.flight-history`: how long a late message finds its flight in history.
    pub retention_flight_history: Duration,
    /// `msgx.lease-ttl`.
    pub lease_ttl: Duration,
    /// `mailbox.poll-interval`.
    pub poll_interval: Duration,
}

impl Default for TimeConstants {
    fn default() -> Self {
        Self {
            overdue_backfill: 30 * DAY,
            keep: 45 * DAY,
            replay_window: 14 * DAY,
            handling_window: 7 * DAY,
            audit_window: 30 * DAY,
            retention_hst: 60 * DAY,
            retention_shadow: 60 * DAY,
            retention_raw: 45 * DAY,
            retention_flight_history: 400 * DAY,
            lease_ttl: Duration::from_secs(10),
            poll_interval: Duration::from_millis(200),
        }
    }
}

/// A reason not to start.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{key}: {words}")]
pub struct Refusal {
    /// The parameter to change.
    pub key: &'static str,
    /// What is wrong and what would be accepted.
    pub words: String,
}

impl TimeConstants {
    /// Everything wrong with them, together; empty when all is well.
    pub fn refusals(&self) -> Vec<Refusal> {
        let windows = self.replay_window + self.handling_window;
        let keep = "msgx.retention.keep";
        let at_least = [
            (keep, self.keep, "msgx.pipeline.overdue-backfill (R)", self.overdue_backfill),
            (keep, self.keep, "replay-window + handling-window", windows),
            (keep, self.keep, "audit-window", self.audit_window),
            ("msgx.retention.hst", self.retention_hst, keep, self.keep),
            ("msgx.retention.shadow", self.retention_shadow, keep, self.keep),
            ("msgx.retention.raw", self.retention_raw, "replay-window + handling-window", windows),
            ("msgx.retention.flight-history", self.retention_flight_history, keep, self.keep),
        ];
        let mut refusals: Vec<Refusal> = at_least
            .into_iter()
            .filter(|(_, value, _, least)| value < least)
            .map(|(key, value, other, least)| Refusal {
                key,
                words: format!("is {value:?}, must be at least {other}, which is {least:?}"),
            })
            .collect();
        let not_zero = [("msgx.lease-ttl", self.lease_ttl), ("mailbox.poll-interval", self.poll_interval)];
        refusals.extend(
            not_zero
                .into_iter()
                .filter(|(_, value)| value.is_zero())
                .map(|(key, _)| Refusal { key, words: "is zero, must be positive".to_owned() }),
        );
        refusals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_are_accepted() {
        assert_eq!(TimeConstants::default().refusals(), []);
    }

    #[test]
    fn each_broken_order_is_refused_by_its_key() {
        let good = TimeConstants::default();
        let cases = [
            (TimeConstants { overdue_backfill: 46 * DAY, ..good }, "msgx.retention.keep"),
            (
                TimeConstants { replay_window: 39 * DAY, retention_raw: 46 * DAY, ..good },
                "msgx.retention.keep",
            ),
            (TimeConstants { audit_window: 46 * DAY, ..good }, "msgx.retention.keep"),
            (TimeConstants { retention_hst: 44 * DAY, ..good }, "msgx.retention.hst"),
            (TimeConstants { retention_shadow: 44 * DAY, ..good }, "msgx.retention.shadow"),
            (TimeConstants { retention_raw: 20 * DAY, ..good }, "msgx.retention.raw"),
            (TimeConstants { retention_flight_history: 44 * DAY, ..good }, "msgx.retention.flight-history"),
            (TimeConstants { lease_ttl: Duration::ZERO, ..good }, "msgx.lease-ttl"),
            (TimeConstants { poll_interval: Duration::ZERO, ..good }, "mailbox.poll-interval"),
        ];
        for (constants, key) in cases {
            let refusals = constants.refusals();
            assert_eq!(refusals.iter().map(|refusal| refusal.key).collect::<Vec<_>>(), [key]);
        }
    }

    #[test]
    fn all_problems_are_reported_together() {
        let constants = TimeConstants { keep: DAY, ..TimeConstants::default() };
        assert_eq!(constants.refusals().len(), 3);
    }
}

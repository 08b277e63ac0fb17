//! What a site may choose about the jobs.

use std::time::Duration;

/// Parameters of the history sweep; what is due is [`domain::decide::FlightPolicy::history_after`].
#[derive(Debug, Clone)]
pub struct HistorySettings {
    /// `flight.history-sweep-interval` (10 min).
    pub interval: Duration,
    /// Most flights of one transaction (200): the pump waits for it.
    pub batch: usize,
}

impl Default for HistorySettings {
    fn default() -> Self {
        Self { interval: Duration::from_secs(10 * 60), batch: 200 }
    }
}

/// Parameters of retention.
#[derive(Debug, Clone)]
pub struct RetentionSettings {
    /// `msgx.retention.flight-history` (400 d), from when a flight became history.
    pub flight_history: Duration,
    /// `msgx.retention.flight-change` (400 d), from when a step was committed.
    pub flight_change: Duration,
    /// How often there is a look (1 h).
    pub interval: Duration,
    /// Most rows of one transaction (1,000).
    pub batch: usize,
}

impl Default for RetentionSettings {
    fn default() -> Self {
        let kept = Duration::from_secs(400 * 24 * 60 * 60);
        Self {
            flight_history: kept,
            flight_change: kept,
            interval: Duration::from_secs(60 * 60),
            batch: 1_000,
        }
    }
}

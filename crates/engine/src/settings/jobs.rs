//! What a site may choose about the jobs.

use std::time::Duration;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

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

/// Parameters of the archive job.
#[derive(Debug, Clone)]
pub struct ArchiveSettings {
    /// `msgx.proc-state.archive-after` (1 d), from a message's last change: its end, or the
    /// settlement of its mark.
    pub after: Duration,
    /// How often there is a look (1 min).
    pub interval: Duration,
    /// Most messages of one transaction (250): the pump shares the disk with it.
    pub batch: usize,
}

impl Default for ArchiveSettings {
    fn default() -> Self {
        Self { after: DAY, interval: Duration::from_secs(60), batch: 250 }
    }
}

/// Parameters of retention.
#[derive(Debug, Clone)]
pub struct RetentionSettings {
    /// `msgx.retention.flight-history` (400 d), from when a flight became history.
    pub flight_history: Duration,
    /// `msgx.retention.flight-change` (400 d), from when a step was committed.
    pub flight_change: Duration,
    /// `msgx.pipeline.event-retention` (7 d), from when an event was sent or discarded.
    pub events: Duration,
    /// `msgx.retention.raw` (45 d), from when a body was enqueued.
    pub raw: Duration,
    /// `msgx.retention.hst` (60 d), from when a message was archived.
    pub archive: Duration,
    /// `msgx.retention.shadow` (60 d), from when it became a shadow.
    pub shadow: Duration,
    /// How often there is a look (1 h).
    pub interval: Duration,
    /// Most rows of one transaction (500): the pump shares the disk with it.
    pub batch: usize,
}

impl Default for RetentionSettings {
    fn default() -> Self {
        Self {
            flight_history: 400 * DAY,
            flight_change: 400 * DAY,
            events: 7 * DAY,
            raw: 45 * DAY,
            archive: 60 * DAY,
            shadow: 60 * DAY,
            interval: Duration::from_secs(60 * 60),
            batch: 500,
        }
    }
}

//! What a site may choose about the engine. Each field is a parameter, named where it is
//! declared; the defaults are the registry's.

mod discovery;
mod jobs;

use std::time::Duration;

use domain::backoff::Backoff;
use domain::decide::Policy;

pub use discovery::{DiscoverySettings, GapEvidence, StartAt};
pub use jobs::{ArchiveSettings, HistorySettings, RetentionSettings};

/// Most messages of a run by default.
pub const RUN_MESSAGES_MAX: usize = 500;

/// Everything the engine can be told.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Who this process is in the lease; differs at every start.
    pub owner: String,
    /// `msgx.lease-ttl` (10 s): how long a leader that fell silent still holds the lease.
    pub lease_ttl: Duration,
    /// Wait after an error of the environment: 1 s doubling to 30 s.
    pub patience: Backoff,
    /// Discovery.
    pub discovery: DiscoverySettings,
    /// Pump.
    pub pump: PumpSettings,
    /// Delivery.
    pub delivery: DeliverySettings,
    /// Marks.
    pub marks: MarkSettings,
    /// The history sweep.
    pub history: HistorySettings,
    /// The archive job.
    pub archive: ArchiveSettings,
    /// Retention.
    pub retention: RetentionSettings,
    /// `msgx.reconcile-hour` (3): from this hour of the airport's clocks mailbox and store are compared.
    pub reconcile_hour: i8,
    /// What decides about messages.
    pub policy: Policy,
}

impl Settings {
    /// The defaults, for a process named `owner` that decides by `policy`.
    pub fn new(owner: impl Into<String>, policy: Policy) -> Self {
        Self {
            owner: owner.into(),
            lease_ttl: Duration::from_secs(10),
            patience: Backoff { first: Duration::from_secs(1), cap: Duration::from_secs(30) },
            discovery: DiscoverySettings::default(),
            pump: PumpSettings::default(),
            delivery: DeliverySettings::default(),
            marks: MarkSettings::default(),
            history: HistorySettings::default(),
            archive: ArchiveSettings::default(),
            retention: RetentionSettings::default(),
            reconcile_hour: 3,
            policy,
        }
    }

    /// At most `batch` (at least 1) messages, events or marks at a time in every room; 1 is one
    /// message per transaction, for comparison.
    #[must_use]
    pub fn with_batch(mut self, batch: usize) -> Self {
        let batch = batch.max(1);
        self.discovery.rows_max = self.discovery.rows_max.min(batch);
        self.pump.run_messages_max = self.pump.run_messages_max.min(batch);
        self.delivery.window = self.delivery.window.min(batch);
        self.marks.batch = self.marks.batch.min(batch);
        self
    }
}

/// Parameters of the pump.
#[derive(Debug, Clone)]
pub struct PumpSettings {
    /// Most messages in one run ([`RUN_MESSAGES_MAX`]).
    pub run_messages_max: usize,
    /// Bytes of bodies in one run, about (16 MB).
    pub run_bytes_max: u64,
    /// Longest wait without looking at the queue (1 s): replays come from other processes.
    pub idle: Duration,
}

impl Default for PumpSettings {
    fn default() -> Self {
        Self { run_messages_max: RUN_MESSAGES_MAX, run_bytes_max: 16 << 20, idle: Duration::from_secs(1) }
    }
}

/// Parameters of delivery.
#[derive(Debug, Clone)]
pub struct DeliverySettings {
    /// Most events looked at together (2,000).
    pub window: usize,
    /// `msgx.pipeline.max-attempts` (5): refusals of a record before it is DEAD.
    pub max_attempts: u32,
    /// `msgx.pipeline.retry-backoff-ms` (1 s) and its cap (30 s).
    pub backoff: Backoff,
    /// `ce_source` of every record.
    pub source: String,
    /// Longest wait without looking at the outbox (1 s).
    pub idle: Duration,
}

impl Default for DeliverySettings {
    fn default() -> Self {
        Self {
            window: 2_000,
            max_attempts: 5,
            backoff: Backoff { first: Duration::from_secs(1), cap: Duration::from_secs(30) },
            source: "/msgexchange".to_owned(),
            idle: Duration::from_secs(1),
        }
    }
}

/// Parameters of marks.
#[derive(Debug, Clone)]
pub struct MarkSettings {
    /// Most marks written together (500).
    pub batch: usize,
    /// `msgx.pipeline.backfill-backoff-ms` (30 s) and its cap (15 min).
    pub backoff: Backoff,
    /// `msgx.pipeline.overdue-backfill` (R, 30 d), from `enqueued_at`.
    pub overdue: Duration,
    /// Longest wait without looking for marks that are due (1 s).
    pub idle: Duration,
}

impl Default for MarkSettings {
    fn default() -> Self {
        Self {
            batch: 500,
            backoff: Backoff { first: Duration::from_secs(30), cap: Duration::from_secs(15 * 60) },
            overdue: Duration::from_secs(30 * 24 * 60 * 60),
            idle: Duration::from_secs(1),
        }
    }
}

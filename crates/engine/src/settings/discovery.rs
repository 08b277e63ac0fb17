//! What a site may choose about discovery.

use std::time::Duration;

use domain::MsgId;

use crate::ports::BodyLimits;

/// Where a mailbox that was never read is begun: `mailbox.start-at`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StartAt {
    /// `earliest`: everything there is. The 10,000 IDs below the smallest visible one are waited for
    /// like any gap: a transaction that is open now may own one of them.
    Earliest,
    /// `latest`: only what lands from now on.
    Latest,
    /// `<id>`: the first ID to take up.
    Id(MsgId),
}

/// What proves that a missing ID will never come: `mailbox.gap-evidence` (DEC-5).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GapEvidence {
    /// `age`: it has been missing for `mailbox.max-commit-delay`.
    Age,
    /// `transactions`: every transaction that may own it has ended.
    Transactions,
}

/// Parameters of discovery.
#[derive(Debug, Clone)]
pub struct DiscoverySettings {
    /// `mailbox.start-at` (earliest).
    pub start_at: StartAt,
    /// `mailbox.poll-interval` (200 ms): wait between polls when idle.
    pub poll_interval: Duration,
    /// `mailbox.max-commit-delay` (5 min): how long a producer's transaction may take.
    pub max_commit_delay: Duration,
    /// `mailbox.gap-evidence` (age).
    pub gap_evidence: GapEvidence,
    /// `mailbox.gap-hold-max` (30 min): how long a transaction that is open holds a gap.
    pub gap_hold_max: Duration,
    /// `mailbox.id-step` (1): declared distance of two IDs.
    pub id_step: i64,
    /// Most IDs one poll looks at.
    pub ids_max: usize,
    /// Most rows one poll takes up.
    pub rows_max: usize,
    /// `mailbox.poll-bytes-max` (16 MB) and `mailbox.max-body-bytes` (10 MB).
    pub bodies: BodyLimits,
    /// How often released gaps of the last hour are looked at again (10 s).
    pub audit_interval: Duration,
    /// How often older ones are (1 h); also the age that makes them older.
    pub audit_interval_older: Duration,
}

impl Default for DiscoverySettings {
    fn default() -> Self {
        Self {
            start_at: StartAt::Earliest,
            poll_interval: Duration::from_millis(200),
            max_commit_delay: Duration::from_secs(5 * 60),
            gap_evidence: GapEvidence::Age,
            gap_hold_max: Duration::from_secs(30 * 60),
            id_step: 1,
            ids_max: 10_000,
            rows_max: 1_000,
            bodies: BodyLimits { poll_max: 16 << 20, body_max: 10 << 20 },
            audit_interval: Duration::from_secs(10),
            audit_interval_older: Duration::from_secs(60 * 60),
        }
    }
}

//! What the lease tells.

use domain::Epoch;
use jiff::Timestamp;
use metrics::{counter, gauge};
use tracing::{error, info};

use super::catalogue::{EPOCH, LEADER, LEASE_LOST};

/// This process leads from now on.
pub struct LeaseTaken {
    /// The new epoch.
    pub epoch: Epoch,
}

impl LeaseTaken {
    /// Tells it.
    pub fn emit(self) {
        gauge!(LEADER).set(1.0);
        #[expect(clippy::cast_precision_loss, reason = "an epoch counts take-overs")]
        gauge!(EPOCH).set(self.epoch.0 as f64);
        info!(epoch = self.epoch.0, "this process leads the pipeline");
    }
}

/// Another process leads; this one waits for the lease.
pub struct StandsBy {
    /// The other's name.
    pub owner: String,
    /// Its epoch.
    pub epoch: Epoch,
    /// When its lease runs out unless it is renewed.
    pub until: Timestamp,
}

impl StandsBy {
    /// Tells it.
    pub fn emit(self) {
        let Self { owner, epoch, until } = self;
        info!(epoch = epoch.0, %until, "stands by: {owner} leads the pipeline in epoch {epoch}");
    }
}

/// This process led and must not go on.
pub struct LeaseLost {
    /// The epoch that is over.
    pub epoch: Epoch,
    /// `fenced` or `expired`.
    pub reason: &'static str,
}

impl LeaseLost {
    /// Tells it.
    pub fn emit(self) {
        let Self { epoch, reason } = self;
        gauge!(LEADER).set(0.0);
        counter!(LEASE_LOST, "reason" => reason).increment(1);
        error!(epoch = epoch.0, reason, "leadership lost; nothing more is written, back to standby");
    }
}

/// This process gave the lease back.
pub struct LeaseReleased {
    /// The epoch that is over.
    pub epoch: Epoch,
}

impl LeaseReleased {
    /// Tells it.
    pub fn emit(self) {
        gauge!(LEADER).set(0.0);
        info!(epoch = self.epoch.0, "lease released");
    }
}

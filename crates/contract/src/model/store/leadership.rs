//! Lease and fence.

use std::time::Duration;

use domain::Epoch;
use engine::ports::{LeaseState, StoreError};
use jiff::Timestamp;

use super::tables::Tables;

impl Tables {
    pub(super) fn check_epoch(&self, epoch: Epoch) -> Result<(), StoreError> {
        match &self.lease {
            Some(lease) if lease.epoch == epoch => Ok(()),
            Some(_) | None => Err(StoreError::Fenced(epoch)),
        }
    }

    pub(super) fn acquire_lease(&mut self, owner: &str, now: Timestamp, ttl: Duration) -> Option<Epoch> {
        let held = self.lease.as_ref().is_some_and(|lease| lease.expires_at > now);
        (!held).then(|| self.seize_lease(owner, now, ttl))
    }

    pub(super) fn seize_lease(&mut self, owner: &str, now: Timestamp, ttl: Duration) -> Epoch {
        let epoch = Epoch(self.lease.as_ref().map_or(0, |lease| lease.epoch.0) + 1);
        self.lease = Some(LeaseState { epoch, owner: owner.into(), expires_at: now + ttl });
        epoch
    }

    pub(super) fn move_heartbeat(&mut self, expires_at: Timestamp) {
        if let Some(lease) = &mut self.lease {
            lease.expires_at = expires_at;
        }
    }
}

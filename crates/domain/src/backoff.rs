//! Waiting times between tries.

use std::time::Duration;

/// Doubling back-off with a cap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Backoff {
    /// Wait after the first failure.
    pub first: Duration,
    /// Longest wait.
    pub cap: Duration,
}

impl Backoff {
    /// Wait after `failures` failures in a row (from 1): `first * 2^(failures - 1)`, at most
    /// `cap`.
    pub fn after(&self, failures: u32) -> Duration {
        let doublings = failures.saturating_sub(1).min(31);
        self.first.saturating_mul(1 << doublings).min(self.cap)
    }
}

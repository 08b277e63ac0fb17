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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_cap() {
        let backoff = Backoff { first: Duration::from_secs(1), cap: Duration::from_secs(30) };
        for (failures, seconds) in
            [(0, 1), (1, 1), (2, 2), (3, 4), (5, 16), (6, 30), (1_000, 30), (u32::MAX, 30)]
        {
            assert_eq!(backoff.after(failures), Duration::from_secs(seconds), "{failures}");
        }
    }
}

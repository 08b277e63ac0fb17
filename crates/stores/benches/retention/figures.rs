//! Times of pump steps, and what they say.

use std::fmt;
use std::time::Duration;

/// Times of pump steps.
#[derive(Default)]
pub(crate) struct Steps(Vec<Duration>);

impl Steps {
    pub(crate) fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        Self(times)
    }

    pub(crate) fn add(&mut self, more: Self) {
        self.0.extend(more.0);
        self.0.sort_unstable();
    }

    pub(crate) fn p99(&self) -> Duration {
        self.at(99)
    }

    fn at(&self, part: usize) -> Duration {
        self.0[(self.0.len() * part / 100).min(self.0.len() - 1)]
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (count, p50, p99, longest) = (self.0.len(), self.at(50), self.p99(), self.at(100));
        write!(f, "{count} steps, p50 {p50:.2?}, p99 {p99:.2?}, longest {longest:.2?}")
    }
}

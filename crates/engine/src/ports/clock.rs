//! Time as a port, so that tests and the simulator own it.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use tokio::sync::Notify;

/// Wall and monotonic time. Wall time is for people and first contact only: ages and due times
/// use the own store's clock, carried forward by the monotonic one.
pub trait Clock: Send + Sync + 'static {
    /// Wall time.
    fn wall(&self) -> Timestamp;

    /// Time since some fixed point; never goes back.
    fn monotonic(&self) -> Duration;

    /// Returns when `wake` was called since the last pause ended, or after `longest`.
    fn pause(&self, wake: &Wake, longest: Duration) -> impl Future<Output = ()> + Send;
}

/// A bell: rings are remembered (one at most), so that none is lost between looking and
/// waiting.
#[derive(Debug, Clone, Default)]
pub struct Wake(Arc<Notify>);

impl Wake {
    /// Ends the current or the next pause.
    pub fn ring(&self) {
        self.0.notify_one();
    }

    /// Waits for a ring. For [`Clock`] adapters.
    pub async fn rung(&self) {
        self.0.notified().await;
    }
}

//! What the tests stand on: servers named by the environment, a place of its own per test, the
//! program as a child process, and the expected end state worked out in memory.

pub(crate) mod expected;
pub(crate) mod place;
pub(crate) mod program;
pub(crate) mod records;
pub(crate) mod upstream;

use std::time::{Duration, Instant};

/// Asks until the answer is yes; panics with `what` when it has been no for too long. The wait
/// between two questions is no proof of anything: the answer is.
#[expect(clippy::disallowed_methods, reason = "waiting for another process, by asking it")]
pub(crate) async fn until<F: Future<Output = bool>>(what: &str, mut ask: impl FnMut() -> F) {
    let deadline = Instant::now() + Duration::from_secs(180);
    while !ask().await {
        assert!(Instant::now() < deadline, "never came true: {what}");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// A server of the environment; without it the test fails with what to do.
pub(crate) fn server(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set: run `cargo xtask test`"))
}

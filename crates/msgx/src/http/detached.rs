//! Queries for a page, in a task of their own: a browser that goes away must not cancel them
//! half-way.

use axum::http::StatusCode;
use engine::ports::StoreError;

/// What an answer that is none tells.
pub(super) type Refusal = (StatusCode, String);

/// Runs them to their end, whoever still waits for it.
pub(super) async fn detached<T: Send + 'static>(
    queries: impl Future<Output = Result<T, StoreError>> + Send + 'static,
) -> Result<T, String> {
    match tokio::spawn(queries).await {
        Ok(found) => found.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// The store could not be asked.
pub(super) fn unavailable(words: String) -> Refusal {
    (StatusCode::SERVICE_UNAVAILABLE, words)
}

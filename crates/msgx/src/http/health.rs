//! Health from progress, and metrics.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::IntoResponse;
use engine::happened;
use engine::ports::Views;

use super::Server;

/// 200 while every room takes steps, else 503 with the rooms that don't.
pub(super) async fn live<V: Views>(State(server): State<Server<V>>) -> impl IntoResponse {
    verdict(server.app.pulse.live())
}

/// 200 while the process can do its work, else 503 with what is in the way.
pub(super) async fn ready<V: Views>(State(server): State<Server<V>>) -> impl IntoResponse {
    let pulse = &server.app.pulse;
    // A pause is somebody's wish, no failure: it is said, and the process stays ready.
    let (status, words) = verdict(pulse.ready());
    (status, pulse.paused().into_iter().fold(words, |words, paused| words + &paused + "\n"))
}

fn verdict(health: Result<(), Vec<String>>) -> (StatusCode, String) {
    match health {
        Ok(()) => (StatusCode::OK, "ok\n".into()),
        Err(words) => (StatusCode::SERVICE_UNAVAILABLE, words.join("\n") + "\n"),
    }
}

/// Prometheus text: counters as they are, ages as of now, the backlog as of the last second.
pub(super) async fn metrics<V: Views>(State(server): State<Server<V>>) -> impl IntoResponse {
    happened::publish_gauges(&server.app.pulse);
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], server.app.metrics.render())
}

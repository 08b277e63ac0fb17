//! What is served while the own store is waited for: the process lives, is not ready, and says why.

use std::net::TcpListener;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use engine::ports::Wake;
use metrics_exporter_prometheus::PrometheusHandle;

use super::guarded;
use super::hosts::Hosts;

/// Opened with the first reason to wait, closed before the service itself answers.
pub(crate) struct Anteroom {
    listener: TcpListener,
    hosts: Hosts,
    metrics: PrometheusHandle,
    over: Wake,
    words: Mutex<Option<Arc<Mutex<String>>>>,
}

impl Anteroom {
    /// On a second handle of the service's address.
    pub(crate) fn new(listener: TcpListener, hosts: Hosts, metrics: PrometheusHandle) -> Self {
        Self { listener, hosts, metrics, over: Wake::default(), words: Mutex::default() }
    }

    /// Says why one waits; the first time, opens.
    pub(crate) fn tell(&self, words: &str) -> std::io::Result<()> {
        let mut slot = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(said) = slot.as_ref() {
            words.clone_into(&mut said.lock().unwrap_or_else(PoisonError::into_inner));
            return Ok(());
        }
        let said = Arc::new(Mutex::new(words.to_owned()));
        let listener = tokio::net::TcpListener::from_std(self.listener.try_clone()?)?;
        let router = guarded(router(said.clone(), self.metrics.clone()), self.hosts.clone());
        let over = self.over.clone();
        tokio::spawn(
            axum::serve(listener, router)
                .with_graceful_shutdown(async move { over.rung().await })
                .into_future(),
        );
        *slot = Some(said);
        Ok(())
    }

    /// The service answers from now on.
    pub(crate) fn close(&self) {
        self.over.ring();
    }
}

fn router(words: Arc<Mutex<String>>, metrics: PrometheusHandle) -> Router {
    Router::new()
        .route("/health/live", get(async || "ok\n"))
        .route("/metrics", get(async move || metrics.render()))
        .fallback(reason)
        .with_state(words)
}

async fn reason(State(words): State<Arc<Mutex<String>>>) -> (StatusCode, String) {
    let words = words.lock().unwrap_or_else(PoisonError::into_inner).clone();
    (StatusCode::SERVICE_UNAVAILABLE, words + "\n")
}

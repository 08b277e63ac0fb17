//! The HTTP side: page, status, live stream, health, metrics. Reads through the `Views` port and
//! the engine's pulse; never SQL, never a write.

mod anteroom;
mod board;
mod detached;
mod facts;
mod flight;
mod health;
mod hosts;
mod messages;
mod news;
mod pages;
mod past;
mod stream;

use std::sync::Arc;

use axum::Router;
use axum::http::{HeaderName, HeaderValue, header};
use axum::middleware::{from_fn_with_state, map_response};
use axum::response::Response;
use axum::routing::get;
use engine::Pulse;
use engine::ports::{Actions, Views};
use metrics_exporter_prometheus::PrometheusHandle;
use tokio::net::TcpListener;

pub(crate) use anteroom::Anteroom;
pub(crate) use facts::Baseline;
pub(crate) use hosts::{Hosts, host};
pub(crate) use messages::Witness;

use news::{News, watch_pipeline};

use crate::console::Setting;

/// What every handler can see.
pub(crate) struct App<V> {
    /// Reads of the own store.
    pub(crate) views: Arc<V>,
    /// The engine's live state.
    pub(crate) pulse: Arc<Pulse>,
    /// What was there before this process started.
    pub(crate) baseline: Baseline,
    /// Metrics.
    pub(crate) metrics: PrometheusHandle,
    /// What the page says of this process.
    pub(crate) setting: Setting,
    /// What decides about messages, to read them as the pump does.
    pub(crate) policy: domain::decide::Policy,
    /// Who looks into the mailbox.
    pub(crate) witness: Witness,
    /// The dictionary, for the flights of the board.
    pub(crate) dictionary: &'static sis::Dictionary,
}

/// The application and what its pages listen to.
pub(crate) struct Server<V> {
    app: Arc<App<V>>,
    news: News,
}

// Not derived: the views themselves need not be cloned.
impl<V> Clone for Server<V> {
    fn clone(&self) -> Self {
        Self { app: self.app.clone(), news: self.news.clone() }
    }
}

/// Serves until `stop` resolves.
pub(crate) async fn serve<V: Views + Actions>(
    listener: TcpListener,
    app: App<V>,
    hosts: Hosts,
    stop: impl Future<Output = ()> + Send + 'static,
) -> std::io::Result<()> {
    let app = Arc::new(app);
    let news = watch_pipeline(app.clone());
    axum::serve(listener, guarded(router(Server { app, news }), hosts)).with_graceful_shutdown(stop).await
}

fn router<V: Views + Actions>(server: Server<V>) -> Router {
    Router::new()
        .route("/", get(pages::index::<V>))
        .route("/assets/console.css", get(pages::style))
        .route("/assets/console.js", get(pages::script))
        .route("/assets/facts.js", get(pages::facts_script))
        .route("/assets/board.js", get(pages::board_script))
        .route("/assets/words.js", get(pages::words_script))
        .route("/assets/icon.svg", get(pages::icon))
        .route("/api/v1/status", get(facts::status::<V>))
        .route("/api/v1/flights", get(flight::flights::<V>))
        .route("/api/v1/flights/{flid}", get(flight::flight::<V>))
        .route("/api/v1/flights/{flid}/history", get(flight::history::<V>))
        .route("/api/v1/messages", get(messages::messages::<V>))
        .route("/api/v1/messages/{id}", get(messages::message::<V>))
        .route("/api/v1/types", get(flight::types::<V>))
        .route("/api/v1/stream", get(stream::stream::<V>))
        .route("/health/live", get(health::live::<V>))
        .route("/health/ready", get(health::ready::<V>))
        .route("/metrics", get(health::metrics::<V>))
        .with_state(server)
}

/// Around everything served.
fn guarded(router: Router, hosts: Hosts) -> Router {
    router.layer(from_fn_with_state(hosts, hosts::refuse_others)).layer(map_response(secured))
}

/// Nothing of ours needs anything from elsewhere, and nobody may frame or sniff it.
const HEADERS: [(HeaderName, HeaderValue); 4] = [
    (
        header::CONTENT_SECURITY_POLICY,
        HeaderValue::from_static(
            "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; \
             base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        ),
    ),
    (header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff")),
    (header::REFERRER_POLICY, HeaderValue::from_static("no-referrer")),
    (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
];

async fn secured(mut response: Response) -> Response {
    for (name, value) in HEADERS {
        response.headers_mut().insert(name, value);
    }
    response
}

//! Log lines to standard error, in text or JSON; metrics with their meaning.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use engine::happened::{METRICS, MetricKind};
use metrics::{counter, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;

use crate::config::Config;

/// The filter of log lines. A single word that is no level names a module, and everything else would
/// be silent: a slip of the keyboard rather than a wish.
pub(crate) fn filter(config: &Config) -> Result<EnvFilter, String> {
    let text = config.text("log.level");
    let form =
        "expected: a level (off, error, warn, info, debug, trace), then module=level, separated by commas";
    let parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let is_slip =
        |part: &&&str| part.is_empty() || !part.contains(['=', '[']) && part.parse::<LevelFilter>().is_err();
    if let Some(part) = parts.iter().find(is_slip) {
        return Err(format!("log.level: '{part}' in '{text}' is no level; {form}"));
    }
    EnvFilter::try_new(parts.join(",")).map_err(|error| format!("log.level: '{text}': {error}; {form}"))
}

/// Starts logging; once per process.
pub(crate) fn start(config: &Config) -> anyhow::Result<()> {
    let filter = filter(config).map_err(anyhow::Error::msg)?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = if config.text("log.format") == "json" {
        lines.json().try_init()
    } else {
        lines.with_ansi(std::io::stderr().is_terminal()).try_init()
    };
    started.map_err(|error| anyhow::anyhow!("logging: {error}"))
}

/// Upper bounds of a latency histogram, in seconds.
const SECONDS: [f64; 12] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0, 60.0, 600.0];
/// Upper bounds of sizes of runs, in messages.
const MESSAGES: [f64; 8] = [1.0, 2.0, 5.0, 10.0, 50.0, 100.0, 500.0, 2_000.0];

/// Starts collecting metrics; once per process.
pub(crate) fn metrics() -> anyhow::Result<PrometheusHandle> {
    let builder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".into()), &SECONDS)?
        .set_buckets_for_metric(Matcher::Suffix("_messages".into()), &MESSAGES)?;
    let handle = builder.install_recorder().context("metrics")?;
    for metric in METRICS {
        match metric.kind {
            MetricKind::Counter => {
                describe_counter!(metric.name, metric.help);
                // Seen at 0 before the first event, so that an alarm on a rise misses none.
                if metric.labels.is_empty() {
                    counter!(metric.name).increment(0);
                }
            }
            MetricKind::Gauge => describe_gauge!(metric.name, metric.help),
            MetricKind::Histogram => describe_histogram!(metric.name, metric.help),
        }
    }
    Ok(handle)
}

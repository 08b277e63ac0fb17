//! Log lines to standard error, in text or JSON.

use std::io::IsTerminal as _;

use anyhow::Context as _;
use tracing_subscriber::EnvFilter;

use crate::config::Config;

/// Starts logging; once per process.
pub(crate) fn start(config: &Config) -> anyhow::Result<()> {
    let filter = EnvFilter::try_new(config.text("log.level")).context("log.level")?;
    let lines = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = if config.text("log.format") == "json" {
        lines.json().try_init()
    } else {
        lines.with_ansi(std::io::stderr().is_terminal()).try_init()
    };
    started.map_err(|error| anyhow::anyhow!("logging: {error}"))
}

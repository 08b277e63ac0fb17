//! The own store on a server, waited for. What waiting can't heal (credentials, a missing database,
//! a schema of another version) ends the process at once.

use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use domain::backoff::Backoff;
use engine::Stop;
use engine::ports::{Clock as _, StoreError, Wake};
use stores::postgres::{PostgresStore, SchemaError};

use super::{Job, open_embedded_store, with_store};
use crate::clock::SystemClock;
use crate::config::Config;

/// Waits between two tries.
const PATIENCE: Backoff = Backoff { first: Duration::from_millis(500), cap: Duration::from_secs(10) };

/// As [`super::with_migrated_stack`], but a store that can't be reached is waited for; each reason is
/// `told`. `None` when asked to stop before.
pub(crate) async fn with_awaited_stack<J: Job>(
    config: &Config,
    stop: &Stop,
    told: impl FnMut(&str) -> std::io::Result<()>,
    job: J,
) -> anyhow::Result<Option<J::Output>> {
    let Some(url) = config.optional("store.url") else {
        let store = Arc::new(open_embedded_store(config).await?);
        return with_store(config, store, job).await.map(Some);
    };
    match wait(config, url, stop, told).await? {
        Some(store) => with_store(config, Arc::new(store), job).await.map(Some),
        None => Ok(None),
    }
}

async fn wait(
    config: &Config,
    url: &str,
    stop: &Stop,
    mut told: impl FnMut(&str) -> std::io::Result<()>,
) -> anyhow::Result<Option<PostgresStore>> {
    let (clock, bell) = (SystemClock::new(), Wake::default());
    stop.rings(&bell);
    let mut failures = 0;
    while !stop.is_stopped() {
        match open(url, config.text("store.schema")).await {
            Ok(store) => {
                if failures > 0 {
                    tracing::info!(failures, "the own store answers");
                }
                return Ok(Some(store));
            }
            Err(SchemaError::Store(StoreError::Unavailable(words))) => {
                let words = format!("store.url: the own store can't be used yet: {words}");
                if failures == 0 {
                    tracing::warn!("{words}; waiting for it");
                }
                told(&words)?;
                failures += 1;
            }
            Err(error) => return Err(error).context("store.url"),
        }
        clock.pause(&bell, PATIENCE.after(failures)).await;
    }
    Ok(None)
}

/// Connected, migrated, and at the version this program knows.
async fn open(url: &str, schema: &str) -> Result<PostgresStore, SchemaError> {
    let store = PostgresStore::connect(url, schema).await?;
    store.migrate().await?;
    store.check_version().await?;
    Ok(store)
}

//! A place of its own for each run: schema, mailbox table, topics or directory, made before and
//! removed afterwards. What is configured for work is never touched.

use crate::cli::runtime;
use crate::config::Config;
use crate::wiring::{BenchPlace, Job, with_migrated_stack};

/// Runs a job on fresh stores.
pub(super) fn within<J: Job>(
    config: &Config,
    repetition: usize,
    job: impl FnOnce(Config) -> J,
) -> anyhow::Result<J::Output> {
    let mut config = config.clone();
    let name = format!("bench_{}_{repetition}", std::process::id());
    let runtime = runtime()?;
    let place = BenchPlace::choose(&mut config, &name)?;
    let result = runtime.block_on(async {
        place.make(&config).await?;
        let result = with_migrated_stack(&config, job(config.clone())).await;
        place.remove(&config).await?;
        result
    });
    runtime.shutdown_background();
    result
}

//! `msgx bench`: messages per second from landed to delivered and marked, on the configured
//! stores, against two yardsticks measured in the same run: the same messages one at a time, and
//! the *floor*, the same rows through the same databases and broker in bulk and without logic.
//!
//! Figures of different machines say nothing about each other; ratios of one run do.

mod effects;
mod floor;
mod letters;
mod place;
mod report;
mod throughput;

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::config::Config;

pub(crate) use report::Report;

/// What to measure.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    /// Messages of a run in batches, and of the floor.
    pub(crate) messages: usize,
    /// Messages of a run one at a time.
    pub(crate) messages_single: usize,
    /// Bytes of a message, about.
    pub(crate) bytes: usize,
    /// Runs of each; the median counts.
    pub(crate) repetitions: usize,
    /// Seed of the traffic.
    pub(crate) seed: u64,
    /// Flights a day.
    pub(crate) flights: u32,
    /// Leave out the yardsticks.
    pub(crate) throughput_only: bool,
}

/// Measures everything in the plan, interleaved, so that a machine that changes its pace changes
/// it for all.
pub(crate) fn measure(config: &Config, plan: &Plan) -> anyhow::Result<Report> {
    let letters = letters::letters(plan);
    let rounds = plan.repetitions as u64 * if plan.throughput_only { 1 } else { 3 };
    let bar =
        ProgressBar::new(rounds).with_style(ProgressStyle::with_template("{bar:30} {pos}/{len} {msg}")?);
    bar.enable_steady_tick(Duration::from_millis(250));
    let mut report = Report::new(config, plan);
    for repetition in 0..plan.repetitions {
        bar.set_message(format!("throughput, {} messages", letters.len()));
        let figures = throughput::run(config, &letters, repetition)?;
        report.batched.push(figures.rate);
        report.stages = figures.stages;
        bar.inc(1);
        if plan.throughput_only {
            continue;
        }
        let few = &letters[..plan.messages_single.min(letters.len())];
        bar.set_message(format!("one by one, {} messages", few.len()));
        let mut single = config.clone();
        single.set("msgx.pipeline.batch", "1")?;
        report.single.push(throughput::run(&single, few, repetition)?.rate);
        bar.inc(1);
        bar.set_message(format!("floor, {} messages", letters.len()));
        report.floor.push(floor::run(config, &letters, repetition)?);
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(report)
}

/// Messages per second of one run.
fn rate(messages: usize, time: Duration) -> f64 {
    messages as f64 / time.as_secs_f64().max(1e-9)
}

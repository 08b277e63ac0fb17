//! The figures: medians, spread, ratios, and on what they were measured.

use std::time::Duration;

use serde_json::{Value, json};

use super::Plan;
use crate::config::Config;
use crate::wiring::{data_dir, places};

/// Figures of one `msgx bench`.
#[derive(Debug)]
pub(crate) struct Report {
    stores: String,
    plan: Plan,
    batch: usize,
    /// Messages per second of each run in batches.
    pub(super) batched: Vec<f64>,
    /// Enqueued, processed, marked, all done: of the last run in batches.
    pub(super) stages: [Duration; 4],
    /// One at a time.
    pub(super) single: Vec<f64>,
    /// The floor.
    pub(super) floor: Vec<f64>,
}

impl Report {
    pub(super) fn new(config: &Config, plan: &Plan) -> Self {
        let stores = data_dir(config).map(|directory| places(config, &directory)).unwrap_or_default();
        Self {
            stores,
            plan: plan.clone(),
            batch: config.count("msgx.pipeline.batch"),
            batched: Vec::new(),
            stages: [Duration::ZERO; 4],
            single: Vec::new(),
            floor: Vec::new(),
        }
    }

    /// Text for people.
    pub(crate) fn text(&self) -> String {
        let cores = std::thread::available_parallelism().map_or(0, usize::from);
        let mut lines = vec![
            format!("stores   {}", self.stores),
            format!(
                "traffic  {} messages of {} bytes, seed {}, {} flights a day; {cores} cores, median of {}",
                self.plan.messages, self.plan.bytes, self.plan.seed, self.plan.flights, self.plan.repetitions
            ),
            line(&format!("batch {}", self.batch), &self.batched),
            self.stages(),
        ];
        if !self.plan.throughput_only {
            lines.push(line("batch 1", &self.single));
            lines.push(line("floor", &self.floor));
            lines.push(format!("against batch 1  {:.1} x", self.ratio(&self.single)));
            lines.push(format!("against floor    {:.2} x", self.ratio(&self.floor)));
        }
        lines.join("\n") + "\n"
    }

    /// JSON for programs.
    pub(crate) fn json(&self) -> Value {
        json!({
            "stores": self.stores, "messages": self.plan.messages, "bytes": self.plan.bytes,
            "seed": self.plan.seed, "flights": self.plan.flights, "batch": self.batch,
            "batched": self.batched, "stagesSeconds": self.stages.map(|time| time.as_secs_f64()), "single": self.single, "floor": self.floor,
            "againstSingle": self.ratio(&self.single), "againstFloor": self.ratio(&self.floor),
        })
    }

    fn stages(&self) -> String {
        let [enqueued, processed, marked, done] = self.stages.map(|time| time.as_secs_f64());
        format!(
            "  the last run: enqueued {enqueued:.1} s, processed {processed:.1} s, marked {marked:.1} s, delivered and done {done:.1} s"
        )
    }

    fn ratio(&self, other: &[f64]) -> f64 {
        median(&self.batched) / median(other)
    }
}

fn line(name: &str, rates: &[f64]) -> String {
    let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let most = rates.iter().copied().fold(0.0, f64::max);
    format!("{name:<16} {:>9.0} msg/s   ({least:.0} to {most:.0})", median(rates))
}

fn median(rates: &[f64]) -> f64 {
    let mut sorted = rates.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    match sorted.len() {
        0 => f64::NAN,
        length if length % 2 == 1 => sorted[middle],
        _ => f64::midpoint(sorted[middle - 1], sorted[middle]),
    }
}

#[cfg(test)]
mod tests {
    use super::median;

    #[test]
    fn the_median_is_the_middle_or_the_mean_of_the_two_middles() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), 2.5);
    }
}

//! `msgx bench`: options of the benchmark.

use std::process::ExitCode;

use super::{Global, Refused};
use crate::bench::{Plan, measure};
use crate::door;

pub(super) const EXAMPLE: &str = "Examples:
  msgx bench                                  embedded: SQLite and files
  msgx bench --messages 50000 --repetitions 5
  msgx bench --batch 1 --throughput-only
  MSGX_STORE_URL=… MSGX_MAILBOX_URL=… MSGX_KAFKA_BOOTSTRAP_SERVERS=… msgx bench

It writes to a schema, a mailbox table and topics (or a directory) of its own and removes them.";

#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// Messages of each run in batches
    #[arg(long, default_value_t = 20_000, value_parser = clap::value_parser!(u32).range(1..=5_000_000))]
    messages: u32,
    /// Messages of each run one at a time
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..))]
    messages_single: u32,
    /// Bytes of a message, about
    #[arg(long, default_value_t = 2_048)]
    bytes: usize,
    /// Runs of each; the median counts
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..=99))]
    repetitions: u8,
    /// Batch instead of msgx.pipeline.batch
    #[arg(long)]
    batch: Option<u32>,
    /// Seed of the traffic
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Flights a day
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(2..=5_000))]
    flights: u32,
    /// Leave out batch 1 and the floor
    #[arg(long)]
    throughput_only: bool,
}

impl Bench {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let mut config = global.load()?;
        if config.text("profile") == "production" {
            return Err(Refused(vec!["profile: production is not measured; use a test system".into()]).into());
        }
        if let Some(batch) = self.batch {
            config.set("msgx.pipeline.batch", &batch.to_string())?;
        }
        door::refuse(&config).map_err(Refused)?;
        let plan = Plan {
            messages: self.messages as usize,
            messages_single: self.messages_single as usize,
            bytes: self.bytes,
            repetitions: usize::from(self.repetitions),
            seed: self.seed,
            flights: self.flights,
            throughput_only: self.throughput_only,
        };
        let report = measure(&config, &plan)?;
        if global.json() {
            println!("{}", serde_json::to_string_pretty(&report.json())?);
        } else {
            print!("{}", report.text());
        }
        Ok(ExitCode::SUCCESS)
    }
}

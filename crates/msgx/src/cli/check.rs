//! `msgx check`: validates the configuration and reaches every dependency; a verdict per item.

use std::process::ExitCode;

use serde_json::json;

use super::{Global, runtime};
use crate::config::Config;
use crate::door;
use crate::settings;
use crate::wiring::{reach_mailbox, reach_sink, reach_store};

pub(super) const EXAMPLE: &str = "Examples:
  msgx check
  msgx check --config msgx.toml --output json";

#[derive(Debug, clap::Args)]
pub(crate) struct Check {}

/// One line of the report.
struct Item {
    name: &'static str,
    problems: Vec<String>,
}

impl Check {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let mut items = vec![
            Item { name: "configuration", problems: door::refuse(&config).err().unwrap_or_default() },
            Item { name: "dictionary", problems: problem(settings::policy(&config)) },
        ];
        items.extend(reach(&config)?);
        let good = items.iter().all(|item| item.problems.is_empty());
        report(&items, global.json());
        Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn problem<T>(result: anyhow::Result<T>) -> Vec<String> {
    result.err().map(|error| format!("{error:#}")).into_iter().collect()
}

/// Store, mailbox and sink, each by itself.
fn reach(config: &Config) -> anyhow::Result<Vec<Item>> {
    runtime()?.block_on(async {
        let mut items = vec![
            Item { name: "own store", problems: reach_store(config).await },
            Item { name: "mailbox", problems: reach_mailbox(config).await },
        ];
        let producer = door::producer(config);
        let sink = match producer {
            Ok(()) => reach_sink(config).await,
            Err(_) => vec!["not tried: the producer's settings are refused".into()],
        };
        items.push(Item { name: "sink", problems: sink });
        Ok(items)
    })
}

fn report(items: &[Item], as_json: bool) {
    if as_json {
        let rows: Vec<_> = items
            .iter()
            .map(|item| json!({ "item": item.name, "good": item.problems.is_empty(), "problems": item.problems }))
            .collect();
        println!("{}", json!(rows));
        return;
    }
    for item in items {
        println!("{:<15} {}", item.name, if item.problems.is_empty() { "good" } else { "BAD" });
        for problem in &item.problems {
            println!("{:15} - {problem}", "");
        }
    }
}

//! `msgx check`: validates the configuration and reaches every dependency; a verdict per item.

use std::process::ExitCode;

use serde_json::json;

use super::{Global, runtime};
use crate::config::Config;
use crate::wiring::{Findings, reach_mailbox, reach_sink, reach_store};
use crate::{address, door, settings};

pub(super) const EXAMPLE: &str = "Examples:
  msgx check
  msgx check --config msgx.toml --output json";

#[derive(Debug, clap::Args)]
pub(crate) struct Check {}

/// One line of the report.
struct Item {
    name: &'static str,
    findings: Findings,
}

impl Check {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let refused = door::refuse(&config).err().unwrap_or_default();
        let mut items = vec![
            Item { name: "configuration", findings: refused.into() },
            Item { name: "dictionary", findings: problem(settings::policy(&config)).into() },
        ];
        items.extend(reach(&config)?);
        let good = items.iter().all(|item| item.findings.problems.is_empty());
        report(&items, global.json());
        Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

fn problem<T>(result: anyhow::Result<T>) -> Vec<String> {
    result.err().map(|error| format!("{error:#}")).into_iter().collect()
}

/// Address, store, mailbox and sink, each by itself.
fn reach(config: &Config) -> anyhow::Result<Vec<Item>> {
    runtime()?.block_on(async {
        let mut items = vec![
            Item { name: "address", findings: address::look(config).await },
            Item { name: "own store", findings: reach_store(config).await },
            Item { name: "mailbox", findings: reach_mailbox(config).await },
        ];
        let producer = door::producer(config);
        let sink = match producer {
            Ok(()) => reach_sink(config).await,
            Err(_) => vec!["not tried: the producer's settings are refused".into()].into(),
        };
        items.push(Item { name: "sink", findings: sink });
        Ok(items)
    })
}

fn report(items: &[Item], as_json: bool) {
    if as_json {
        let rows = items.iter().map(|Item { name, findings: Findings { problems, notes } }| {
            json!({ "item": name, "good": problems.is_empty(), "problems": problems, "notes": notes })
        });
        println!("{}", json!(rows.collect::<Vec<_>>()));
        return;
    }
    for Item { name, findings: Findings { problems, notes } } in items {
        println!("{name:<15} {}", if problems.is_empty() { "good" } else { "BAD" });
        for line in problems.iter().chain(notes) {
            println!("{:15} - {line}", "");
        }
    }
}

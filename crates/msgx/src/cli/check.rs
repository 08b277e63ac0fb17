//! `msgx check`: validates the configuration and reaches every dependency; a verdict per item.

use std::process::ExitCode;

use engine::ports::{Mailbox, Sink, Store, Views};
use serde_json::json;

use super::{Global, runtime};
use crate::config::Config;
use crate::door;
use crate::settings;
use crate::wiring::{Job, Stack, with_stack};

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

/// Store, mailbox and sink; whatever can't be opened is one problem that says which.
fn reach(config: &Config) -> anyhow::Result<Vec<Item>> {
    if door::producer(config).is_err() {
        return Ok(vec![Item {
            name: "dependencies",
            problems: vec!["not tried: the configuration is refused".into()],
        }]);
    }
    match runtime()?.block_on(with_stack(config, Reaching)) {
        Ok(items) => Ok(items),
        Err(error) => Ok(vec![Item { name: "dependencies", problems: vec![format!("{error:#}")] }]),
    }
}

struct Reaching;

impl Job for Reaching {
    type Output = Vec<Item>;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<Vec<Item>> {
        let store = stack.store.now().await.err().map(|error| error.to_string());
        let mailbox = stack.mailbox.check().await;
        Ok(vec![
            Item { name: "own store", problems: store.into_iter().collect() },
            Item { name: "mailbox", problems: mailbox },
            Item { name: "sink", problems: stack.sink.check().await },
        ])
    }
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

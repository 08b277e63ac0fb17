//! `msgx params`: the registry with effective values and where each came from.

use std::process::ExitCode;

use super::Global;
use crate::params as registry;

pub(super) const EXAMPLE: &str = "Examples:
  msgx params
  msgx params --set mailbox.poll-interval=1s --output json
  msgx params --markdown";

#[derive(Debug, clap::Args)]
pub(crate) struct Params {
    /// Print docs/reference.md: parameters and metrics
    #[arg(long, conflicts_with_all = ["toml", "env"])]
    markdown: bool,
    /// Print msgx.example.toml
    #[arg(long, conflicts_with = "env")]
    toml: bool,
    /// Print .env.example
    #[arg(long)]
    env: bool,
}

impl Params {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        if self.markdown {
            print!("{}", registry::markdown());
        } else if self.toml {
            print!("{}", registry::toml_example());
        } else if self.env {
            print!("{}", registry::env_example());
        } else if global.json() {
            json(global)?;
        } else {
            human(global)?;
        }
        Ok(ExitCode::SUCCESS)
    }
}

const HIDDEN: &str = "(hidden)";

fn shown<'a>(param: &registry::Param, value: &'a str) -> &'a str {
    if param.secret && !value.is_empty() { HIDDEN } else { value }
}

fn json(global: &Global) -> anyhow::Result<()> {
    let config = global.load()?;
    let rows: Vec<_> = config
        .effective()
        .map(|(param, value, source)| {
            serde_json::json!({
                "key": param.key, "value": shown(param, value), "source": source.to_string(),
                "default": param.default, "form": param.kind.form(), "basis": param.basis.as_str(),
                "meaning": param.meaning,
            })
        })
        .collect();
    println!("{}", serde_json::to_string_pretty(&rows)?);
    Ok(())
}

fn human(global: &Global) -> anyhow::Result<()> {
    let config = global.load()?;
    let width = registry::all().map(|param| param.key.len()).max().unwrap_or(0);
    for (param, value, source) in config.effective() {
        let value = if value.is_empty() { "(not set)" } else { shown(param, value) };
        println!("{:width$}  {value}  [{source}]", param.key);
    }
    Ok(())
}

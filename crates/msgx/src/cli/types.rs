//! `msgx types`: which kinds of messages arrive, and how they end.

use std::process::ExitCode;

use engine::ports::{KindCount, Mailbox, Sink, Store, Views};
use serde_json::Value;

use super::{Global, runtime};
use crate::kinds;
use crate::output::printable;
use crate::wiring::{Job, Stack, with_present_stack};

pub(super) const EXAMPLE: &str = "Examples:
  msgx types
  msgx types --output json | jq '.[] | select(.state == \"DEAD\")'";

#[derive(Debug, clap::Args)]
pub(crate) struct Types {}

impl Types {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let kinds = runtime()?.block_on(with_present_stack(&config, Asking))?;
        if global.json() {
            let kinds: Vec<Value> = kinds.iter().map(kinds::json).collect();
            println!("{}", serde_json::to_string_pretty(&kinds)?);
        } else {
            print!("{}", as_text(&kinds));
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Asking;

impl Job for Asking {
    type Output = Vec<KindCount>;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<Vec<KindCount>> {
        Ok(stack.store.message_kinds().await?)
    }
}

fn as_text(kinds: &[KindCount]) -> String {
    if kinds.is_empty() {
        return "no message has ended yet\n".to_owned();
    }
    let mut text = format!(
        "{:<6} {:<10} {:<22} {:>9}  {:<20}  {}\n",
        "TYPE", "STYP", "end", "messages", "first", "last"
    );
    for kind in kinds {
        let end = match kind.class {
            Some(class) => format!("{}({class})", kind.state.as_str()),
            None => kind.state.as_str().to_owned(),
        };
        let name = |name: &str| if name.is_empty() { "-".to_owned() } else { printable(name) };
        let at = |at: jiff::Timestamp| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
        text += &format!(
            "{:<6} {:<10} {:<22} {:>9}  {:<20}  {}\n",
            name(&kind.kind),
            name(&kind.subtype),
            end,
            kind.count,
            at(kind.first_at),
            at(kind.last_at)
        );
    }
    text
}

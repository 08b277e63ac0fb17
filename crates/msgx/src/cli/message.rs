//! `msgx message`: one message whole: facts, tries, body, decoded, what it changed, its events, its
//! row in the mailbox.

mod text;
mod trail;

use std::process::ExitCode;

use anyhow::bail;
use domain::MsgId;
use domain::decide::Policy;
use domain::mailbox::IdRange;
use engine::ports::{Mailbox, Sink, Store, Views};

use super::{Global, runtime};
use crate::passport::{Passport, Shown};
use crate::settings;
use crate::wiring::{Job, Stack, with_present_stack};

pub(super) const EXAMPLE: &str = "Examples:
  msgx message 48213
  msgx message 48213 --raw
  msgx message 48213 --output json | jq .facts

Personal data is masked, except by --raw, which prints the body as it is stored.";

#[derive(Debug, clap::Args)]
pub(crate) struct One {
    /// The message's ID in the mailbox
    id: i64,
    /// The body as it is stored, personal data included
    #[arg(long)]
    raw: bool,
}

impl One {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let policy = settings::policy(&config)?;
        let asking = Asking { id: MsgId(self.id), policy: policy.clone() };
        let Some(passport) = runtime()?.block_on(with_present_stack(&config, asking))? else {
            bail!("message {} is not known; `msgx messages` lists the newest", self.id);
        };
        let shown = if self.raw { Shown::Stored } else { Shown::Masked };
        if global.json() {
            println!("{}", serde_json::to_string_pretty(&passport.json(shown, &policy))?);
        } else {
            print!("{}", text::as_text(&passport, shown, &policy)?);
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Asking {
    id: MsgId,
    policy: Policy,
}

impl Job for Asking {
    type Output = Option<Passport>;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<Self::Output> {
        let only = IdRange { first: self.id, last: self.id };
        let seen = stack.mailbox.rows(only, 1).await;
        let seen = seen.map(|rows| rows.into_iter().next()).map_err(|error| error.to_string());
        Ok(Passport::read(&*stack.store, self.id, &self.policy, seen).await?)
    }
}

//! `msgx migrate`: creates or updates the tables of the own store.

use std::process::ExitCode;

use engine::ports::{Mailbox, Sink, Store, Views};

use super::{Global, runtime};
use crate::wiring::{Job, Stack, data_dir, places, with_migrated_stack};

pub(super) const EXAMPLE: &str = "Examples:
  msgx migrate
  msgx migrate --set store.url=postgres://msgx@127.0.0.1/airport";

#[derive(Debug, clap::Args)]
pub(crate) struct Migrate {}

impl Migrate {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        runtime()?.block_on(with_migrated_stack(&config, Nothing))?;
        let place = places(&config, &data_dir(&config)?);
        if global.json() {
            println!("{}", serde_json::json!({ "migrated": true, "places": place }));
        } else {
            println!("The own store is up to date ({place})");
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Connecting migrates; there is nothing else to do.
struct Nothing;

impl Job for Nothing {
    type Output = ();

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(self, _: Stack<M, S, K>) -> anyhow::Result<()> {
        Ok(())
    }
}

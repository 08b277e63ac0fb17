//! `msgx run`: the service.

use std::process::ExitCode;

use super::Global;
use crate::serve;

pub(super) const EXAMPLE: &str = "Examples:
  msgx run                                   embedded: SQLite and files in ./msgx-data
  msgx run --config msgx.toml
  MSGX_STORE_URL=postgres://… MSGX_MAILBOX_URL=mysql://… MSGX_KAFKA_BOOTSTRAP_SERVERS=127.0.0.1:9092 msgx run";

#[derive(Debug, clap::Args)]
pub(crate) struct Run {}

impl Run {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        serve::serve(&global.load()?, None, global.output)
    }
}

//! `msgx pause` and `msgx resume`.

use std::process::ExitCode;

use domain::lifecycle::{Act, Pausable};
use engine::ports::{Mailbox, PauseOrder, PauseWhat, Sink, Store, Views};
use jiff::{SignedDuration, Timestamp};

use super::order::{given, made_up, refused, time};
use crate::cli::{Global, runtime};
use crate::wiring::{Job, Stack, with_present_stack};

pub(super) const PAUSE: &str = "Examples:
  msgx pause marks --by ann --reason 'mailbox being rebuilt' --for 2h
  msgx pause pump --by ann --reason 'cut-over' --until 2026-04-07T06:00
  msgx pause discovery --by ann --reason 'cut-over'

A paused room finishes its step and then idles, whoever leads; everything else goes on.";

pub(super) const RESUME: &str = "Examples:
  msgx resume marks --by ann --reason 'mailbox is back'";

#[derive(Debug, clap::Args)]
pub(crate) struct PauseRoom {
    #[command(flatten)]
    who: Who,
    /// End of the pause (default: until it is resumed)
    #[arg(long, value_name = "TIME", conflicts_with = "length")]
    until: Option<String>,
    /// Length of the pause, such as 2h or 90m
    #[arg(long = "for", value_name = "DURATION")]
    length: Option<SignedDuration>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct ResumeRoom {
    #[command(flatten)]
    who: Who,
}

#[derive(Debug, clap::Args)]
struct Who {
    /// discovery, pump, delivery or marks
    #[arg(value_parser = room)]
    room: Pausable,
    /// Who does it
    #[arg(long, value_name = "NAME")]
    by: String,
    /// Why
    #[arg(long, value_name = "WORDS")]
    reason: String,
    /// Name of this operation (default: made up)
    #[arg(long, value_name = "NAME")]
    operation: Option<String>,
}

fn room(name: &str) -> Result<Pausable, String> {
    let names = Pausable::ALL.map(Pausable::as_str).join(", ");
    Pausable::parse(name).ok_or_else(|| format!("expected one of: {names}"))
}

impl PauseRoom {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let zone = config.zone("airport.time-zone");
        let until = self.until.as_deref().map(|until| time("--until", until, &zone)).transpose();
        self.who.run(global, Act::Pause, End { until: until.map_err(refused)?, length: self.length })
    }
}

impl ResumeRoom {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<ExitCode> {
        self.who.run(global, Act::Resume, End { until: None, length: None })
    }
}

/// When a pause ends.
#[derive(Debug, Clone, Copy)]
struct End {
    until: Option<Timestamp>,
    length: Option<SignedDuration>,
}

impl Who {
    fn run(self, global: &Global, act: Act, end: End) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let operation = self.operation.unwrap_or_else(|| made_up(act));
        let ordering = Ordering {
            act,
            room: self.room,
            by: given("--by", self.by, 100, false).map_err(refused)?,
            reason: given("--reason", self.reason, 1_000, false).map_err(refused)?,
            operation: given("--operation", operation, 64, false).map_err(refused)?,
            end,
            json: global.json(),
        };
        runtime()?.block_on(with_present_stack(&config, ordering))
    }
}

struct Ordering {
    act: Act,
    room: Pausable,
    by: String,
    reason: String,
    operation: String,
    end: End,
    json: bool,
}

impl Job for Ordering {
    type Output = ExitCode;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<ExitCode> {
        let at = stack.store.now().await?;
        let after = self.end.length.map(|length| at.checked_add(length)).transpose()?;
        let until = self.end.until.or(after);
        if until.is_some_and(|until| until <= at) {
            return Err(refused(format!("the pause would end before it begins: it is {at}")).into());
        }
        let what = if self.act == Act::Resume { PauseWhat::Resume } else { PauseWhat::Pause { until } };
        let Self { room, by, reason, operation, .. } = self;
        let order = PauseOrder { operation, room, by, reason, at, what };
        let applied = stack.store.set_pause(&order).await?;
        let words = match order.pause() {
            Some(pause) => format!("{} is {pause}", room.as_str()),
            None if applied => format!("{} works again", room.as_str()),
            None => format!("{} is not paused", room.as_str()),
        };
        if self.json {
            let until = until.map(|until| until.to_string());
            let told = serde_json::json!({
                "room": room.as_str(), "act": self.act.as_str(), "done": applied, "until": until,
                "operation": order.operation,
            });
            println!("{told}");
        } else {
            println!("{words}");
        }
        Ok(if applied { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

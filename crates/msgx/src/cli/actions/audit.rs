//! `msgx audit`: who did what, when, to what, and why.

use std::process::ExitCode;

use domain::lifecycle::Target;
use engine::ports::{AuditEntry, AuditFilter, Mailbox, Sink, Store, Views};
use serde_json::{Value, json};

use super::order::{refused, time};
use crate::cli::{Global, runtime};
use crate::wiring::{Job, Stack, with_present_stack};

pub(super) const EXAMPLE: &str = "Examples:
  msgx audit
  msgx audit --message 4711
  msgx audit --operation replay-20260407T083000000000-17 --output json
  msgx audit --room pump --since 2026-04-07";

#[derive(Debug, clap::Args)]
pub(crate) struct Audit {
    /// Of one message
    #[arg(long, value_name = "ID", group = "one")]
    message: Option<i64>,
    /// Of one row found too late
    #[arg(long, value_name = "ID", group = "one")]
    late_row: Option<i64>,
    /// Of one event
    #[arg(long, value_name = "ID", group = "one")]
    event: Option<i64>,
    /// Of one room
    #[arg(long, value_name = "NAME", group = "one")]
    room: Option<String>,
    /// Of one operation
    #[arg(long, value_name = "NAME")]
    operation: Option<String>,
    /// Of one person
    #[arg(long, value_name = "NAME")]
    by: Option<String>,
    /// At or after
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Most entries shown
    #[arg(long, default_value_t = 100, value_name = "N")]
    limit: usize,
}

impl Audit {
    pub(crate) fn run(self, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let zone = config.zone("airport.time-zone");
        let since = self.since.as_deref().map(|since| time("--since", since, &zone)).transpose();
        let id = |target, id: Option<i64>| Some((target, id?.to_string()));
        let filter = AuditFilter {
            target: id(Target::Message, self.message)
                .or(id(Target::LateRow, self.late_row))
                .or(id(Target::Event, self.event))
                .or(self.room.map(|room| (Target::Room, room))),
            operation: self.operation,
            by: self.by,
            since: since.map_err(refused)?,
        };
        let entries =
            runtime()?.block_on(with_present_stack(&config, Asking { filter, limit: self.limit }))?;
        if global.json() {
            let entries: Vec<Value> = entries.iter().map(as_json).collect();
            println!("{}", serde_json::to_string_pretty(&entries)?);
        } else if entries.is_empty() {
            println!("nothing was done");
        } else {
            entries.iter().for_each(|entry| println!("{}", as_line(entry)));
        }
        Ok(ExitCode::SUCCESS)
    }
}

struct Asking {
    filter: AuditFilter,
    limit: usize,
}

impl Job for Asking {
    type Output = Vec<AuditEntry>;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<Vec<AuditEntry>> {
        Ok(stack.store.audit(&self.filter, self.limit).await?)
    }
}

/// One entry for programs.
pub(crate) fn as_json(entry: &AuditEntry) -> Value {
    json!({
        "at": entry.at.to_string(), "by": entry.by, "act": entry.act.as_str(),
        "target": entry.act.target().as_str(), "id": entry.target_id, "reason": entry.reason,
        "operation": entry.operation, "outcome": entry.outcome.as_str(), "detail": entry.detail,
    })
}

/// One entry for people.
pub(crate) fn as_line(entry: &AuditEntry) -> String {
    let AuditEntry { at, by, act, target_id, reason, operation, outcome, detail } = entry;
    format!(
        "{at} {by} {} {} {target_id}: {} ({detail}), because: {reason} [{operation}]",
        act.as_str(),
        act.target().as_str(),
        outcome.as_str()
    )
}

//! `msgx reconcile-report`: does the own store know every row of the mailbox, and do both agree?

mod report;

use std::io::IsTerminal as _;
use std::process::ExitCode;

use domain::MsgId;
use domain::mailbox::IdRange;
use domain::reconcile::Tally;
use engine::ports::{Mailbox, Sink, Store, Views};
use engine::reconcile::{KeptFor, Reconciliation};

use self::report::Report;
use super::{Global, Refused, runtime};
use crate::config::Config;
use crate::wiring::{Job, Stack, with_present_stack};

pub(super) const EXAMPLE: &str = "Examples:
  msgx reconcile-report
  msgx reconcile-report --from 48000 --to 49000
  msgx reconcile-report --output json | jq .counts

Reads only, by primary key, and may run beside the service. Exit code 1 when there are differences.";

/// Compares every row the mailbox still has, up to the watermark, with what the own store keeps of it.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct ReconcileReport {
    /// First ID to compare
    #[arg(long, value_name = "ID", default_value_t = 1)]
    from: i64,
    /// Last ID to compare
    #[arg(long, value_name = "ID", default_value_t = i64::MAX, hide_default_value = true)]
    to: i64,
    /// Most differences to list; all of them are counted
    #[arg(long, value_name = "N", default_value_t = 100)]
    limit: usize,
}

impl ReconcileReport {
    pub(super) fn run(&self, global: &Global) -> anyhow::Result<ExitCode> {
        if self.from > self.to {
            return Err(Refused(vec![format!("--from {} is above --to {}", self.from, self.to)]).into());
        }
        let config = global.load()?;
        let kept_for = kept_for(&config);
        let comparing = Comparing { asked: self.clone(), kept_for };
        let report = runtime()?.block_on(with_present_stack(&config, comparing))?;
        if global.json() {
            println!("{}", serde_json::to_string_pretty(&report.as_json())?);
        } else {
            print!("{}", report.as_text());
        }
        Ok(if report.tally.differences.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

struct Comparing {
    asked: ReconcileReport,
    kept_for: KeptFor,
}

impl Job for Comparing {
    type Output = Report;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<Report> {
        let wanted = IdRange { first: MsgId(self.asked.from), last: MsgId(self.asked.to) };
        let mut comparison = Reconciliation::begin(stack.mailbox, stack.store, self.kept_for, wanted).await?;
        let range = comparison.range();
        let mut report = Report { range, tally: Tally::default(), listed: Vec::new() };
        while let Some(part) = comparison.part().await? {
            report.tally.add(&part.tally);
            let room = self.asked.limit.saturating_sub(report.listed.len());
            report.listed.extend(part.differences.into_iter().take(room));
            if let Some(range) = range.filter(|_| std::io::stderr().is_terminal()) {
                let done = comparison.next().0.saturating_sub(1);
                eprint!("\rcompared up to {done} of {}, {} rows", range.last, report.tally.rows);
            }
        }
        if range.is_some() && std::io::stderr().is_terminal() {
            eprintln!();
        }
        Ok(report)
    }
}

fn kept_for(config: &Config) -> KeptFor {
    KeptFor {
        bodies: config.duration("msgx.retention.raw"),
        events: config.duration("msgx.pipeline.event-retention"),
    }
}

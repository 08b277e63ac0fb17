//! One action from selection to outcome, on whatever stores are configured.

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;

use domain::decide::Policy;
use domain::lifecycle::Act;
use engine::lifecycle::{Plan, Tools, carry_out, freeze, plan};
use engine::ports::{BodyLimits, Done, Mailbox, Operation, Progress, Selection, Sink, Store, Views};
use indicatif::ProgressBar;
use serde_json::json;

use super::ahead::{Ahead, told as told_plan};
use super::order::refused;
use super::outcome::tell;
use crate::clock::SystemClock;
use crate::wiring::{Job, Stack};

/// An action.
pub(super) struct Acting {
    pub(super) act: Act,
    pub(super) selection: Selection,
    /// The selection in words.
    pub(super) words: String,
    pub(super) by: String,
    pub(super) reason: String,
    pub(super) operation: String,
    /// The name was made up: there can't be such an operation yet.
    pub(super) is_new: bool,
    pub(super) dry_run: bool,
    pub(super) yes: bool,
    pub(super) told: Told,
    pub(super) policy: Policy,
    pub(super) bodies: BodyLimits,
}

/// How it is told.
#[derive(Debug, Clone, Copy)]
pub(super) struct Told {
    pub(super) json: bool,
}

impl Told {
    pub(super) fn new(json: bool) -> Self {
        Self { json }
    }
}

impl Job for Acting {
    type Output = ExitCode;

    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<ExitCode> {
        let store = &*stack.store;
        let kept = if self.is_new { None } else { store.operation(&self.operation).await? };
        if self.dry_run {
            return self.show(store).await;
        }
        let operation = self.operation(store.now().await?);
        if kept.is_some() {
            // Known by its ID: its selection was frozen then, nothing is selected now.
            let nothing = Plan { act: self.act, allowed: Vec::new(), refused: Vec::new(), is_by_id: false };
            let progress = freeze(store, &operation, &nothing).await?;
            return self.go_on(&stack, progress).await;
        }
        let plan = plan(store, self.act, &self.selection).await?;
        if plan.allowed.is_empty() && !plan.is_by_id {
            return Ok(self.nothing(&plan));
        }
        if !plan.is_by_id && !self.yes && !self.agreed(&plan)? {
            return Ok(ExitCode::FAILURE);
        }
        let progress = freeze(store, &operation, &plan).await?;
        self.go_on(&stack, progress).await
    }
}

impl Acting {
    fn operation(&self, at: jiff::Timestamp) -> Operation {
        Operation {
            id: self.operation.clone(),
            act: self.act,
            by: self.by.clone(),
            reason: self.reason.clone(),
            selection: self.words.clone(),
            at,
        }
    }

    async fn show<S: Store>(&self, store: &S) -> anyhow::Result<ExitCode> {
        let plan = plan(store, self.act, &self.selection).await?;
        let ahead = match self.act {
            Act::Replay => Some(Ahead::look(store, &plan, &self.policy).await?),
            Act::Skip
            | Act::RetryMark
            | Act::Reconcile
            | Act::Admit
            | Act::Dismiss
            | Act::RetryEvent
            | Act::DiscardEvent
            | Act::Pause
            | Act::Resume => None,
        };
        told_plan(&plan, ahead.as_ref(), self.policy.dictionary, self.told.json)?;
        Ok(ExitCode::SUCCESS)
    }

    fn nothing(&self, plan: &Plan) -> ExitCode {
        if self.told.json {
            println!("{}", json!({ "act": self.act.as_str(), "targets": 0, "refused": plan.refused.len() }));
        } else {
            println!("nothing to {}: {}", self.act.as_str(), none_words(plan));
        }
        ExitCode::SUCCESS
    }

    /// Asks whoever sits before it; a program must say `--yes`.
    fn agreed(&self, plan: &Plan) -> anyhow::Result<bool> {
        let count = plan.allowed.len();
        if !std::io::stdin().is_terminal() {
            let words =
                format!("{count} match; give --yes to {} them, or --dry-run to see them", self.act.as_str());
            return Err(refused(words).into());
        }
        eprint!("{} {count} ({})? [y/N] ", self.act.as_str(), self.words);
        std::io::stderr().flush()?;
        let mut answer = String::new();
        std::io::stdin().read_line(&mut answer)?;
        Ok(matches!(answer.trim(), "y" | "Y" | "yes"))
    }

    async fn go_on<M: Mailbox, S: Store, K: Sink>(
        &self,
        stack: &Stack<M, S, K>,
        progress: Progress,
    ) -> anyhow::Result<ExitCode> {
        let operation = &progress.operation;
        if progress.open() > 1 && !self.told.json {
            eprintln!(
                "operation {}: if it is interrupted, give the command again with --operation",
                operation.id
            );
        }
        let bar = ProgressBar::new(progress.targets);
        bar.set_position(progress.targets - progress.open());
        let clock = SystemClock::new();
        let tools =
            Tools { mailbox: &*stack.mailbox, store: &*stack.store, clock: &clock, bodies: self.bodies };
        let mut results: Vec<Done> = Vec::new();
        let carried = carry_out(&tools, operation, |done| {
            bar.inc(done.len() as u64);
            results.extend_from_slice(done);
        });
        let carried = carried.await;
        bar.finish_and_clear();
        carried?;
        let ended = stack.store.operation(&operation.id).await?.unwrap_or(progress);
        tell(self.told, &ended, &results)
    }
}

fn none_words(plan: &Plan) -> String {
    match plan.refused.first() {
        None => "nothing matches".to_owned(),
        Some((target, words)) => {
            format!("{} match and none is allowed, such as {}: {words}", plan.refused.len(), target.id)
        }
    }
}

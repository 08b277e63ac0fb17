//! What operators do: each act is a command, single or by filter, with a dry run, and repeatable.

mod acting;
mod ahead;
pub(crate) mod audit;
mod examples;
mod filters;
mod order;
mod outcome;
mod pause;
mod place;

use std::process::ExitCode;

use clap::Subcommand;
use domain::lifecycle::Act;

use super::Global;
use audit::Audit;
use filters::{DeadEvents, DeadLetters, GivenUp, LateRows};
use order::Order;
use pause::{PauseRoom, ResumeRoom};

#[derive(Debug, Subcommand)]
pub(crate) enum Acts {
    /// Give dead letters one attempt more, or try a failed head at once
    #[command(after_help = examples::REPLAY)]
    Replay(Order<DeadLetters>),
    /// End dead letters or a failed head without effect
    #[command(after_help = examples::SKIP)]
    Skip(Order<DeadLetters>),
    /// Try marks again that were given up as overdue
    #[command(after_help = examples::RETRY_MARK)]
    RetryMark(Order<GivenUp>),
    /// Account for marks that were given up
    #[command(after_help = examples::RECONCILE)]
    Reconcile(Order<GivenUp>),
    /// Take up rows that were found too late
    #[command(after_help = examples::ADMIT)]
    Admit(Order<LateRows>),
    /// Leave rows that were found too late alone for good
    #[command(after_help = examples::DISMISS)]
    Dismiss(Order<LateRows>),
    /// Send dead events once more, said to be late
    #[command(after_help = examples::RETRY_EVENT)]
    RetryEvent(Order<DeadEvents>),
    /// Give dead events up for good
    #[command(after_help = examples::DISCARD_EVENT)]
    DiscardEvent(Order<DeadEvents>),
    /// Stop discovery, pump, delivery or marks, with reason and end
    #[command(after_help = pause::PAUSE)]
    Pause(PauseRoom),
    /// Let a paused room work again
    #[command(after_help = pause::RESUME)]
    Resume(ResumeRoom),
    /// List what operators did: who, when, what, why, and what came of it
    #[command(after_help = audit::EXAMPLE)]
    Audit(Audit),
}

impl Acts {
    pub(super) fn run(self, global: &Global) -> anyhow::Result<ExitCode> {
        match self {
            Self::Replay(order) => order.run(Act::Replay, global),
            Self::Skip(order) => order.run(Act::Skip, global),
            Self::RetryMark(order) => order.run(Act::RetryMark, global),
            Self::Reconcile(order) => order.run(Act::Reconcile, global),
            Self::Admit(order) => order.run(Act::Admit, global),
            Self::Dismiss(order) => order.run(Act::Dismiss, global),
            Self::RetryEvent(order) => order.run(Act::RetryEvent, global),
            Self::DiscardEvent(order) => order.run(Act::DiscardEvent, global),
            Self::Pause(pause) => pause.run(global),
            Self::Resume(resume) => resume.run(global),
            Self::Audit(audit) => audit.run(global),
        }
    }
}

//! Carrying an operation out: batch by batch, each its own transaction with progress and audit.

use std::time::Duration;

use domain::MsgId;
use domain::lifecycle::Act;

use super::ActionError;
use crate::ports::{
    Batch, BodyLimits, Clock, Done, Landed, Mailbox, MailboxError, Operation, PollRequest, Store, StoreError,
    Wake,
};

/// Targets of one transaction: few, so that the pipeline never waits long for it.
const BATCH: usize = 100;

/// Wait when every target of a batch was held by somebody else, or the store had something better to do.
const PATIENCE: Duration = Duration::from_millis(50);

/// How often that is done in a row before giving up.
const TRIES_MAX: u32 = 200;

/// What it needs.
#[derive(Debug)]
pub struct Tools<'a, M, S, C> {
    /// For admitting rows.
    pub mailbox: &'a M,
    /// The own store.
    pub store: &'a S,
    /// For waiting.
    pub clock: &'a C,
    /// Limits on bodies, as discovery has them.
    pub bodies: BodyLimits,
}

/// Carries out what of `operation` is still open; `told` hears of every batch. A commit whose answer
/// was lost is looked up by going on: what is done has its outcome.
///
/// # Errors
/// The store's or mailbox's; what was done stays done.
pub async fn carry_out<M: Mailbox, S: Store, C: Clock>(
    tools: &Tools<'_, M, S, C>,
    operation: &Operation,
    mut told: impl FnMut(&[Done]),
) -> Result<(), ActionError> {
    let mut tries = 0;
    loop {
        let ids = tools.store.open_targets(&operation.id, BATCH).await?;
        if ids.is_empty() {
            return Ok(());
        }
        let landed = match operation.act {
            Act::Admit => tools.landed(&ids).await?,
            Act::Replay
            | Act::Skip
            | Act::RetryMark
            | Act::Reconcile
            | Act::Dismiss
            | Act::RetryEvent
            | Act::DiscardEvent
            | Act::Pause
            | Act::Resume => Vec::new(),
        };
        let (held, at) = (ids.len(), tools.store.now().await?);
        let done =
            match tools.store.carry_out(&Batch { operation: operation.id.clone(), ids, landed, at }).await {
                Ok(done) => done,
                Err(StoreError::InDoubt(_) | StoreError::Conflict(_)) => Vec::new(),
                Err(
                    error @ (StoreError::Unavailable(_)
                    | StoreError::Fenced(_)
                    | StoreError::Data(_)
                    | StoreError::Corrupt { .. }),
                ) => return Err(error.into()),
            };
        told(&done);
        tries = if done.is_empty() { tries + 1 } else { 0 };
        if tries > TRIES_MAX {
            return Err(ActionError::Held(held));
        }
        if done.is_empty() {
            tools.clock.pause(&Wake::default(), PATIENCE).await;
        }
    }
}

impl<M: Mailbox, S, C> Tools<'_, M, S, C> {
    /// The rows as the mailbox has them, each by its primary key.
    async fn landed(&self, ids: &[i64]) -> Result<Vec<Landed>, MailboxError> {
        let mut landed = Vec::new();
        for id in ids {
            let request = PollRequest {
                after: MsgId(id - 1),
                dead: Vec::new(),
                step: 1,
                ids_max: 1,
                rows_max: 1,
                bodies: self.bodies,
            };
            let poll = self.mailbox.poll(&request).await?;
            landed.extend(poll.landed.into_iter().filter(|row| row.id == MsgId(*id)));
        }
        Ok(landed)
    }
}

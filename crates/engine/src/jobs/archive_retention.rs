//! Retention of archive and shadows: evidence and duplicate memory last as long as the mailbox row
//! they speak of (G-HST-RETENTION, C-8, C-16, INV-9).

use std::sync::Arc;
use std::time::Duration;

use domain::MsgId;

use super::pace::Pace;
use crate::happened::{Forgotten, Kept, SweepSkipped};
use crate::ports::{Clock, Extent, Mailbox, MailboxError, Old, Store, StoreError};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::RetentionSettings;
use crate::term::Term;
use crate::time::before;

/// Forgets, as long as its term lasts.
pub(crate) struct ArchiveRetention<M, S, C> {
    mailbox: Arc<M>,
    store: Arc<S>,
    term: Arc<Term<C>>,
    settings: RetentionSettings,
    pace: Pace,
}

impl<M: Mailbox, S: Store, C: Clock> Work for ArchiveRetention<M, S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        if let Some(pause) = self.pace.pause(self.term.monotonic()) {
            return Ok(pause);
        }
        let Some(turn) = self.term.turns.take(&self.term).await else { return Ok(Next::Again) };
        let is_done = match self.mailbox.extent().await {
            Ok(extent) => self.forget(extent).await?,
            Err(error) => self.skip(&error),
        };
        let now = self.term.monotonic();
        turn.over(now);
        Ok(self.pace.next(now, is_done))
    }
}

impl<M: Mailbox, S: Store, C: Clock> ArchiveRetention<M, S, C> {
    /// The job for one term.
    pub(crate) fn new(
        mailbox: Arc<M>,
        store: Arc<S>,
        term: Arc<Term<C>>,
        settings: RetentionSettings,
    ) -> Self {
        let pace = Pace::new(settings.interval);
        Self { mailbox, store, term, settings, pace }
    }

    /// One batch of each; is there no more?
    async fn forget(&self, extent: Extent) -> Result<bool, StoreError> {
        let Some(below) = self.below(extent).await? else { return Ok(true) };
        let (epoch, batch) = (self.term.epoch, self.settings.batch.max(1));
        let old = |kept: Duration| Old { before: before(self.term.now(), kept), below };
        let archived = self.store.forget_archived(epoch, old(self.settings.archive), batch).await?;
        let shadows = self.store.forget_shadows(epoch, old(self.settings.shadow), batch).await?;
        let rows = usize::try_from(archived + shadows).unwrap_or(usize::MAX);
        self.term.pulse.selected(Room::ArchiveRetention, rows);
        Forgotten { what: Kept::Archive, rows: archived }.emit();
        Forgotten { what: Kept::Shadows, rows: shadows }.emit();
        Ok(archived.max(shadows) < batch as u64)
    }

    /// The smallest ID the mailbox holds; W + 1 when it is empty; `None` before the first start.
    async fn below(&self, extent: Extent) -> Result<Option<MsgId>, StoreError> {
        match extent.first {
            Some(first) => Ok(Some(first)),
            None => {
                let cursor = self.store.cursor().await?;
                Ok(cursor.map(|cursor| MsgId(cursor.watermark.0.saturating_add(1))))
            }
        }
    }

    /// Without the mailbox's word nothing goes; the next sweep asks again.
    fn skip(&self, error: &MailboxError) -> bool {
        self.term.pulse.selected(Room::ArchiveRetention, 0);
        SweepSkipped { room: Room::ArchiveRetention, words: error.to_string() }.emit();
        true
    }
}

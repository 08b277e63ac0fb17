//! The archive job: messages that are over and whose mark is settled leave the queue's table
//! (G-PROC-HST, US-11).
//!
//! It looks first and moves then, each message on condition of what was seen. One that stays (it was
//! replayed meanwhile, or somebody holds it) or that the archive refuses never stands in the way of
//! those behind it: the look goes on after the last one seen.

use std::sync::Arc;

use super::pace::Pace;
use crate::happened::{ArchiveRefused, Archived};
use crate::ports::{Archivable, ArchivePlace, Clock, Store, StoreError};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::ArchiveSettings;
use crate::term::Term;
use crate::time::before;

/// Archives, as long as its term lasts.
pub(crate) struct Archiver<S, C> {
    store: Arc<S>,
    term: Arc<Term<C>>,
    settings: ArchiveSettings,
    pace: Pace,
    /// The last one of this sweep that was looked at.
    last: Option<ArchivePlace>,
}

impl<S: Store, C: Clock> Work for Archiver<S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        if let Some(pause) = self.pace.pause(self.term.monotonic()) {
            return Ok(pause);
        }
        let Some(turn) = self.term.turns.take(&self.term).await else { return Ok(Next::Again) };
        let batch = self.settings.batch.max(1);
        let old = before(self.term.now(), self.settings.after);
        let seen = self.store.archivable(old, self.last, batch).await?;
        self.term.pulse.selected(Room::Archive, seen.len());
        self.archive(&seen).await?;
        self.last = seen.last().filter(|_| seen.len() == batch).map(Archivable::place);
        let now = self.term.monotonic();
        turn.over(now);
        Ok(self.pace.next(now, seen.len() < batch))
    }
}

impl<S: Store, C: Clock> Archiver<S, C> {
    /// The job for one term.
    pub(crate) fn new(store: Arc<S>, term: Arc<Term<C>>, settings: ArchiveSettings) -> Self {
        let pace = Pace::new(settings.interval);
        Self { store, term, settings, pace, last: None }
    }

    /// A batch that is refused is cut in half until the culprit is alone.
    async fn archive(&self, seen: &[Archivable]) -> Result<(), Trouble> {
        let mut parts = vec![seen];
        while let Some(part) = parts.pop() {
            let Some(first) = part.first() else { continue };
            match self.store.archive(self.term.epoch, part, self.term.now()).await {
                Ok(moved) => Archived { moved, passed: part.len() as u64 - moved }.emit(),
                Err(StoreError::Data(words)) if part.len() == 1 => {
                    ArchiveRefused { msg_id: first.msg_id, words }.emit();
                }
                Err(StoreError::Data(_)) => {
                    let (front, back) = part.split_at(part.len() / 2);
                    parts.extend([back, front]);
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(())
    }
}

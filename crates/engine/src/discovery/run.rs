//! The loop of discovery: verdict, poll, plan, one transaction.

use std::sync::Arc;

use domain::MsgId;
use jiff::Timestamp;

use super::first_start::first_start;
use super::plan::{self, Found, Known};
use crate::happened::{ContinuityBroken, GapOpened, GapReleased, OffSeries, RowsEnqueued, ServerChanged};
use crate::ports::{Clock, Enqueue, Mailbox, Poll, Store};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::DiscoverySettings;
use crate::term::Term;
use crate::time::age;

/// Takes rows up, as long as its term lasts.
pub(crate) struct Discovery<M, S, C> {
    mailbox: Arc<M>,
    store: Arc<S>,
    term: Arc<Term<C>>,
    settings: DiscoverySettings,
    /// What the store said last; `None` after any error: then it is asked again (INV-2).
    known: Option<Known>,
    /// Who answered the last poll.
    server: Option<String>,
    step: i64,
}

impl<M: Mailbox, S: Store, C: Clock> Work for Discovery<M, S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        let known = match self.known.take() {
            Some(known) => known,
            None => self.look_up().await?,
        };
        let began = self.term.now();
        let request = plan::request(&known, self.server.as_deref(), began, self.step, &self.settings);
        let poll = self.mailbox.poll(&request).await?;
        self.term.pulse.selected(Room::Discovery, poll.landed.len());
        self.note_server(&poll);
        let last = poll.visible.last().map(|row| row.id);
        let found = plan::found(&known, poll, &request.dead, self.term.now(), self.step);
        self.note_series(&found);
        self.term.pulse.waiting(found.waiting, last);
        let next = self.write(&found, began).await?;
        self.known = Some(found.then);
        Ok(next)
    }
}

impl<M: Mailbox, S: Store, C: Clock> Discovery<M, S, C> {
    /// Discovery for one term.
    pub(crate) fn new(
        mailbox: Arc<M>,
        store: Arc<S>,
        term: Arc<Term<C>>,
        settings: DiscoverySettings,
    ) -> Self {
        let step = settings.id_step.max(1);
        Self { mailbox, store, term, settings, known: None, server: None, step }
    }

    /// What the store says; begins the mailbox if it was never read.
    async fn look_up(&self) -> Result<Known, Trouble> {
        loop {
            if let Some(cursor) = self.store.cursor().await? {
                let known = Known { watermark: cursor.watermark, open: self.store.open_gaps().await? };
                self.term.pulse.discovered(known.watermark, &known.open);
                return Ok(known);
            }
            let (epoch, now) = (self.term.epoch, self.term.now());
            first_start(&*self.mailbox, &*self.store, epoch, now, &self.settings).await?;
        }
    }

    /// Writes what was found, in one transaction, then tells.
    async fn write(&self, found: &Found, began: Timestamp) -> Result<Next, Trouble> {
        let Some(enqueue) = &found.enqueue else { return Ok(Next::Pause(self.settings.poll_interval)) };
        let reused = self.store.enqueue(self.term.epoch, enqueue).await?;
        self.tell(found, enqueue, reused, began);
        if enqueue.rows.is_empty() {
            return Ok(Next::Pause(self.settings.poll_interval));
        }
        self.term.bells.pump.ring();
        Ok(Next::Again)
    }

    fn tell(&self, found: &Found, enqueue: &Enqueue, reused: Vec<MsgId>, began: Timestamp) {
        let pulse = &self.term.pulse;
        pulse.discovered(found.then.watermark, &found.then.open);
        if let (Some(first), Some(last)) = (enqueue.rows.first(), enqueue.rows.last()) {
            let rows = enqueue.rows.len() as u64;
            pulse.enqueued(first.id, last.id, rows, began);
            RowsEnqueued { rows, watermark: enqueue.to }.emit();
        }
        found.opened.iter().for_each(|range| GapOpened { range: *range }.emit());
        for gap in enqueue.ledger.iter().flat_map(|ledger| &ledger.closed) {
            GapReleased { range: gap.range, age: age(gap.first_seen, gap.closed_at) }.emit();
        }
        if !reused.is_empty() {
            ContinuityBroken { ids: reused }.emit();
        }
    }

    fn note_server(&mut self, poll: &Poll) {
        if self.server.as_ref() == Some(&poll.server) {
            return;
        }
        if let Some(from) = self.server.replace(poll.server.clone()) {
            ServerChanged { from, to: poll.server.clone() }.emit();
        }
    }

    /// The series isn't as declared: from now on every missing ID is a hole.
    fn note_series(&mut self, found: &Found) {
        if found.off_series && self.step != 1 {
            OffSeries { declared: self.step }.emit();
            self.step = 1;
        }
    }
}

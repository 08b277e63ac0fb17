//! The loop of discovery: verdict, poll, plan, one transaction.

use std::sync::Arc;

use domain::MsgId;
use jiff::Timestamp;

use super::continuity::Continuity;
use super::evidence::Evidence;
use super::first_start::first_start;
use super::plan::{self, Found, Known};
use crate::happened::{GapOpened, GapReleased, IdsReused, OffSeries, RowsEnqueued};
use crate::ports::{Clock, Enqueue, Mailbox, Store};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::{DiscoverySettings, StartAt};
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
    continuity: Continuity,
    evidence: Evidence,
    step: i64,
}

impl<M: Mailbox, S: Store, C: Clock> Work for Discovery<M, S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        let known = match self.known.take() {
            Some(known) => known,
            None => self.look_up().await?,
        };
        self.assure(&known).await?;
        self.evidence.look(&*self.mailbox, &known.open, self.continuity.session(), &self.term).await?;
        let began = self.term.now();
        let verdict = self.evidence.verdict(&known.open, began);
        let request = plan::request(&known, &verdict, self.step, &self.settings);
        let poll = self.mailbox.poll(&request).await?;
        self.term.pulse.selected(Room::Discovery, poll.landed.len());
        if !self.continuity.is_same(&poll)? {
            self.known = Some(known);
            return Ok(Next::Again);
        }
        let last = poll.visible.last().map(|row| row.id);
        let found = plan::found(&known, poll, &verdict, self.term.now(), self.step);
        self.term.pulse.waiting(found.waiting, last);
        if self.leaves_series(&found) {
            self.known = Some(known);
            return Ok(Next::Again);
        }
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
        let (continuity, evidence) = (Continuity::default(), Evidence::new(&settings));
        let step = settings.id_step.max(1);
        Self { mailbox, store, term, settings, known: None, continuity, evidence, step }
    }

    /// Is it still the mailbox that was read? A start at an ID that isn't numbered yet is no reset.
    async fn assure(&mut self, known: &Known) -> Result<(), Trouble> {
        let numbering_counts = match self.settings.start_at {
            StartAt::Id(first) => known.watermark >= first,
            StartAt::Earliest | StartAt::Latest => true,
        };
        let (now, monotonic) = (self.term.now(), self.term.monotonic());
        let both = (&*self.mailbox, &*self.store);
        self.continuity.assure(both, known.watermark, numbering_counts, now, monotonic).await
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
    async fn write(&mut self, found: &Found, began: Timestamp) -> Result<Next, Trouble> {
        let Some(enqueue) = &found.enqueue else { return Ok(Next::Pause(self.settings.poll_interval)) };
        let reused = self.store.enqueue(self.term.epoch, enqueue).await?;
        self.tell(found, enqueue, reused, began);
        if enqueue.rows.is_empty() {
            return Ok(Next::Pause(self.settings.poll_interval));
        }
        self.term.bells.pump.ring();
        Ok(Next::Again)
    }

    fn tell(&mut self, found: &Found, enqueue: &Enqueue, reused: Vec<MsgId>, began: Timestamp) {
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
            IdsReused { ids: reused }.emit();
            self.continuity.doubt();
        }
    }

    /// The first row outside the declared series: from now on every missing ID is a hole. That poll
    /// was asked for by the wrong series, and is asked again.
    fn leaves_series(&mut self, found: &Found) -> bool {
        let leaves = found.off_series && self.step != 1;
        if leaves {
            OffSeries { declared: self.step }.emit();
            self.step = 1;
        }
        leaves
    }
}

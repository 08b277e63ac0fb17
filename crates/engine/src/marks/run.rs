//! The loop of marks: what is owed, one call to the mailbox, one transaction with the outcomes.

use std::collections::HashSet;
use std::sync::Arc;

use domain::MsgId;

use super::plan;
use crate::happened::{MarkAbandoned, MarkFoundForeign, MarkRefused, MarksSettled};
use crate::ports::{Clock, DueMark, Mailbox, MailboxError, MarkOutcome, MarkSettled, MarkVerdict, Store};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::MarkSettings;
use crate::term::Term;
use crate::time::age;

/// Writes marks, as long as its term lasts.
pub(crate) struct Marks<M, S, C> {
    mailbox: Arc<M>,
    store: Arc<S>,
    term: Arc<Term<C>>,
    settings: MarkSettings,
    /// What the mailbox answered and the store doesn't know yet; written before anything else.
    unsettled: Vec<(DueMark, MarkSettled)>,
    /// Messages whose mark may be ours although the mailbox's answer never came.
    maybe_ours: HashSet<MsgId>,
}

impl<M: Mailbox, S: Store, C: Clock> Work for Marks<M, S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        self.settle().await?;
        let due = self.store.due_marks(self.term.now(), self.settings.batch).await?;
        self.term.pulse.selected(Room::Marks, due.len());
        // Marks can't be fenced, so that the lease is looked at right before they are written.
        if due.is_empty() || !self.term.goes_on() {
            return Ok(Next::Pause(self.settings.idle));
        }
        self.mark(due).await?;
        self.settle().await?;
        Ok(Next::Again)
    }
}

impl<M: Mailbox, S: Store, C: Clock> Marks<M, S, C> {
    /// Marks for one term.
    pub(crate) fn new(mailbox: Arc<M>, store: Arc<S>, term: Arc<Term<C>>, settings: MarkSettings) -> Self {
        Self { mailbox, store, term, settings, unsettled: Vec::new(), maybe_ours: HashSet::new() }
    }

    async fn mark(&mut self, due: Vec<DueMark>) -> Result<(), Trouble> {
        let ids: Vec<MsgId> = due.iter().map(|due| due.msg_id).collect();
        match self.mailbox.mark(&ids, self.term.now()).await {
            Ok(outcomes) => {
                self.judge(due, outcomes);
                Ok(())
            }
            Err(error) => {
                self.maybe_ours.extend(ids);
                self.give_up_overdue(due, &error);
                // What was given up is written first; then the room waits.
                self.settle().await?;
                Err(error.into())
            }
        }
    }

    fn judge(&mut self, due: Vec<DueMark>, outcomes: Vec<(MsgId, MarkOutcome)>) {
        assert!(
            due.iter().map(|due| due.msg_id).eq(outcomes.iter().map(|(id, _)| *id)),
            "a mailbox answers for every mark, in order"
        );
        let now = self.term.now();
        self.alarm(&due, &outcomes);
        for (due, (msg_id, outcome)) in due.into_iter().zip(outcomes) {
            self.maybe_ours.remove(&msg_id);
            let verdict = plan::judge(&due, &outcome, now, &self.settings);
            self.unsettled.push((due, MarkSettled { msg_id, verdict }));
        }
    }

    /// The mailbox can't be used: nobody's mark is counted for it, but whoever's R has passed has
    /// had the last try.
    fn give_up_overdue(&mut self, due: Vec<DueMark>, error: &MailboxError) {
        let now = self.term.now();
        let overdue = due.into_iter().filter(|due| plan::overdue(due, now, &self.settings));
        self.unsettled.extend(overdue.map(|due| {
            let verdict =
                MarkVerdict::Abandoned { reason: plan::OVERDUE, error: plan::cut(&error.to_string()) };
            (due, MarkSettled { msg_id: due.msg_id, verdict })
        }));
    }

    /// What people must hear of at once.
    fn alarm(&self, due: &[DueMark], outcomes: &[(MsgId, MarkOutcome)]) {
        let mut foreign = Vec::new();
        let mut refused = Vec::new();
        for (due, (msg_id, outcome)) in due.iter().zip(outcomes) {
            match outcome {
                MarkOutcome::AlreadyMarked if self.is_foreign(due) => foreign.push(*msg_id),
                MarkOutcome::Failed { error, needs_operator: true } => refused.push((*msg_id, error)),
                MarkOutcome::Written
                | MarkOutcome::AlreadyMarked
                | MarkOutcome::Missing
                | MarkOutcome::Failed { needs_operator: false, .. } => {}
            }
        }
        if let Some(example) = foreign.first() {
            MarkFoundForeign { rows: foreign.len() as u64, example: *example }.emit();
        }
        if let Some((example, error)) = refused.first() {
            let error = plan::cut(error);
            MarkRefused { rows: refused.len() as u64, example: *example, error }.emit();
        }
    }

    /// Certainly not ours: enqueued in this term, never tried, and no answer was lost. A mark of a
    /// term before may be ours, written just before that term ended.
    fn is_foreign(&self, due: &DueMark) -> bool {
        due.attempts == 0 && due.enqueued_at >= self.term.began && !self.maybe_ours.contains(&due.msg_id)
    }

    async fn settle(&mut self) -> Result<(), Trouble> {
        if self.unsettled.is_empty() {
            return Ok(());
        }
        let settled: Vec<_> = self.unsettled.iter().map(|(_, settled)| settled.clone()).collect();
        self.store.settle_marks(&settled, self.term.now()).await?;
        self.tell();
        self.unsettled.clear();
        Ok(())
    }

    fn tell(&self) {
        let now = self.term.now();
        let (mut delays, mut retries, mut abandoned) = (Vec::new(), 0, 0);
        for (due, MarkSettled { msg_id, verdict }) in &self.unsettled {
            match verdict {
                MarkVerdict::Done => delays.push(age(due.enqueued_at, now)),
                MarkVerdict::Retry { .. } => retries += 1,
                MarkVerdict::Abandoned { reason, .. } => {
                    abandoned += 1;
                    MarkAbandoned { msg_id: *msg_id, reason }.emit();
                }
            }
        }
        self.term.pulse.marked(delays.len() as u64);
        self.term.pulse.abandoned(abandoned);
        MarksSettled { delays, retries }.emit();
    }
}

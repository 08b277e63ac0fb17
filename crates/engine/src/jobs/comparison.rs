//! The comparison of mailbox and store, every night (FC-17).

use std::sync::Arc;

use domain::MsgId;
use domain::mailbox::IdRange;
use domain::reconcile::Tally;
use jiff::Timestamp;

use super::night::next_night;
use super::pace::LOOK;
use crate::happened::Compared;
use crate::ports::{Clock, Mailbox, Store};
use crate::pulse::Room;
use crate::reconcile::{KeptFor, Reconciliation};
use crate::room::{Next, Trouble, Work};
use crate::settings::Settings;
use crate::term::Term;
use crate::time::age;

const EVERYTHING: IdRange = IdRange { first: MsgId(i64::MIN), last: MsgId(i64::MAX) };

/// Compares, as long as its term lasts. What is under way when a term ends begins anew the next night.
pub(crate) struct Comparison<M, S, C> {
    mailbox: Arc<M>,
    store: Arc<S>,
    term: Arc<Term<C>>,
    settings: Settings,
    due: Timestamp,
    under_way: Option<(Reconciliation<M, S>, Tally)>,
}

impl<M: Mailbox, S: Store, C: Clock> Work for Comparison<M, S, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        let left = age(self.term.now(), self.due);
        if self.under_way.is_none() && !left.is_zero() {
            return Ok(Next::Pause(left.min(LOOK)));
        }
        let term = self.term.clone();
        let Some(turn) = term.turns.take(&term).await else { return Ok(Next::Again) };
        self.part().await?;
        turn.over(term.monotonic());
        Ok(Next::Again)
    }
}

impl<M: Mailbox, S: Store, C: Clock> Comparison<M, S, C> {
    /// The job for one term.
    pub(crate) fn new(mailbox: Arc<M>, store: Arc<S>, term: Arc<Term<C>>, settings: Settings) -> Self {
        let due = next_night(term.now(), settings.reconcile_hour, &settings.policy.zone);
        Self { mailbox, store, term, settings, due, under_way: None }
    }

    /// One part of the comparison; the last one tells what was found.
    async fn part(&mut self) -> Result<(), Trouble> {
        let (mut comparison, mut tally) = match self.under_way.take() {
            Some(under_way) => under_way,
            None => (self.begin().await?, Tally::default()),
        };
        let part = comparison.part().await;
        match &part {
            Ok(None) => {
                self.due =
                    next_night(self.term.now(), self.settings.reconcile_hour, &self.settings.policy.zone);
                Compared { tally: &tally, at: self.term.now() }.emit();
                return Ok(());
            }
            Ok(Some(part)) => {
                self.term
                    .pulse
                    .selected(Room::Comparison, usize::try_from(part.tally.rows).unwrap_or(usize::MAX));
                tally.add(&part.tally);
            }
            Err(_) => {}
        }
        self.under_way = Some((comparison, tally));
        part.map(|_| ()).map_err(Trouble::from)
    }

    async fn begin(&self) -> Result<Reconciliation<M, S>, Trouble> {
        let retention = &self.settings.retention;
        let kept_for = KeptFor { bodies: retention.raw, events: retention.events };
        let (mailbox, store) = (self.mailbox.clone(), self.store.clone());
        Ok(Reconciliation::begin(mailbox, store, kept_for, EVERYTHING).await?)
    }
}

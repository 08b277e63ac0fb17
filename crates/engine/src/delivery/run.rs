//! The loop of one target: a window of due events, wave by wave, then one transaction with what
//! became of them.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use domain::event::Target;
use domain::{Flid, MsgId};
use jiff::Timestamp;

use super::plan::{self, Judgement};
use super::record::record;
use crate::happened::{EventDead, EventRefused, EventsDelivered, TargetWaits};
use crate::ports::{Clock, EventSettled, EventVerdict, OutboxEvent, Sink, Store};
use crate::pulse::Room;
use crate::room::{Next, Trouble, Work};
use crate::settings::DeliverySettings;
use crate::term::Term;
use crate::time::age;

/// Sends the events of one target, as long as its term lasts.
pub(crate) struct Delivery<S, K, C> {
    target: Target,
    store: Arc<S>,
    sink: Arc<K>,
    term: Arc<Term<C>>,
    settings: DeliverySettings,
    /// What the sink answered and the store doesn't know yet. It is written before anything else
    /// is sent, however often that must be tried: writing it again is harmless.
    unsettled: Vec<Answered>,
    /// The sink can't be used, in its words: to be said once what is known has been written.
    waits: Option<String>,
    /// The topic was there when last asked, and the sink has been usable since.
    reached: bool,
}

/// An answer to be written.
struct Answered {
    settled: EventSettled,
    flid: Flid,
    msg_id: MsgId,
    created_at: Timestamp,
    at: Timestamp,
}

impl<S: Store, K: Sink, C: Clock> Work for Delivery<S, K, C> {
    async fn step(&mut self) -> Result<Next, Trouble> {
        self.settle().await?;
        self.reach().await?;
        let now = self.term.now();
        let events = self.store.due_events(self.target, now, self.settings.window).await?;
        self.term.pulse.selected(Room::of_delivery(self.target), events.len());
        if events.is_empty() {
            return Ok(Next::Pause(self.settings.idle));
        }
        self.send(events).await;
        self.settle().await?;
        Ok(Next::Again)
    }
}

impl<S: Store, K: Sink, C: Clock> Delivery<S, K, C> {
    /// Delivery to `target` for one term.
    pub(crate) fn new(
        target: Target,
        store: Arc<S>,
        sink: Arc<K>,
        term: Arc<Term<C>>,
        settings: DeliverySettings,
    ) -> Self {
        Self { target, store, sink, term, settings, unsettled: Vec::new(), waits: None, reached: false }
    }

    /// A missing topic is known before the first event that needs it, and is told instead of a time-out.
    async fn reach(&mut self) -> Result<(), Trouble> {
        if !self.reached {
            self.sink.reach(self.target).await.map_err(Trouble::Wait)?;
            self.reached = true;
        }
        Ok(())
    }

    /// Sends a window. A flight whose event was not acknowledged sends no later one; a sink that
    /// can't be used ends the window.
    async fn send(&mut self, events: Vec<OutboxEvent>) {
        let topic = self.sink.topic(self.target).to_owned();
        let mut held = HashSet::new();
        for wave in plan::waves(events) {
            let wave = plan::sendable(wave, &held);
            // A deposed leader must not send: its lease is looked at before each wave.
            if wave.is_empty() || self.waits.is_some() || !self.term.goes_on() {
                return;
            }
            let records: Vec<_> = wave
                .iter()
                .map(|event| record(event, &topic, &self.settings.source, self.term.epoch))
                .collect();
            let answers = self.sink.publish(&records).await;
            assert_eq!(answers.len(), wave.len(), "a sink answers for every record");
            let now = self.term.now();
            for (event, answer) in wave.into_iter().zip(answers) {
                let judgement = plan::judge(&event, &topic, answer, now, &self.settings);
                if plan::holds(&judgement) {
                    held.insert(event.flid);
                }
                self.note(&event, judgement, now);
            }
        }
    }

    fn note(&mut self, event: &OutboxEvent, judgement: Judgement, at: Timestamp) {
        let OutboxEvent { event_id, state_version, flid, msg_id, created_at, .. } = *event;
        match judgement {
            Judgement::Settle(verdict) => {
                let settled = EventSettled { event_id, state_version, verdict };
                self.unsettled.push(Answered { settled, flid, msg_id, created_at, at });
            }
            Judgement::Wait(words) => self.waits = Some(words),
        }
    }

    /// Writes what is known, then says whether the sink must be waited for.
    async fn settle(&mut self) -> Result<(), Trouble> {
        if !self.unsettled.is_empty() {
            let settled: Vec<_> = self.unsettled.iter().map(|answered| answered.settled.clone()).collect();
            self.store.settle_events(self.term.epoch, &settled, self.term.now()).await?;
            let told = std::mem::take(&mut self.unsettled);
            self.tell(told);
        }
        match self.waits.take() {
            Some(words) => {
                self.reached = false;
                TargetWaits { target: self.target, words: words.clone() }.emit();
                Err(Trouble::Wait(words))
            }
            None => Ok(()),
        }
    }

    fn tell(&self, told: Vec<Answered>) {
        let target = self.target;
        let mut latencies: Vec<(Duration, Option<Duration>)> = Vec::new();
        for Answered { settled, flid, msg_id, created_at, at } in told {
            let event_id = settled.event_id;
            match settled.verdict {
                EventVerdict::Sent { .. } => {
                    let landed = self.term.pulse.arrival(msg_id).map(|seen| age(seen, at));
                    latencies.push((age(created_at, at), landed));
                }
                EventVerdict::Failed { error, .. } => EventRefused { target, event_id, flid, error }.emit(),
                EventVerdict::Dead { error, .. } => {
                    EventRefused { target, event_id, flid, error }.emit();
                    EventDead { target, event_id, flid }.emit();
                }
            }
        }
        if !latencies.is_empty() {
            self.term.pulse.delivered(target, latencies.len() as u64);
            EventsDelivered { target, latencies }.emit();
        }
    }
}

//! One task that watches the pipeline for everybody: the facts once a second, changed flights a few
//! times a second. Pages only listen, so that a hundred of them ask the store no more than one, and
//! a browser that goes away cancels no query half-way.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use domain::Flid;
use domain::flight::Flight;
use engine::happened;
use engine::ports::Views;
use engine::pulse::Changed;
use serde_json::{Value, json};
use tokio::sync::broadcast::{self, Receiver, error::TryRecvError};
use tokio::sync::watch;

use super::App;
use super::board::row;
use super::facts::gather;
use super::past::Past;
use crate::clock::now;

/// Time between two batches of changed flights.
const MOMENT: Duration = Duration::from_millis(250);
/// Every so many moments the facts are gathered.
const FACTS_EVERY: u64 = 4;
/// Most changed flights in one batch; the newest stay.
const CHANGED_MAX: usize = 120;
/// The batch that says: the whole board again.
pub(super) const READ_AGAIN: Value = Value::Null;
/// Batches a slow page may lag behind before it asks for the whole board again.
const BATCHES_KEPT: usize = 64;

/// What pages listen to.
#[derive(Debug, Clone)]
pub(super) struct News {
    /// The facts, newest only.
    pub(super) facts: watch::Receiver<Arc<Value>>,
    past: watch::Receiver<Past>,
    batches: broadcast::Sender<Arc<Value>>,
}

impl News {
    /// Changed flights from now on, or [`READ_AGAIN`].
    pub(super) fn batches(&self) -> Receiver<Arc<Value>> {
        self.batches.subscribe()
    }

    /// The five facts of the last minute, oldest first, so that a page opened now has its curves.
    pub(super) fn past(&self) -> Value {
        self.past.borrow().json()
    }
}

/// Starts watching; ends when nobody can listen any more.
pub(super) fn watch_pipeline<V: Views>(app: Arc<App<V>>) -> News {
    let (facts, newest) = watch::channel(Arc::new(Value::Null));
    let (past, minute) = watch::channel(Past::default());
    let batches = broadcast::Sender::new(BATCHES_KEPT);
    let news = News { facts: newest, past: minute, batches: batches.clone() };
    let changes = app.pulse.changes();
    tokio::spawn(async move {
        let mut desk = Desk { app, changes, swept: 0 };
        for moment in 0u64.. {
            if moment % FACTS_EVERY == 0 {
                let gathered = desk.facts().await;
                past.send_modify(|minute| minute.remember(&gathered));
                if facts.send(Arc::new(gathered)).is_err() {
                    return;
                }
            }
            if let Some(batch) = desk.batch() {
                // Without pages nobody hears it.
                let _unheard = batches.send(Arc::new(batch));
            }
            pause().await;
        }
    });
    news
}

struct Desk<V> {
    app: Arc<App<V>>,
    changes: Receiver<Arc<Changed>>,
    /// Flights gone from the board when it was last told of.
    swept: u64,
}

impl<V: Views> Desk<V> {
    /// The facts, and the same state as gauges for whoever scrapes.
    async fn facts(&self) -> Value {
        // Without a scrape the recorder keeps every reading of a histogram until told to add them up.
        self.app.metrics.run_upkeep();
        let gathered = async {
            happened::publish_backlog(&*self.app.views, now()).await?;
            gather(&self.app).await
        };
        match gathered.await {
            Ok(facts) => facts,
            Err(error) => json!({ "problems": [error.to_string()] }),
        }
    }

    /// News of the board: rows that changed, or that it has to be read again because flights are
    /// gone from it.
    fn batch(&mut self) -> Option<Value> {
        let (changed, swept) = (self.changed(), self.app.pulse.flights_swept());
        if std::mem::replace(&mut self.swept, swept) != swept {
            return Some(READ_AGAIN);
        }
        (!changed.is_empty()).then_some(Value::Array(changed))
    }

    /// What changed since the last moment, each flight once, oldest first.
    fn changed(&mut self) -> Vec<Value> {
        let mut flights: BTreeMap<Flid, Arc<Flight>> = BTreeMap::new();
        loop {
            match self.changes.try_recv() {
                Ok(change) => {
                    flights.extend(change.flights.iter().map(|flight| (flight.flid, flight.clone())))
                }
                // Older changes of a flight are superseded by newer ones: what was missed shows
                // with the next change or when a page is opened.
                Err(TryRecvError::Lagged(_)) => {}
                Err(TryRecvError::Empty | TryRecvError::Closed) => break,
            }
        }
        let mut newest: Vec<_> = flights.into_values().collect();
        newest.sort_by_key(|flight| flight.last_by);
        let from = newest.len().saturating_sub(CHANGED_MAX);
        newest[from..].iter().map(|flight| row(flight, self.app.dictionary)).collect()
    }
}

#[expect(clippy::disallowed_methods, reason = "the pace of a page for people; nothing is decided by it")]
async fn pause() {
    tokio::time::sleep(MOMENT).await;
}

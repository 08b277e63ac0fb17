//! The sink in memory: one partition per topic, every record kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use domain::event::Target;
use engine::ports::{Published, Receipt, Record, Sink as SinkPort, SinkError};

use super::lock;
use crate::Stored;

/// Longest value in bytes that the model takes.
pub(super) const VALUE_BYTES_MAX: usize = 1024 * 1024;

/// An in-memory sink; clones are the same sink.
#[derive(Debug, Clone, Default)]
pub struct Sink(Arc<Mutex<Broker>>);

#[derive(Debug, Default)]
struct Broker {
    topics: BTreeMap<String, Vec<Stored>>,
    refused: BTreeSet<String>,
    down: Option<String>,
    lost: BTreeSet<Target>,
    answers_to_lose: usize,
    publishes: u64,
}

impl Sink {
    /// Every record of a topic, oldest first.
    pub fn records(&self, topic: &str) -> Vec<Stored> {
        lock(&self.0).topics.get(topic).cloned().unwrap_or_default()
    }

    /// Records of `key` are rejected until [`Sink::accept`].
    pub fn refuse(&self, key: &str) {
        lock(&self.0).refused.insert(key.into());
    }

    /// Records of `key` are taken again.
    pub fn accept(&self, key: &str) {
        lock(&self.0).refused.remove(key);
    }

    /// Nothing is taken until [`Sink::recover`].
    pub fn go_down(&self, error: &str) {
        lock(&self.0).down = Some(error.into());
    }

    /// Takes records again.
    pub fn recover(&self) {
        lock(&self.0).down = None;
    }

    /// The topic of `target` is there no more.
    pub fn lose(&self, target: Target) {
        lock(&self.0).lost.insert(target);
    }

    /// The next `records` records are kept, and their answers lost.
    pub fn lose_answers(&self, records: usize) {
        lock(&self.0).answers_to_lose = records;
    }

    /// Calls of [`SinkPort::publish`] so far.
    pub fn publishes(&self) -> u64 {
        lock(&self.0).publishes
    }
}

impl Broker {
    fn append(&mut self, record: &Record) -> Published {
        if let Some(error) = &self.down {
            return Err(SinkError::Unavailable(error.clone()));
        }
        let length = record.value.as_ref().map_or(0, String::len);
        if self.refused.contains(&record.key) || length > VALUE_BYTES_MAX {
            return Err(SinkError::Rejected(format!("record of key {} refused", record.key)));
        }
        let topic = self.topics.entry(record.topic.clone()).or_default();
        let offset = i64::try_from(topic.len()).expect("fewer records than numbers");
        let receipt = Receipt { partition: 0, offset };
        topic.push(Stored {
            key: record.key.clone(),
            value: record.value.clone(),
            headers: record.headers.iter().map(|(name, value)| ((*name).into(), value.clone())).collect(),
            receipt,
        });
        if self.answers_to_lose > 0 {
            self.answers_to_lose -= 1;
            return Err(SinkError::Unavailable("answer lost".into()));
        }
        Ok(receipt)
    }
}

impl SinkPort for Sink {
    async fn publish(&self, records: &[Record]) -> Vec<Published> {
        tokio::task::yield_now().await;
        let mut broker = lock(&self.0);
        broker.publishes += 1;
        records.iter().map(|record| broker.append(record)).collect()
    }

    async fn check(&self) -> Vec<String> {
        lock(&self.0).down.iter().cloned().collect()
    }

    async fn reach(&self, target: Target) -> Result<(), String> {
        let broker = lock(&self.0);
        match &broker.down {
            Some(error) => Err(error.clone()),
            None if broker.lost.contains(&target) => Err(format!("no topic {}", self.topic(target))),
            None => Ok(()),
        }
    }

    fn topic(&self, target: Target) -> &str {
        match target {
            Target::Msg => "msgx.msg",
            Target::Schd => "msgx.schd",
        }
    }
}

#[cfg(test)]
mod tests;

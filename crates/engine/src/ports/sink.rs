//! Where events go: Kafka, or a file of JSON lines.

use std::future::Future;

use domain::event::Target;

/// The sink port.
pub trait Sink: Send + Sync + 'static {
    /// Publishes records and waits for each one's answer. The caller gives at most one record
    /// per key and target. One answer per record, in order. After a fatal state of the
    /// producer, the next call works with a new one.
    fn publish(&self, records: &[Record]) -> impl Future<Output = Vec<Published>> + Send;

    /// Can it be reached, and is each topic there? One line per finding; empty when all is well.
    fn check(&self) -> impl Future<Output = Vec<String>> + Send;

    /// Is the topic of `target` there to be written to? Asked before the first record of a term and after
    /// every time the sink could not be used; the error says what is missing and what to do.
    fn reach(&self, target: Target) -> impl Future<Output = Result<(), String>> + Send;

    /// The topic of a target.
    fn topic(&self, target: Target) -> &str;
}

/// A record as consumers see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Topic.
    pub topic: String,
    /// Key: the FLID.
    pub key: String,
    /// UTF-8 JSON; `None` is a tombstone.
    pub value: Option<String>,
    /// Headers in order: CloudEvents binary mode and `msgx-*`.
    pub headers: Vec<(&'static str, String)>,
}

/// The answer for one record.
pub type Published = Result<Receipt, SinkError>;

/// Where a record lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Receipt {
    /// Partition; 0 in a file.
    pub partition: i32,
    /// Offset; the line number in a file.
    pub offset: i64,
}

/// Why a record was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SinkError {
    /// The record's own fault (too large, invalid): counts as an attempt.
    #[error("record refused: {0}")]
    Rejected(String),
    /// Broker, topic or right missing, time-out, fenced: wait, counts nothing.
    #[error("sink unavailable: {0}")]
    Unavailable(String),
}

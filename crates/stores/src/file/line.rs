//! A record as a line of JSON.

use engine::ports::{Record, SinkError};
use serde_json::{Map, Value, json};

/// The record's value; a text that isn't JSON is the record's own fault.
pub(super) fn value(record: &Record) -> Result<Value, SinkError> {
    match &record.value {
        None => Ok(Value::Null),
        Some(text) => serde_json::from_str(text).map_err(|error| {
            SinkError::Rejected(format!("the value of key {} is not JSON: {error}", record.key))
        }),
    }
}

pub(super) fn line(record: &Record, value: &Value, offset: i64, timestamp: i64) -> String {
    let headers: Map<String, Value> =
        record.headers.iter().map(|(name, text)| ((*name).to_owned(), Value::from(text.as_str()))).collect();
    json!({
        "topic": record.topic,
        "partition": 0,
        "offset": offset,
        "timestamp": timestamp,
        "key": record.key,
        "headers": headers,
        "value": value,
    })
    .to_string()
}

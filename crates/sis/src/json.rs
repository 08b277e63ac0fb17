//! Values and messages as JSON, times with the zone's offset.

use jiff::tz::TimeZone;

use crate::{Message, Value};

/// A value as JSON: times as ISO 8601 with the offset that `zone` has at that time.
pub fn value(_value: &Value, _zone: &TimeZone) -> serde_json::Value {
    todo!()
}

/// A whole message as JSON, for people and for `msgx decode`.
pub fn message(_message: &Message, _zone: &TimeZone) -> serde_json::Value {
    todo!()
}

//! Values and messages as JSON, times with the zone's offset.

use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use serde_json::{Map, Value as Json, json};

use crate::{Body, FieldWrite, Message, Record, Request, ScheduleKind, Value, Write};

/// A value as JSON: times as ISO 8601 with the offset that `zone` has at that time, days as
/// `2026-04-07`, times of day as `09:15`, durations in minutes. Decimals are strings, so that
/// no digit is lost.
pub fn value(value: &Value, zone: &TimeZone) -> Json {
    match value {
        Value::Text(text) | Value::Decimal(text) => Json::from(text.as_str()),
        Value::Integer(number) => Json::from(*number),
        Value::Time(time) => Json::from(with_offset(*time, zone)),
        Value::Date(date) => Json::from(date.to_string()),
        Value::Clock(time) => Json::from(format!("{:02}:{:02}", time.hour(), time.minute())),
        Value::Minutes(minutes) => Json::from(*minutes),
        Value::Object(object) => {
            object.iter().map(|(name, member)| ((*name).to_owned(), self::value(member, zone))).collect()
        }
        Value::List(list) => list.iter().map(|item| self::value(item, zone)).collect(),
    }
}

/// A whole message as JSON, for people and for `msgx decode`. A cleared field is `null`; a
/// keyed collection shows whether it is emptied first, and its entries by key, `null` where
/// one is removed.
pub fn message(message: &Message, zone: &TimeZone) -> Json {
    let meta = &message.meta;
    let sent_at = meta.sent_at().map(|time| with_offset(time, zone));
    let meta = json!({
        "sender": meta.sender, "seqn": meta.seqn, "dttm": meta.dttm, "sentAt": sent_at,
        "type": meta.kind, "subtype": meta.subtype,
    });
    object([("meta", meta), ("body", body(&message.body, zone))])
}

/// An object of what is at hand; the macro would copy every value.
fn object<const MEMBERS: usize>(members: [(&str, Json); MEMBERS]) -> Json {
    members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// A local time that the zone skips or repeats is read as jiff's "compatible" rule says; in
/// the zones of this format neither happens.
fn with_offset(time: DateTime, zone: &TimeZone) -> String {
    match zone.to_ambiguous_timestamp(time).compatible() {
        Ok(instant) => instant.display_with_offset(zone.to_offset(instant)).to_string(),
        // Only the first and last days that jiff can represent have no offset.
        Err(_) => time.to_string(),
    }
}

fn body(body: &Body, zone: &TimeZone) -> Json {
    match body {
        Body::Schedule(schedule) => {
            let kind = match schedule.kind {
                ScheduleKind::Upsert => "schedule",
                ScheduleKind::Delete => "scheduleDelete",
            };
            object([
                ("kind", Json::from(kind)),
                ("declaredRecords", Json::from(schedule.declared_records)),
                ("records", records(&schedule.records, zone)),
            ])
        }
        Body::Flop(flops) => object([("kind", Json::from("flop")), ("records", records(flops, zone))]),
        Body::Delete(flops) => object([("kind", Json::from("delete")), ("records", records(flops, zone))]),
        Body::Reference(reference) => object([
            ("kind", Json::from("reference")),
            ("list", Json::from(reference.list.as_str())),
            ("declaredRecords", Json::from(reference.declared_records)),
            ("records", reference.records.iter().map(|record| value(record, zone)).collect()),
        ]),
        Body::Request(Request::Schedule { begin, end }) => {
            json!({ "kind": "scheduleRequest", "begin": begin, "end": end })
        }
        Body::Request(Request::ReferenceList { list }) => json!({ "kind": "listRequest", "list": list }),
        Body::Unknown(unknown) => json!({ "kind": "unknown", "elements": unknown.elements }),
    }
}

fn records(records: &[Record], zone: &TimeZone) -> Json {
    records.iter().map(|item| record(item, zone)).collect()
}

fn record(record: &Record, zone: &TimeZone) -> Json {
    let fields: Map<String, Json> =
        record.writes.iter().map(|one| (one.field.name.to_owned(), write(one, zone))).collect();
    let mut object = Map::new();
    object.insert("flid".to_owned(), Json::from(record.flid));
    object.insert("fields".to_owned(), Json::from(fields));
    if !record.not_applied.is_empty() {
        object.insert("notApplied".to_owned(), Json::from(record.not_applied.as_slice()));
    }
    if !record.extra.is_empty() {
        let extra = record.extra.iter().map(|(name, content)| json!({ "name": name, "content": content }));
        object.insert("extra".to_owned(), extra.collect());
    }
    Json::from(object)
}

fn write(write: &FieldWrite, zone: &TimeZone) -> Json {
    match &write.write {
        Write::Clear => Json::Null,
        Write::Set(set) => value(set, zone),
        Write::Merge { clear, entries } => {
            let entries: Map<String, Json> = entries
                .iter()
                .map(|entry| {
                    (entry.key.clone(), entry.value.as_ref().map_or(Json::Null, |one| value(one, zone)))
                })
                .collect();
            object([("clear", Json::from(*clear)), ("entries", Json::from(entries))])
        }
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::{date, time};

    use super::*;

    #[test]
    fn every_kind_of_value_has_one_form() {
        let zone = TimeZone::fixed(jiff::tz::offset(8));
        let object = Value::Object(vec![("a", Value::Minutes(70)), ("b", Value::Decimal("1.50".into()))]);
        for (given, expected) in [
            (Value::Text("中".into()), json!("中")),
            (Value::Integer(-3), json!(-3)),
            (Value::Time(date(2026, 4, 7).at(9, 15, 0, 0)), json!("2026-04-07T09:15:00+08:00")),
            (Value::Date(date(2026, 4, 7)), json!("2026-04-07")),
            (Value::Clock(time(9, 5, 0, 0)), json!("09:05")),
            (Value::List(vec![object]), json!([{ "a": 70, "b": "1.50" }])),
        ] {
            assert_eq!(value(&given, &zone), expected);
        }
    }
}

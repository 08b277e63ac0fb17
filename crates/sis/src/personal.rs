//! What a person without the right sees of a message that holds personal data: that something
//! is there, and not what.
//!
//! Personal is what the dictionary says: fields (VIPF), members, whole lists (VIPL). Texts in
//! which somebody may have written a name, such as remarks, can't be known.

mod names;
mod xml;

use jiff::tz::TimeZone;
use serde_json::{Map, Value as Json};

use crate::{Body, Dictionary, Field, Member, Message, Record, json};

pub use names::is_personal_part;
pub use xml::masked_xml;

/// Stands where a personal value stood.
pub const MASK: &str = "***";

/// [`json::message`] with every personal value replaced by [`MASK`].
pub fn masked_message(message: &Message, zone: &TimeZone, dictionary: &Dictionary) -> Json {
    let mut shown = json::message(message, zone);
    let records = shown["body"]["records"].as_array_mut().into_iter().flatten();
    match &message.body {
        Body::Schedule(schedule) => mask_records(records, &schedule.records, dictionary),
        Body::Flop(flops) | Body::Delete(flops) => mask_records(records, flops, dictionary),
        Body::Reference(list) => {
            if dictionary.reference(&list.list).is_some_and(|list| list.personal) {
                records.filter_map(Json::as_object_mut).for_each(mask_all);
            }
        }
        Body::Request(_) | Body::Unknown(_) => {}
    }
    shown
}

/// Masks what is personal of one field's value, such as one of a flight as it is shown.
pub fn mask_field(field: &Field, value: &mut Json) {
    if field.personal {
        mask(value);
    } else if field.members.iter().any(|member| Some(member.name) == field.key && member.personal) {
        // Entries of a change stand under their keys, which would tell the value.
        mask(value);
    } else {
        mask_members(field.members, value);
    }
}

fn mask_records<'a>(shown: impl Iterator<Item = &'a mut Json>, records: &[Record], dictionary: &Dictionary) {
    for (shown, record) in shown.zip(records) {
        for write in &record.writes {
            if let Some(value) = shown["fields"].get_mut(write.field.name) {
                mask_field(write.field, value);
            }
        }
        let extras = shown.get_mut("extra").and_then(Json::as_array_mut).into_iter().flatten();
        for (extra, (path, content)) in extras.zip(&record.extra) {
            if is_personal_part(path, content, dictionary) {
                extra["content"] = Json::from(MASK);
            }
        }
    }
}

/// A value is a member's object, a list of them, or a change with its entries by key.
fn mask_members(members: &[Member], value: &mut Json) {
    match value {
        Json::Array(entries) => entries.iter_mut().for_each(|entry| mask_members(members, entry)),
        Json::Object(object) => {
            if let Some(Json::Object(entries)) = object.get_mut("entries") {
                entries.values_mut().for_each(|entry| mask_members(members, entry));
            }
            for member in members {
                match object.get_mut(member.name) {
                    Some(found) if member.personal => mask(found),
                    Some(found) => mask_members(member.members, found),
                    None => {}
                }
            }
        }
        Json::Null | Json::Bool(_) | Json::Number(_) | Json::String(_) => {}
    }
}

fn mask_all(record: &mut Map<String, Json>) {
    record.values_mut().for_each(mask);
}

/// That a value was cleared is not personal.
fn mask(value: &mut Json) {
    if !value.is_null() {
        *value = Json::from(MASK);
    }
}

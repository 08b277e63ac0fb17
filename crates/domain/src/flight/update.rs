//! What one message does to one flight's fields: its records of that FLID, folded in order.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jiff::civil::Date;
use jiff::tz::TimeZone;
use serde_json::Value as Json;
use sis::{Dictionary, FieldKind, Record, Value, Write};

use super::names;
use crate::Flid;

/// A message's part for one flight.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Update {
    /// The flight.
    pub(crate) flid: Flid,
    /// By field name; `extra.<NAME>` for what nobody knows.
    pub(super) fields: BTreeMap<Cow<'static, str>, FieldUpdate>,
    /// The day of SODT, if it is set.
    pub(super) day: Option<Date>,
    /// Another day that another record of the message says.
    pub(super) other_day: Option<Date>,
}

/// What happens to one field.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum FieldUpdate {
    /// Set as a whole, or cleared.
    Single(Option<Json>),
    /// Merged by key.
    Keyed {
        /// Emptied first.
        clear: bool,
        /// Set, or removed (`None`).
        entries: BTreeMap<String, Option<Json>>,
    },
}

/// One update per FLID, in the order in which they first appear.
pub(crate) fn fold(records: &[Record], zone: &TimeZone) -> Vec<Update> {
    let mut updates: Vec<Update> = Vec::new();
    let mut places: BTreeMap<i64, usize> = BTreeMap::new();
    for record in records {
        let place = *places.entry(record.flid).or_insert_with(|| {
            updates.push(Update {
                flid: Flid(record.flid),
                fields: BTreeMap::new(),
                day: None,
                other_day: None,
            });
            updates.len() - 1
        });
        updates[place].add(record, zone);
    }
    updates
}

impl Update {
    /// `flight.absent-optional = clear` (Q13): what a schedule could carry and doesn't is
    /// cleared. SODT stays: a schedule without it is refused before.
    pub(crate) fn clear_absent(&mut self, dictionary: &Dictionary) {
        for field in dictionary.fields().iter().filter(|field| field.in_schedule) {
            if field.name != names::SCHEDULED_TIME && !self.fields.contains_key(field.name) {
                self.fields.insert(field.name.into(), cleared(field.kind));
            }
        }
    }

    /// The day of SODT, if it is set.
    pub(crate) fn day(&self) -> Option<Date> {
        self.day
    }

    fn add(&mut self, record: &Record, zone: &TimeZone) {
        for write in &record.writes {
            if write.field.name == names::SCHEDULED_TIME
                && let Write::Set(Value::Time(time)) = &write.write
            {
                let day = time.date();
                match self.day {
                    Some(first) if first != day => self.other_day = Some(day),
                    Some(_) | None => self.day = Some(day),
                }
            }
            self.set(write.field.name.into(), translate(write.field.kind, &write.write, zone));
        }
        for (name, value) in extra(&record.extra) {
            self.set(format!("{}{name}", names::EXTRA).into(), FieldUpdate::Single(Some(value)));
        }
    }

    /// The later record wins; entries of a keyed collection merge.
    fn set(&mut self, name: Cow<'static, str>, update: FieldUpdate) {
        match (self.fields.get_mut(&name), update) {
            (
                Some(FieldUpdate::Keyed { entries, .. }),
                FieldUpdate::Keyed { clear: false, entries: later },
            ) => {
                entries.extend(later);
            }
            (Some(earlier), later) => *earlier = later,
            (None, update) => {
                self.fields.insert(name, update);
            }
        }
    }
}

fn translate(kind: FieldKind, write: &Write, zone: &TimeZone) -> FieldUpdate {
    match write {
        Write::Clear => cleared(kind),
        Write::Set(value) => FieldUpdate::Single(Some(sis::json::value(value, zone))),
        Write::Merge { clear, entries } => FieldUpdate::Keyed {
            clear: *clear,
            entries: entries
                .iter()
                .map(|entry| {
                    (entry.key.clone(), entry.value.as_ref().map(|value| sis::json::value(value, zone)))
                })
                .collect(),
        },
    }
}

fn cleared(kind: FieldKind) -> FieldUpdate {
    match kind {
        FieldKind::Scalar | FieldKind::Structure | FieldKind::Ordered => FieldUpdate::Single(None),
        FieldKind::Keyed => FieldUpdate::Keyed { clear: true, entries: BTreeMap::new() },
    }
}

/// Elements nobody knows: the text, or a list of texts where one name repeats.
fn extra(elements: &[(String, String)]) -> BTreeMap<&str, Json> {
    let mut found: BTreeMap<&str, Json> = BTreeMap::new();
    for (name, text) in elements {
        let text = Json::from(text.as_str());
        match found.get_mut(name.as_str()) {
            None => {
                found.insert(name, text);
            }
            Some(Json::Array(texts)) => texts.push(text),
            Some(first) => *first = Json::Array(vec![first.take(), text]),
        }
    }
    found
}

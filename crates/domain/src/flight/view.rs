//! What a flight looks like: current values in dictionary order.

use std::borrow::Cow;

use serde_json::{Map, Value, json};
use sis::{Dictionary, Field, Member};

use super::{FieldState, Flight, names};

impl Flight {
    /// Flat current values for people and programs: what identifies the flight, every field
    /// that has a value in dictionary order, then `extra`. Personal data is left out.
    pub fn view(&self, dictionary: &Dictionary) -> Value {
        self.assemble(self.public_fields(dictionary))
    }

    /// [`Flight::view`] with personal data, for those who may see it.
    pub fn view_with_personal(&self, dictionary: &Dictionary) -> Value {
        self.assemble(
            self.present_fields(dictionary)
                .map(|(field, state)| (field.name, current(state)))
                .filter_map(some),
        )
    }

    /// Every field with a value, personal data left out, in dictionary order.
    pub(crate) fn public_fields<'a>(
        &'a self,
        dictionary: &Dictionary,
    ) -> impl Iterator<Item = (&'static str, Cow<'a, Value>)> {
        self.present_fields(dictionary)
            .map(|(field, state)| (field.name, public(field, state)))
            .filter_map(some)
    }

    /// Elements nobody knows, by name.
    pub(crate) fn extra(&self) -> impl Iterator<Item = (&str, &Value)> {
        let from = self.fields.range(names::EXTRA.to_owned()..);
        let extra = from.map_while(|(name, state)| Some((name.strip_prefix(names::EXTRA)?, state)));
        extra.filter_map(|(name, state)| match state {
            FieldState::Single(stamped) => Some((name, stamped.value.as_ref()?)),
            FieldState::Keyed { .. } => None,
        })
    }

    fn present_fields(&self, dictionary: &Dictionary) -> impl Iterator<Item = (&'static Field, &FieldState)> {
        dictionary.fields().iter().filter_map(|field| Some((field, self.fields.get(field.name)?)))
    }

    fn assemble<'a>(&self, fields: impl Iterator<Item = (&'static str, Cow<'a, Value>)>) -> Value {
        let mut view = Map::new();
        view.insert("flid".into(), json!(self.flid.0));
        view.insert("life".into(), json!(self.life.as_str()));
        view.insert("stateVersion".into(), json!(self.state_version));
        view.insert("incarnation".into(), json!(self.incarnation));
        view.insert("operationDay".into(), json!(self.operation_day.map(|day| day.to_string())));
        view.extend(fields.map(|(name, value)| (name.to_owned(), value.into_owned())));
        let extra: Map<String, Value> =
            self.extra().map(|(name, value)| (name.to_owned(), value.clone())).collect();
        if !extra.is_empty() {
            view.insert("extra".into(), Value::Object(extra));
        }
        Value::Object(view)
    }
}

/// The value of a field as published: nothing where it has none or is personal.
pub(crate) fn public<'a>(field: &Field, state: &'a FieldState) -> Option<Cow<'a, Value>> {
    if field.personal {
        return None;
    }
    let value = current(state)?;
    if field.members.iter().any(has_personal) {
        let mut value = value.into_owned();
        strip(&mut value, field.members);
        return Some(Cow::Owned(value));
    }
    Some(value)
}

/// The value of a field: of a keyed collection its entries in key order, each with its key.
pub(super) fn current(state: &FieldState) -> Option<Cow<'_, Value>> {
    match state {
        FieldState::Single(stamped) => stamped.value.as_ref().map(Cow::Borrowed),
        FieldState::Keyed { entries, .. } => {
            let entries: Vec<Value> = entries.values().filter_map(|entry| entry.value.clone()).collect();
            (!entries.is_empty()).then(|| Cow::Owned(Value::Array(entries)))
        }
    }
}

/// Do two states of a field show the same?
pub(super) fn shows_same(one: Option<&FieldState>, other: Option<&FieldState>) -> bool {
    match (one, other) {
        (Some(FieldState::Single(one)), Some(FieldState::Single(other))) => one.value == other.value,
        _ => one.and_then(current) == other.and_then(current),
    }
}

fn has_personal(member: &Member) -> bool {
    member.personal || member.members.iter().any(has_personal)
}

/// Takes personal members out.
pub(super) fn strip(value: &mut Value, members: &[Member]) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| strip(value, members)),
        Value::Object(found) => {
            for member in members.iter().filter(|member| has_personal(member)) {
                if member.personal {
                    found.shift_remove(member.name);
                } else if let Some(inner) = found.get_mut(member.name) {
                    strip(inner, member.members);
                }
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

fn some<'a>((name, value): (&'static str, Option<Cow<'a, Value>>)) -> Option<(&'static str, Cow<'a, Value>)> {
    Some((name, value?))
}

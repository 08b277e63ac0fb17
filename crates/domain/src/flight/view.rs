//! What a flight looks like: current values in dictionary order.

use std::borrow::Cow;

use serde_json::{Map, Value, json};
use sis::{Dictionary, Field};

use super::audience::Audience;
use super::{FieldState, Flight, names};

impl Flight {
    /// Flat current values for people and programs: what identifies the flight, every field
    /// that has a value in dictionary order, then `extra`. Personal data is left out.
    pub fn view(&self, dictionary: &Dictionary) -> Value {
        self.seen_by(Audience::Everybody, dictionary)
    }

    /// [`Flight::view`] with personal data, for those who may see it.
    pub fn view_with_personal(&self, dictionary: &Dictionary) -> Value {
        self.seen_by(Audience::Entitled, dictionary)
    }

    fn seen_by(&self, audience: Audience, dictionary: &Dictionary) -> Value {
        let mut view = Map::new();
        view.insert("flid".into(), json!(self.flid.0));
        view.insert("life".into(), json!(self.life.as_str()));
        view.insert("stateVersion".into(), json!(self.state_version));
        view.insert("incarnation".into(), json!(self.incarnation));
        view.insert("operationDay".into(), json!(self.operation_day.map(|day| day.to_string())));
        let fields = self.known_fields(audience, dictionary);
        view.extend(fields.map(|(field, value, _)| (field.name.to_owned(), value.into_owned())));
        let extra = self.unknown_parts(audience, dictionary);
        let extra: Map<String, Value> =
            extra.map(|(name, value, _)| (name.to_owned(), value.into_owned())).collect();
        if !extra.is_empty() {
            view.insert("extra".into(), Value::Object(extra));
        }
        Value::Object(view)
    }

    /// Every field with a value for these, in dictionary order.
    pub(crate) fn known_fields(
        &self,
        audience: Audience,
        dictionary: &Dictionary,
    ) -> impl Iterator<Item = Shown<'_, &'static Field>> {
        let known = self.fields.iter().filter_map(|(name, state)| Some((dictionary.number(name)?, state)));
        let mut present: Vec<(usize, &FieldState)> = known.collect();
        present.sort_unstable_by_key(|(number, _)| *number);
        present.into_iter().filter_map(move |(number, state)| {
            let field = &dictionary.fields()[number];
            Some((field, audience.field(field, state)?, state))
        })
    }

    /// Parts nobody knows with a value for these, by name.
    pub(crate) fn unknown_parts<'a>(
        &'a self,
        audience: Audience,
        dictionary: &Dictionary,
    ) -> impl Iterator<Item = Shown<'a, &'a str>> {
        let from = self.fields.range(names::EXTRA.to_owned()..);
        let parts = from.map_while(|(name, state)| Some((name.strip_prefix(names::EXTRA)?, state)));
        parts.filter_map(move |(name, state)| Some((name, audience.part(name, state, dictionary)?, state)))
    }
}

/// A field or part, its value as it is shown, and what is kept of it.
type Shown<'a, K> = (K, Cow<'a, Value>, &'a FieldState);

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

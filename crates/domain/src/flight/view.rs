//! What a flight looks like: current values in dictionary order.

use std::borrow::Cow;

use serde_json::{Map, Value, json};
use sis::personal::is_personal_part;
use sis::{Dictionary, Field, FieldKind, Member, ValueKind};

use super::{FieldState, Flight, names};

/// Who looks at a flight.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Audience {
    /// Everybody: personal data is left out.
    Everybody,
    /// Those who may see personal data.
    Entitled,
}

impl Audience {
    /// The value of a field; nothing where it has none, or none for these.
    pub(super) fn field<'a>(self, field: &Field, state: &'a FieldState) -> Option<Cow<'a, Value>> {
        match self {
            Self::Entitled => current(state),
            Self::Everybody if field.personal => None,
            Self::Everybody => {
                let value = current(state)?;
                match (field.kind, value.as_ref()) {
                    (FieldKind::Structure, Value::Object(_))
                    | (FieldKind::Ordered | FieldKind::Keyed, Value::Array(_)) => {
                        Some(public(value, field.members))
                    }
                    (FieldKind::Scalar, scalar) if fits(field.value, scalar) => Some(value),
                    // The dictionary has given the field another form since: it may even have been personal.
                    (FieldKind::Structure | FieldKind::Ordered | FieldKind::Keyed | FieldKind::Scalar, _) => {
                        None
                    }
                }
            }
        }
    }

    /// The value of a part nobody knows; it may be personal by the group it stands in.
    pub(super) fn part<'a>(
        self,
        name: &str,
        state: &'a FieldState,
        dictionary: &Dictionary,
    ) -> Option<Cow<'a, Value>> {
        match self {
            Self::Entitled => current(state),
            Self::Everybody => current(state).filter(|value| !is_personal(name, value, dictionary)),
        }
    }
}

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

/// Is a part nobody knows personal, by where it stands or by what is in it?
pub(super) fn is_personal(part: &str, value: &Value, dictionary: &Dictionary) -> bool {
    match value {
        Value::Array(values) => values.iter().any(|value| is_personal(part, value, dictionary)),
        Value::String(text) => is_personal_part(part, text, dictionary),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {
            is_personal_part(part, "", dictionary)
        }
    }
}

/// The value without what may not be told; a copy only where there is such.
fn public<'a>(value: Cow<'a, Value>, members: &[Member]) -> Cow<'a, Value> {
    if is_public(&value, members) {
        return value;
    }
    let mut value = value.into_owned();
    strip(&mut value, members);
    Cow::Owned(value)
}

fn is_public(value: &Value, members: &[Member]) -> bool {
    match value {
        Value::Array(values) => values.iter().all(|value| is_public(value, members)),
        Value::Object(found) => found.iter().all(|(name, value)| {
            member(name, members)
                .is_some_and(|member| fits(member.value, value) && is_public(value, member.members))
        }),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

/// Takes out personal members, and those of which the dictionary no longer knows whether they are.
pub(super) fn strip(value: &mut Value, members: &[Member]) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|value| strip(value, members)),
        Value::Object(found) => {
            found.retain(|name, value| {
                let known = member(name, members).filter(|member| fits(member.value, value));
                known.iter().for_each(|member| strip(value, member.members));
                known.is_some()
            });
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// A member that may be told.
fn member<'m>(name: &str, members: &'m [Member]) -> Option<&'m Member> {
    members.iter().find(|member| member.name == name && !member.personal)
}

/// Has a value the form its kind has in JSON?
fn fits(kind: ValueKind, value: &Value) -> bool {
    match kind {
        ValueKind::Text | ValueKind::Decimal | ValueKind::Time | ValueKind::Date | ValueKind::Clock => {
            value.is_string()
        }
        ValueKind::Integer | ValueKind::Minutes => value.is_i64(),
        ValueKind::List => value.is_array(),
    }
}

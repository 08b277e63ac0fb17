//! Who may see what of a flight: personal data, and what may have been, is for few.

use std::borrow::Cow;

use serde_json::Value;
use sis::personal::is_personal_part;
use sis::{Dictionary, Field, FieldKind, Member, ValueKind};

use super::FieldState;
use super::view::current;

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

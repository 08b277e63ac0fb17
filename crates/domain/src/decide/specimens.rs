//! What a subtype can bring, made from the dictionary: values that set its fields, and what clears them.

use sis::{Dictionary, Entry, Field, FieldKind, Member, Subtype, Value, ValueKind, Write};

use super::testing::text;

/// Each FLOP subtype that has fields, with these.
pub(crate) fn described() -> impl Iterator<Item = (&'static Subtype, Vec<&'static Field>)> {
    let subtypes = Dictionary::baseline().subtypes().iter().filter(|one| !one.fields.is_empty());
    subtypes.map(|subtype| {
        let fields = subtype.fields.iter().map(|name| Dictionary::baseline().field(name).expect(name));
        (subtype, fields.collect())
    })
}

fn typical(kind: ValueKind, one_of: &[&str], members: &'static [Member]) -> Value {
    let noon = jiff::civil::date(2026, 4, 7).at(12, 15, 0, 0);
    match kind {
        ValueKind::Text => text(one_of.first().unwrap_or(&"甲A1")),
        ValueKind::Integer => Value::Integer(70),
        ValueKind::Decimal => Value::Decimal("12.50".into()),
        ValueKind::Time => Value::Time(noon),
        ValueKind::Date => Value::Date(noon.date()),
        ValueKind::Clock => Value::Clock(noon.time()),
        ValueKind::Minutes => Value::Minutes(70),
        ValueKind::List => Value::List(vec![object(members)]),
    }
}

fn object(members: &'static [Member]) -> Value {
    let value = |one: &'static Member| (one.name, typical(one.value, one.one_of, one.members));
    Value::Object(members.iter().map(value).collect())
}

/// Sets a field to everything it can have.
pub(crate) fn set(field: &'static Field) -> Write {
    match field.kind {
        FieldKind::Scalar => Write::Set(typical(field.value, &[], &[])),
        FieldKind::Structure => Write::Set(object(field.members)),
        FieldKind::Ordered => Write::Set(Value::List(vec![object(field.members)])),
        FieldKind::Keyed => {
            Write::Merge { clear: false, entries: vec![entry(field, Some(object(field.members)))] }
        }
    }
}

/// The entry of the key that [`set`] gives.
pub(crate) fn entry(field: &'static Field, value: Option<Value>) -> Entry {
    let key = field.members.iter().find(|member| Some(member.name) == field.key).expect("a key");
    let Value::Text(key) = typical(key.value, key.one_of, &[]) else { panic!("{} is no text", key.name) };
    Entry { key, value }
}

/// Clears a field.
pub(crate) fn clear(field: &Field) -> Write {
    match field.kind {
        FieldKind::Scalar | FieldKind::Structure | FieldKind::Ordered => Write::Clear,
        FieldKind::Keyed => Write::Merge { clear: true, entries: Vec::new() },
    }
}

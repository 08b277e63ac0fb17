//! What the JSON of a flight's fields looks like, as JSON Schema (draft 2020-12).
//!
//! Made from the dictionary, so a site's own fields are described like all others. The forms
//! are those of [`crate::json::value`]: whoever changes one changes the other.

use serde_json::{Map, Value as Json, json};

use crate::{Dictionary, Field, FieldKind, Member, ValueKind};

/// The `properties` of a flight without personal data, by JSON name, in dictionary order. What no
/// message writes, since it only tells which flight is meant (FFID), is none of them.
pub fn properties(dictionary: &Dictionary) -> Map<String, Json> {
    let public = |field: &'static Field| Some((field.name.to_owned(), field_schema(field)?));
    written(dictionary).filter_map(public).collect()
}

/// [`properties`] with personal data, for those who may see it.
pub fn properties_with_personal(dictionary: &Dictionary) -> Map<String, Json> {
    let all = |field: &'static Field| (field.name.to_owned(), field_schema_with_personal(field));
    written(dictionary).map(all).collect()
}

fn written(dictionary: &Dictionary) -> impl Iterator<Item = &'static Field> {
    let by_a_change =
        |field: &Field| dictionary.subtypes().iter().any(|one| one.fields.contains(&field.name));
    dictionary.fields().iter().filter(move |field| field.in_schedule || by_a_change(field))
}

/// The schema of one field as it is published; `None` where the field is personal as a whole.
pub fn field_schema(field: &Field) -> Option<Json> {
    (!field.personal).then(|| describe(field, is_public))
}

/// [`field_schema`] with personal members.
pub fn field_schema_with_personal(field: &Field) -> Json {
    describe(field, |_| true)
}

type Shown = fn(&Member) -> bool;

fn is_public(member: &Member) -> bool {
    !member.personal
}

fn describe(field: &Field, shown: Shown) -> Json {
    let form = match field.kind {
        FieldKind::Scalar => value(field.value, field.exact),
        FieldKind::Structure => object(field, shown),
        FieldKind::Ordered | FieldKind::Keyed => array(object(field, shown)),
    };
    let elements: Vec<&str> = field.elements().collect();
    titled(field.en, field.zh, &elements.join(", "), form)
}

/// An entry of a keyed collection always has its key, unless the key is not shown.
fn object(field: &Field, shown: Shown) -> Map<String, Json> {
    let path = if field.spread { "" } else { field.element };
    let mut form = members(field.members, path, shown);
    let key = field.members.iter().find(|member| Some(member.name) == field.key);
    if let Some(key) = key.filter(|key| shown(key)) {
        form.insert("required".to_owned(), json!([key.name]));
    }
    form
}

fn members(members: &[Member], path: &str, shown: Shown) -> Map<String, Json> {
    let described: Map<String, Json> = members
        .iter()
        .filter(|one| shown(one))
        .map(|one| (one.name.to_owned(), member(one, path, shown)))
        .collect();
    let mut form = typed("object");
    form.insert("properties".to_owned(), Json::Object(described));
    form.insert("additionalProperties".to_owned(), Json::Bool(false));
    form
}

fn member(member: &Member, path: &str, shown: Shown) -> Json {
    let source = source(path, member.source);
    let form = match member.value {
        ValueKind::List => array(members(member.members, &source, shown)),
        ValueKind::Text if !member.one_of.is_empty() => {
            let mut form = typed("string");
            form.insert("enum".to_owned(), json!(member.one_of));
            form
        }
        ValueKind::Text
        | ValueKind::Integer
        | ValueKind::Decimal
        | ValueKind::Time
        | ValueKind::Date
        | ValueKind::Clock
        | ValueKind::Minutes => value(member.value, member.exact),
    };
    titled(member.en, member.zh, &source, form)
}

/// Where the format carries it: `DELY@CODE`, `GTDT/GATE`, `DELY` for the element's own text.
fn source(path: &str, source: &str) -> String {
    match source {
        "." => path.to_owned(),
        attribute if attribute.starts_with('@') => format!("{path}{attribute}"),
        element if path.is_empty() => element.to_owned(),
        element => format!("{path}/{element}"),
    }
}

fn value(kind: ValueKind, exact: bool) -> Map<String, Json> {
    let form = match kind {
        ValueKind::Text | ValueKind::List => json!({ "type": "string" }),
        ValueKind::Integer if exact => json!({ "type": "integer" }),
        // What is no whole number of 64 bits is kept as its text.
        ValueKind::Integer => json!({ "type": ["integer", "string"], "pattern": DECIMAL }),
        ValueKind::Decimal => json!({ "type": "string", "pattern": DECIMAL }),
        ValueKind::Time => json!({ "type": "string", "format": "date-time" }),
        ValueKind::Date => json!({ "type": "string", "format": "date" }),
        ValueKind::Clock => json!({ "type": "string", "pattern": "^([01][0-9]|2[0-3]):[0-5][0-9]$" }),
        ValueKind::Minutes => json!({ "type": "integer", "minimum": 0 }),
    };
    if let Json::Object(form) = form { form } else { Map::new() }
}

const DECIMAL: &str = "^[-+]?[0-9]+(\\.[0-9]+)?$";

fn typed(kind: &str) -> Map<String, Json> {
    Map::from_iter([("type".to_owned(), Json::from(kind))])
}

/// A collection that is cleared has no value at all, so a list has always an entry.
fn array(item: Map<String, Json>) -> Map<String, Json> {
    let mut form = typed("array");
    form.insert("items".to_owned(), Json::Object(item));
    form.insert("minItems".to_owned(), Json::from(1));
    form
}

fn titled(en: &str, zh: &str, source: &str, form: Map<String, Json>) -> Json {
    let title = json!({ "title": format!("{en} / {zh}"), "description": format!("SIS {source}") });
    let mut described = if let Json::Object(title) = title { title } else { Map::new() };
    described.extend(form);
    Json::Object(described)
}

#[cfg(test)]
mod tests;

//! JSON Schemas (draft 2020-12) of what consumers read, made from the dictionary.
//!
//! A site's own fields are described like all others. The forms are those of [`super::payload`]:
//! whoever changes one changes the other, and a test holds real events against them.

mod parts;

use serde_json::{Map, Value, json};
use sis::{Dictionary, json_schema};

use parts::{code_shares, extra, flid, incarnation, label, lives, operation_day, unknown, version};

const DRAFT: &str = "https://json-schema.org/draft/2020-12/schema";

/// A value on `KAFKA:schd`: the whole flight, code-shares included. A tombstone has no value, so
/// there is nothing to describe.
pub fn flight_schema(dictionary: &Dictionary) -> Value {
    let mut properties = object(json!({
        "flid": flid(),
        "stateVersion": version(),
        "incarnation": incarnation(),
        "operationDay": operation_day(),
    }));
    let required: Vec<String> =
        properties.keys().cloned().chain(["codeShares".into(), "extra".into()]).collect();
    properties.extend(json_schema::properties(dictionary));
    properties.insert("codeShares".into(), code_shares());
    properties.insert("extra".into(), extra());
    json!({
        "$schema": DRAFT,
        "$id": "urn:msgexchange:schema:flight-state",
        "title": "A flight / 航班",
        "description": "Its latest state. A field without a value is left out.",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
    })
}

/// A value on `KAFKA:msg`: what one message changed of one flight.
pub fn change_schema(dictionary: &Dictionary) -> Value {
    let properties = object(json!({
        "flid": flid(),
        "stateVersion": version(),
        "incarnation": incarnation(),
        "life": { "title": "Life afterwards / 状态", "enum": lives() },
        "operationDay": operation_day(),
        "msgId": { "title": "The message's number in the mailbox / 电文编号", "type": "integer", "minimum": 1 },
        "sender": label("SNDR"),
        "type": label("TYPE"),
        "styp": label("STYP"),
        "seqn": label("SEQN"),
        "dttm": label("DTTM"),
        "changes": {
            "title": "What changed / 变更",
            "description": "Empty where the message changed nothing but personal data.",
            "type": "array",
            "items": { "anyOf": changes(dictionary) },
        },
    }));
    let required: Vec<&String> = properties.keys().collect();
    json!({
        "$schema": DRAFT,
        "$id": "urn:msgexchange:schema:flight-changed",
        "title": "A change of a flight / 航班变更",
        "description": "What one message changed of one flight.",
        "type": "object",
        "properties": properties,
        "required": required,
        "additionalProperties": false,
        "$defs": json_schema::properties(dictionary),
    })
}

/// One form per field, so that each value is held against its own field's schema.
fn changes(dictionary: &Dictionary) -> Vec<Value> {
    let own = [
        change(json!({ "const": "life" }), &json!({ "enum": lives() })),
        change(json!({ "const": "operationDay" }), &json!({ "type": "string", "format": "date" })),
    ];
    let fields = json_schema::properties(dictionary).into_iter().map(|(name, _)| {
        let form = json!({ "$ref": format!("#/$defs/{name}") });
        change(json!({ "const": name }), &form)
    });
    let rest = [
        change(json!({ "const": "codeShares" }), &code_shares()),
        change(json!({ "type": "string", "pattern": "^extra\\..+" }), &unknown()),
    ];
    own.into_iter().chain(fields).chain(rest).collect()
}

fn change(field: Value, form: &Value) -> Value {
    let form = json!({ "anyOf": [{ "type": "null" }, form] });
    json!({
        "type": "object",
        "properties": { "field": field, "from": form, "to": form },
        "required": ["field", "from", "to"],
        "additionalProperties": false,
    })
}

fn object(value: Value) -> Map<String, Value> {
    if let Value::Object(map) = value { map } else { Map::new() }
}

#[cfg(test)]
mod tests;

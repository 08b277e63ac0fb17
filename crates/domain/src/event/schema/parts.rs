//! What both schemas say of a flight besides its fields.

use serde_json::{Value, json};

use crate::flight::Life;

pub(super) fn flid() -> Value {
    json!({ "title": "FLID / 航班标识", "type": "integer" })
}

pub(super) fn version() -> Value {
    json!({
        "title": "Version of its state / 状态版本",
        "description": "Rises with every change and never falls.",
        "type": "integer",
        "minimum": 1,
    })
}

pub(super) fn incarnation() -> Value {
    json!({
        "title": "Number of its life / 生命序号",
        "description": "1, and one more for each time a schedule brought it back.",
        "type": "integer",
        "minimum": 1,
    })
}

pub(super) fn operation_day() -> Value {
    json!({
        "title": "Operation day / 运营日",
        "description": "Local day of SODT, set once per life.",
        "type": ["string", "null"],
        "format": "date",
    })
}

pub(super) fn label(element: &str) -> Value {
    json!({ "description": format!("META/{element} of the message"), "type": ["string", "null"] })
}

pub(super) fn lives() -> [&'static str; 3] {
    [Life::Partial, Life::Active, Life::Deleted].map(Life::as_str)
}

pub(super) fn code_shares() -> Value {
    json!({
        "title": "Code-share flights / 共享航班",
        "description": "Active ones, FLID ascending (MAFL).",
        "type": "array",
        "items": {
            "type": "object",
            "properties": { "flid": flid(), "flightNumber": { "type": ["string", "null"] } },
            "required": ["flid", "flightNumber"],
            "additionalProperties": false,
        },
    })
}

pub(super) fn extra() -> Value {
    json!({
        "title": "Elements nobody knows / 未知元素",
        "description": "By name, as their text; a repeated one is a list.",
        "type": "object",
        "additionalProperties": unknown(),
    })
}

pub(super) fn unknown() -> Value {
    json!({ "anyOf": [{ "type": "string" }, { "type": "array", "items": { "type": "string" }, "minItems": 2 }] })
}

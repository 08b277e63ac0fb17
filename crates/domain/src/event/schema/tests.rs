//! The published schemas are those of the compiled-in dictionary, and schemas they are.

use super::*;

#[test]
fn the_published_schemas_are_those_of_the_compiled_in_dictionary() {
    let dictionary = Dictionary::baseline();
    for (name, schema, published) in [
        ("msg", change_schema(dictionary), include_str!("../../../../../docs/schemas/msgx.msg.schema.json")),
        (
            "schd",
            flight_schema(dictionary),
            include_str!("../../../../../docs/schemas/msgx.schd.schema.json"),
        ),
    ] {
        let printed = serde_json::to_string_pretty(&schema).expect("text keys") + "\n";
        assert!(printed == published, "docs/schemas/msgx.{name}.schema.json is stale: run `cargo xtask gen`");
        jsonschema::draft202012::meta::validate(&schema).expect("a schema");
    }
}

#[test]
fn personal_fields_are_in_no_schema_and_a_sites_own_field_is() {
    let site = "[[group]]\nname = \"escorts\"\nelement = \"ESCX\"\nkind = \"ordered\"\nzh = \"护送\"\nen = \"Escorts\"\n\
        members = [{ source = \"ESCN\", name = \"count\", value = \"integer\", zh = \"数\", en = \"Count\" }]\n";
    let dictionary = Dictionary::overlaid(site).expect("an overlay").leak();
    for schema in [change_schema(dictionary), flight_schema(dictionary)] {
        let text = schema.to_string();
        assert!(text.contains("\"escorts\"") && text.contains("Escorts / 护送"));
        assert!(!text.contains("\"vips\""));
    }
}

#[test]
fn what_is_none_of_our_events_is_refused() {
    let dictionary = Dictionary::baseline();
    let flight = jsonschema::validator_for(&flight_schema(dictionary)).expect("a schema");
    let good = json!({ "flid": 1, "stateVersion": 1, "incarnation": 1, "operationDay": "2026-04-07",
        "gates": [{ "sequence": 1, "gate": "A1" }], "codeShares": [], "extra": {} });
    assert!(flight.is_valid(&good));
    for (name, value) in [
        ("gates", json!([])),
        ("gates", json!([{ "gate": 1 }])),
        ("nobodyKnows", json!(1)),
        ("vips", json!([])),
        ("flid", json!("1")),
        ("extra", json!({ "NEWX": 1 })),
    ] {
        let mut bad = good.clone();
        bad[name] = value;
        assert!(!flight.is_valid(&bad), "{bad}");
    }
    let change = jsonschema::validator_for(&change_schema(dictionary)).expect("a schema");
    let told = |changes: Value| {
        json!({ "flid": 1, "stateVersion": 1, "incarnation": 1, "life": "ACTIVE", "operationDay": null,
            "msgId": 7, "sender": "AODB", "type": "FLOP", "styp": "STND", "seqn": "1", "dttm": null, "changes": changes })
    };
    assert!(change.is_valid(&told(json!([{ "field": "stand", "from": null, "to": "231" }]))));
    for changes in [
        json!([{ "field": "stand", "from": null, "to": 231 }]),
        json!([{ "field": "stand", "to": "231" }]),
        json!([{ "field": "nobodyKnows", "from": null, "to": "231" }]),
        json!([{ "field": "vips", "from": null, "to": null }]),
    ] {
        assert!(!change.is_valid(&told(changes.clone())), "{changes}");
    }
}

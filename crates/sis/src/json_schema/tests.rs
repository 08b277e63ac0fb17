//! Schemas say what `json::value` gives, in both languages, and nothing personal unless asked.

use super::*;

fn field(name: &str) -> &'static Field {
    Dictionary::baseline().field(name).expect(name)
}

#[test]
fn every_field_has_a_title_in_both_languages_and_a_source() {
    for (name, schema) in properties_with_personal(Dictionary::baseline()) {
        let field = field(&name);
        assert_eq!(schema["title"], format!("{} / {}", field.en, field.zh), "{name}");
        assert!(
            schema["description"].as_str().is_some_and(|source| source.contains(field.element)),
            "{name}"
        );
        assert!(schema["type"].is_string() || schema["type"].is_array(), "{name}");
    }
}

#[test]
fn every_kind_of_field_has_its_form() {
    let described = |name: &str| field_schema(field(name)).expect(name);
    assert_eq!(
        described("scheduledTime"),
        json!({ "title": "Scheduled time / 计划时间", "description": "SIS SODT",
                "type": "string", "format": "date-time" })
    );
    assert_eq!(described("seasonStart")["format"], "date");
    assert_eq!(described("seatCapacity")["type"], json!(["integer", "string"]));
    let link = described("codeShare");
    assert_eq!(link["properties"]["mainFlid"]["type"], "integer");
    assert_eq!(link["properties"]["mainFlid"]["description"], "SIS MAID");
    let gates = described("gates");
    assert_eq!(gates["items"]["properties"]["gate"]["description"], "SIS GTDT/GATE");
    assert!(gates["items"].get("required").is_none(), "a gate's members are all optional");
    let delays = described("delays");
    assert_eq!(delays["items"]["required"], json!(["code"]));
    assert_eq!(delays["items"]["properties"]["code"]["description"], "SIS DELY@CODE");
    assert_eq!(delays["items"]["properties"]["comment"]["description"], "SIS DELY");
    assert_eq!(described("doors")["items"]["properties"]["operation"]["enum"], json!(["O", "C"]));
}

#[test]
fn personal_data_is_described_only_where_it_is_asked_for() {
    assert!(field_schema(field("vips")).is_none());
    assert!(!properties(Dictionary::baseline()).contains_key("vips"));
    let vips = field_schema_with_personal(field("vips"));
    let services = &vips["items"]["properties"]["services"]["items"]["properties"];
    assert_eq!(services["service"]["description"], "SIS VIPF/VIPT/VSCD");

    let site = r#"
        [[group]]
        name = "crew"
        element = "XCRW"
        kind = "keyed"
        key = "name"
        zh = "机组"
        en = "Crew"
        members = [
          { source = "@NAME", name = "name", value = "text", personal = true, zh = "姓名", en = "Name" },
          { source = "@RANK", name = "rank", value = "text", zh = "职务", en = "Rank" },
        ]
    "#;
    let dictionary = Dictionary::overlaid(site).expect("a good overlay");
    let item = |schema: &Map<String, Json>| schema["crew"]["items"].clone();
    let public = item(&properties(&dictionary));
    assert!(public["properties"].get("name").is_none() && public.get("required").is_none());
    assert_eq!(item(&properties_with_personal(&dictionary))["required"], json!(["name"]));
}

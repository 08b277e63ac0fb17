//! A site's own subtype, element and group: read, written and described without code.

use serde_json::json;
use sis::{Carrier, Dictionary, Limits, Message};

use crate::support::{FLIGHT, flop, without_positions, xml};

/// What a site would write into its `sis.dictionary`.
const SITE: &str = r#"
    ignored = ["LDM-*"]
    rename = [{ name = "terminal", to = "hall", zh = "航厅", en = "Hall" }]
    scalars = [
      { element = "XBOX", name = "box", value = "time", zh = "上客完成", en = "Boarding completed" },
    ]
    subtypes = [
      { name = "X-PAD", fields = ["box", "pads"], body = "PADS", zh = "滑垫", en = "Pads" },
    ]

    [[group]]
    name = "pads"
    element = "XPAD"
    kind = "keyed"
    key = "code"
    zh = "滑垫"
    en = "Pads"
    members = [
      { source = "@CODE", name = "code", value = "text", zh = "代码", en = "Code" },
      { source = "SIZE", name = "size", value = "integer", zh = "大小", en = "Size" },
      { source = "OWNER", name = "owner", value = "text", personal = true, zh = "所有者", en = "Owner" },
    ]
"#;

fn dictionary() -> &'static Dictionary {
    Dictionary::overlaid(SITE).expect("a good overlay").leak()
}

fn decode(text: &str, dictionary: &'static Dictionary) -> Message {
    sis::decode(text.as_bytes(), Carrier::Text, &Limits::default(), dictionary).expect(text)
}

fn fields(message: &Message) -> serde_json::Value {
    let zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(8));
    sis::json::message(message, &zone)["body"]["records"][0]["fields"].clone()
}

#[test]
fn an_invented_subtype_is_decoded_shown_and_encoded() {
    let elements = "<XBOX>07APR260915</XBOX><XPAD CODE='P1'><SIZE>3</SIZE></XPAD>";
    let dictionary = dictionary();
    let record = format!("<FLID>7</FLID>{elements}");
    for text in [flop("X-PAD", elements), xml("FLOP", "x-pad", &format!("<PADS>{record}</PADS>"))] {
        let message = decode(&text, dictionary);
        assert_eq!(
            fields(&message),
            json!({
                "box": "2026-04-07T09:15:00+08:00",
                "pads": { "clear": false, "entries": { "P1": { "code": "P1", "size": 3 } } },
            })
        );
        let again = decode(&sis::encode(&message), dictionary);
        assert_eq!(without_positions(again), without_positions(message));
    }
}

#[test]
fn an_invented_element_and_a_new_name_count_in_schedules_too() {
    let body = format!("<SCHD><FLTR>{FLIGHT}<TRML>T2</TRML><XBOX/><XPAD CODE='P1'/></FLTR></SCHD>");
    let shown = fields(&decode(&xml("SCHD", "DNLD", &body), dictionary()));
    assert_eq!(shown["hall"], "T2");
    assert_eq!(shown["box"], json!(null));
    assert_eq!(shown["pads"], json!({ "clear": true, "entries": { "P1": { "code": "P1" } } }));
}

#[test]
fn an_invented_group_is_described_and_its_personal_members_are_not_quoted() {
    let described = sis::json_schema::properties(dictionary());
    assert_eq!(described["box"]["format"], "date-time");
    assert_eq!(described["hall"]["title"], "Hall / 航厅");
    let pad = &described["pads"]["items"]["properties"];
    assert!(pad.get("size").is_some() && pad.get("owner").is_none());
    let text = flop("X-PAD", "<XPAD CODE='P1'><OWNER><A>secret</A></OWNER></XPAD>");
    let problem = sis::decode(text.as_bytes(), Carrier::Text, &Limits::default(), dictionary());
    assert!(!problem.expect_err("elements in a value").to_string().contains("secret"));
}

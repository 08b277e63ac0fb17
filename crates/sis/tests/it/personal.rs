//! Personal data: marked in the dictionary, masked for those who may not see it, never quoted.

use jiff::tz::{TimeZone, offset};
use serde_json::json;
use sis::{Carrier, Dictionary, Limits};

use crate::support::{decode, flop, good, schedule, xml};

const PARTY: &str = "<VIPF NEW='secret1'><VPCD>secret2</VPCD><VFES>771</VFES><VIPT><VSCD>secret3</VSCD></VIPT>\
    <NEW>secret4</NEW></VIPF>";

fn masked(text: &str) -> serde_json::Value {
    sis::personal::masked_message(&good(text), &TimeZone::fixed(offset(8)), Dictionary::baseline())
}

#[test]
fn what_is_personal_is_marked() {
    let lists = Dictionary::baseline().references().iter().filter(|list| list.personal);
    assert_eq!(lists.map(|list| list.name).collect::<Vec<_>>(), ["VIPL"]);
    let fields = Dictionary::baseline().fields().iter().filter(|field| field.personal);
    assert_eq!(fields.map(|field| field.name).collect::<Vec<_>>(), ["vips"]);
}

#[test]
fn masked_messages_show_that_something_is_there_and_not_what() {
    for text in [flop("VIPF", PARTY), schedule(PARTY)] {
        let shown = masked(&text);
        assert_eq!(shown["body"]["records"][0]["fields"]["vips"], "***");
        assert!(!shown.to_string().contains("secret") && !shown.to_string().contains("771"), "{shown}");
    }
    let list = "<VIPL><VPCD>secret1</VPCD><VPNC>secret2</VPNC><VCMN>secret3</VCMN><NEW>secret4</NEW></VIPL>";
    let shown = masked(&xml("VIPL", "UPD", list));
    assert_eq!(shown["body"]["records"][0]["VCMN"], "***");
    assert!(!shown.to_string().contains("secret"), "{shown}");
}

#[test]
fn masked_xml_keeps_everything_but_what_is_personal() {
    let site = r#"
        [[group]]
        name = "crew"
        element = "XCRW"
        kind = "ordered"
        zh = "机组"
        en = "Crew"
        members = [
          { source = "@NAME", name = "name", value = "text", personal = true, zh = "姓名", en = "Name" },
        ]
    "#;
    let dictionary = Dictionary::overlaid(site).expect("a good overlay");
    for (text, expected) in [
        (flop("VIPF", PARTY), flop("VIPF", "<VIPF>***</VIPF>")),
        (flop("ESTT", "<XCRW NAME='secret'/>早<STND/>"), flop("ESTT", "<XCRW>***</XCRW>早<STND/>")),
        (xml("NEW", "X", "<VIPL><VPCD>secret</VPCD></VIPL>"), xml("NEW", "X", "<VIPL>***</VIPL>")),
        (flop("STND", "<STND a='1'>1</STND>"), flop("STND", "<STND a='1'>1</STND>")),
    ] {
        let envelope = sis::read(text.as_bytes(), Carrier::Text, &Limits::default()).expect("a good message");
        assert_eq!(sis::personal::masked_xml(&envelope, &dictionary), expected);
    }
}

#[test]
fn what_is_not_personal_is_shown_and_a_clearing_too() {
    let shown = masked(&flop("VIPP", "<VIPP>2</VIPP><VIPR/><NEW>x</NEW>"));
    assert_eq!(shown["body"]["records"][0]["fields"], json!({ "vipCount": 2, "vipRank": null }));
    assert_eq!(shown["body"]["records"][0]["extra"][0]["content"], "<NEW>x</NEW>");
    let shown = masked(&xml("VIPS", "UPD", "<VIPS><VSCD>CAR</VSCD></VIPS>"));
    assert_eq!(shown["body"]["records"][0]["VSCD"], "CAR");
}

#[test]
fn no_problem_of_a_personal_element_quotes_it() {
    for elements in [
        "<VIPF><VPCD>secret</VPCD><VFES>secret</VFES></VIPF>",
        "<VIPF><VPCD><A>secret</A></VPCD></VIPF>",
        "<VIPF><VPCD>secret</VPCD><VPCD>secret</VPCD></VIPF>",
        "<VIPF><VFES>1</VFES>secret</VIPF>",
        "<VIPF><VPCD>secret</VPCD><VIPT><VTST>secret</VTST></VIPT></VIPF>",
        "<VIPF><VPCD>secret</VPCD><VIPT><VTQY>secret</VTQY></VIPT></VIPF>",
        "<VIPF><VPCD>secret</VPCD>&secret</VIPF>",
    ] {
        for text in [flop("VIPF", elements), schedule(elements)] {
            let problem = decode(&text).expect_err(elements);
            assert!(!problem.to_string().contains("secret"), "{problem}");
        }
    }
}

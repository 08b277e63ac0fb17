//! The content hash: the same for the same content, another for any other.

use sis::{Carrier, Limits};

use crate::support::flop;

fn hash(text: &str) -> [u8; 32] {
    sis::read(text.as_bytes(), Carrier::Text, &Limits::default()).expect(text).content_hash()
}

#[test]
fn layout_encoding_and_meta_do_not_count() {
    let text = flop("DELY", "<DELY CODE='A' DURA='0010'>晚到&amp;x</DELY><STND></STND>");
    let expected = hash(&text);
    for other in [
        text.replace("><", ">\n  <"),
        text.replace("<MSG>", "<MSG xmlns:xsi='x' xsi:noNamespaceSchemaLocation='y'>"),
        text.replace("CODE='A' DURA='0010'", "DURA = \"0010\"  CODE=\" A \" "),
        text.replace("晚到&amp;x", "\n<![CDATA[晚到&x]]>"),
        text.replace("<STND></STND>", "<STND/>"),
        text.replace("<SEQN>1</SEQN>", "<SEQS>2</SEQS>"),
        format!("<?xml version='1.0'?><!-- c -->{text}"),
    ] {
        assert_eq!(hash(&other), expected, "{other}");
    }
}

#[test]
fn content_order_and_dttm_count() {
    let text = flop("GTDT", "<GTDT GTNO='1'><GATE>A</GATE></GTDT><STND/>");
    let expected = hash(&text);
    for other in [
        text.replace("20260913091530", "20260913091531"),
        text.replace("<GATE>A</GATE>", "<GATE>B</GATE>"),
        text.replace("GTNO='1'", "GTNO='2'"),
        text.replace("GTNO='1'", ""),
        text.replace("<STND/>", "").replace("<GTDT", "<STND/><GTDT"),
        text.replace("<STND/>", ""),
        text.replace("</GTDT><STND/>", "<STND/></GTDT>"),
    ] {
        assert_ne!(hash(&other), expected, "{other}");
    }
}

/// Stored with every message: another value for the same content would make repeats look new.
#[test]
fn the_hash_of_a_message_is_the_same_in_every_version() {
    let text = flop("DELY", "<DELY CODE='A' DURA='0010'>晚到&amp;x</DELY><STND></STND>");
    let hexadecimal: String = hash(&text).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!(hexadecimal, "ad8d6e712e0c4968d276e8997e4552223ece06c6613fcc844ecb7138e5574130");
}

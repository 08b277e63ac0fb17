//! Input made to hurt: refused with a class, without a panic, in bounded time and memory.

use proptest::prelude::*;
use sis::{Carrier, Limits, ProblemKind};

use crate::support::{decode_bytes, fixtures, flop};

#[test]
fn bombs_are_refused_with_class_and_position() {
    let laughs = "<!DOCTYPE M [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'>]><MSG>&b;</MSG>".to_owned();
    for (text, offset, words) in [
        (laughs, 0, "DTD"),
        ("<A>".repeat(100_000), 3 * 32, "nested"),
        (format!("{}{}", "<A>".repeat(100_000), "</A>".repeat(100_000)), 3 * 32, "nested"),
        (numbered("<MSG", " a", "=''", "/>"), 4_930_091, "elements and attributes"),
        (numbered("<MSG>", "<a", "/>", "</MSG>"), 4_430_092, "elements and attributes"),
        (format!("<MSG>{}</MSG>", "a".repeat(2 * MEBIBYTE)), 5, "a text of more"),
        (format!("<MSG a='{}'/>", "a".repeat(2 * MEBIBYTE)), 5, "a text of more"),
        (format!("<MSG>{}</MSG>", "&lt;".repeat(2 * MEBIBYTE)), 5 + 4 * MEBIBYTE, "a text of more"),
        (format!("<MSG>{}</MSG>", "<A/>".repeat(600_000)), 5 + 4 * 499_999, "elements and attributes"),
        ("<".repeat(9 * MEBIBYTE), 0, "does not end"),
        (format!("<MSG><!--{}", "- ".repeat(4 * MEBIBYTE)), 5, "does not end"),
        ("x".repeat(50 * MEBIBYTE), 0, "bytes, more than"),
        (format!("{{\"a\":{}", "[".repeat(9 * MEBIBYTE)), 9 * MEBIBYTE + 4, "ends early"),
        (format!("{{\"message\":{}", "[".repeat(MEBIBYTE)), 10, "named `message`"),
    ] {
        let problem = decode_bytes(text.as_bytes(), Carrier::Bytes).expect_err(words);
        assert_eq!(problem.kind, ProblemKind::Malformed, "{problem}");
        assert_eq!(problem.position.offset, offset, "{problem}");
        assert!(problem.text.contains(words), "{problem}");
    }
}

const MEBIBYTE: usize = 1024 * 1024;

fn numbered(start: &str, before: &str, after: &str, end: &str) -> String {
    let parts = (0..1_000_000).map(|number| format!("{before}{number:x}{after}"));
    format!("{start}{}{end}", parts.collect::<String>())
}

#[test]
fn long_names_do_not_make_long_problems() {
    let long = "N".repeat(1024 * 1024);
    for text in [
        format!("<{long}/>"),
        format!("<MSG><A></{long}></MSG>"),
        format!("<MSG {long}='1'/>"),
        format!("<MSG {long}/>"),
        format!("<MSG>&{long};</MSG>"),
        format!("<MSG a='&{long};'/>"),
    ] {
        let problem = decode_bytes(text.as_bytes(), Carrier::Text).expect_err("a long name");
        assert!(problem.to_string().len() < 1000, "{} bytes", problem.to_string().len());
    }
}

/// Each is linear work for a careful reader and quadratic for a careless one.
#[test]
fn much_of_the_same_is_no_more_than_much() {
    let delays: String = (0..80_000).map(|number| format!("<DELY CODE='{number}'/>")).collect();
    assert!(decode_bytes(flop("DELY", &delays).as_bytes(), Carrier::Text).is_ok());
    let unknown: String = (0..80_000).map(|number| format!("<X{number}/>&lt;")).collect();
    assert!(decode_bytes(flop("STND", &format!("<STND/>{unknown}")).as_bytes(), Carrier::Text).is_ok());
    let attributes: String = (0..80_000).map(|number| format!(" a{number}='&lt;'")).collect();
    assert!(decode_bytes(flop("STND", &format!("<STND{attributes}/>")).as_bytes(), Carrier::Text).is_ok());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn reading_never_panics_on_any_bytes(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        let _ = decode_bytes(&bytes, Carrier::Text);
        let _ = decode_bytes(&bytes, Carrier::Bytes);
    }

    #[test]
    fn reading_never_panics_on_anything_like_xml(text in "[<>/!?=&;'\" \\[\\]\\-#xA1\u{4e2d}MSGDOCTYPEA]{0,80}") {
        let _ = decode_bytes(text.as_bytes(), Carrier::Text);
        let _ = decode_bytes(format!("<MSG>{text}</MSG>").as_bytes(), Carrier::Bytes);
    }

    #[test]
    fn a_damaged_sample_never_panics(
        number in any::<prop::sample::Index>(),
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        limit in 0usize..8,
    ) {
        let fixtures = fixtures();
        let mut bytes = number.get(&fixtures).1.clone().into_bytes();
        for (place, byte) in places {
            let at = place.index(bytes.len());
            bytes[at] = byte;
        }
        let _ = decode_bytes(&bytes, Carrier::Bytes);
        let limits = Limits { nodes_max: limit, text_max: limit, ..Limits::default() };
        prop_assert!(sis::read(&bytes, Carrier::Bytes, &limits).map_err(|problem| problem.to_string().len()).is_err());
    }
}

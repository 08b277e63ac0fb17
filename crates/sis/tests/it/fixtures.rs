//! Every sample message: what it says, that it comes back, and that no part of it passes for
//! the whole.

use jiff::tz::TimeZone;
use sis::{Carrier, Limits, ProblemKind};

use crate::support::{decode, fixtures, good, without_positions};

#[test]
fn every_sample_is_read_without_loss() {
    let zone = TimeZone::fixed(jiff::tz::offset(8));
    for (name, text) in fixtures() {
        insta::assert_json_snapshot!(name.clone(), sis::json::message(&good(&text), &zone));
    }
}

#[test]
fn every_sample_comes_back_from_its_encoding() {
    for (name, text) in fixtures() {
        let message = without_positions(good(&text));
        let again = sis::encode(&message);
        assert_eq!(without_positions(good(&again)), message, "{name}: {again}");
    }
}

#[test]
fn every_proper_prefix_is_refused() {
    for (name, text) in fixtures() {
        let whole = text.trim_end().len();
        for length in 0..whole {
            let problem = sis::read(&text.as_bytes()[..length], Carrier::Bytes, &Limits::default());
            let problem = problem.expect_err(&format!("{name}, {length} bytes"));
            let expected =
                if text.is_char_boundary(length) { ProblemKind::Malformed } else { ProblemKind::Codec };
            assert_eq!(problem.kind, expected, "{name}, {length} bytes: {problem}");
            assert!(problem.position.line >= 1 && problem.position.column >= 1, "{problem}");
        }
    }
}

#[test]
fn every_sample_with_something_after_it_is_refused() {
    for (name, text) in fixtures() {
        for tail in ["x", "<MSG/>", "&amp;", "<![CDATA[x]]>", "</MSG>", "\u{feff}", "<?xml version='1.0'?>"] {
            assert!(decode(&format!("{}{tail}", text.trim_end())).is_err(), "{name} and {tail}");
        }
        assert!(decode(&format!("{text}\n<!-- end -->\n")).is_ok(), "{name}");
    }
}

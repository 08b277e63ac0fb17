//! Every sample message: what it says, that it comes back, and that no part of it passes for
//! the whole.

use jiff::tz::TimeZone;
use sis::{Carrier, Limits, ProblemKind};

use crate::samples;
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
        refuse_prefixes(&name, &text, 0..text.trim_end().len());
    }
}

/// Ten messages as long as those of an airport. A prefix costs its length, so all of them
/// would cost its square; of the long ones every prefix of the first and last part is tried,
/// and of the middle one in each few.
#[test]
fn every_proper_prefix_of_ten_real_sized_messages_is_refused() {
    let long = [("schedule of 4", 4, 1), ("schedule of 60", 60, 211)];
    let long = long.map(|(name, flights, step)| (name, samples::schedule_of(flights), step));
    let short = samples::FLOPS.map(|(name, text)| (name, text.to_owned(), 1));
    for (name, text, step) in short.into_iter().chain(long) {
        let whole = text.trim_end().len();
        let edge = whole.min(400);
        refuse_prefixes(name, &text, 0..edge);
        refuse_prefixes(name, &text, (edge..whole - edge.min(whole)).step_by(step));
        refuse_prefixes(name, &text, whole - edge..whole);
        assert!(decode(&text).is_ok(), "{name} as a whole");
    }
}

fn refuse_prefixes(name: &str, text: &str, lengths: impl Iterator<Item = usize>) {
    for length in lengths {
        let problem = sis::read(&text.as_bytes()[..length], Carrier::Bytes, &Limits::default());
        let problem = problem.expect_err(&format!("{name}, {length} bytes"));
        let expected =
            if text.is_char_boundary(length) { ProblemKind::Malformed } else { ProblemKind::Codec };
        assert_eq!(problem.kind, expected, "{name}, {length} bytes: {problem}");
        assert!(problem.position.line >= 1 && problem.position.column >= 1, "{problem}");
        assert!(problem.position.offset <= length, "{problem}");
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

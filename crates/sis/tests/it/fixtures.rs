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

/// Ten messages as an airport has them, every prefix of each.
#[test]
fn every_proper_prefix_of_ten_real_sized_messages_is_refused() {
    let schedules = [4, 12].map(|flights| ("a schedule", samples::schedule_of(flights)));
    let messages = samples::FLOPS.map(|(name, text)| (name, text.to_owned())).into_iter().chain(schedules);
    for (name, text) in messages {
        refuse_prefixes(name, &text, 0..text.trim_end().len());
        assert!(decode(&text).is_ok(), "{name} as a whole");
    }
}

/// Every prefix of a long message would cost the square of its length: of this one every prefix of
/// the first and last part is tried, and of the middle one in each few.
#[test]
fn prefixes_of_a_daily_schedule_are_refused() {
    let text = samples::schedule_of(60);
    let whole = text.trim_end().len();
    let edge = 400;
    let tried = (0..edge).chain((edge..whole - edge).step_by(211)).chain(whole - edge..whole);
    refuse_prefixes("a schedule of 60", &text, tried);
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

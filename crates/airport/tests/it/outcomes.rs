//! Each letter reads as its `expect` says.

use std::collections::BTreeSet;

use airport::{Expect, Letter, Options, Trouble, traffic};
use sis::{Body, Carrier, Dictionary, Envelope, Limits, Problem, ProblemKind, Record};

fn letters() -> impl Iterator<Item = Letter> {
    let trouble =
        Trouble { ignored: 0.05, malformed: 0.1, unknown_type: 0.05, duplicate: 0.05, ..Trouble::none() };
    traffic(&Options { seed: 11, flights: 200, trouble, ..Options::default() }).take(30_000)
}

fn read(letter: &Letter) -> Option<Result<Envelope, Problem>> {
    letter.body.as_deref().map(|body| sis::read(body, Carrier::Text, &Limits::default()))
}

fn body(letter: &Letter) -> Body {
    let envelope = read(letter).unwrap().unwrap_or_else(|problem| panic!("{problem}\n{letter:?}"));
    envelope.body(Dictionary::baseline()).unwrap_or_else(|problem| panic!("{problem}\n{}", text(letter)))
}

fn text(letter: &Letter) -> &str {
    std::str::from_utf8(letter.body.as_deref().unwrap_or_default()).unwrap()
}

#[test]
fn letters_read_as_they_are_expected_to() {
    for letter in letters() {
        match letter.expect {
            Expect::Succeeded | Expect::Duplicate => {
                assert!(matches!(body(&letter), Body::Schedule(_) | Body::Flop(_) | Body::Delete(_)));
            }
            Expect::Reference => assert!(matches!(body(&letter), Body::Reference(_)), "{}", text(&letter)),
            Expect::Unsupported => assert!(matches!(body(&letter), Body::Unknown(_)), "{}", text(&letter)),
            Expect::Ignored => {
                let kind = read(&letter).unwrap().unwrap().meta().kind.to_ascii_uppercase();
                assert!(["LDM", "REGN", "RSTA", "EROR"].contains(&kind.as_str()), "{kind}");
            }
            Expect::Malformed => match read(&letter) {
                None => {}
                Some(Err(problem)) => assert_eq!(problem.kind, ProblemKind::Malformed, "{problem}"),
                Some(Ok(_)) => panic!("readable: {}", text(&letter)),
            },
        }
    }
}

#[test]
fn every_element_is_known_and_applied() {
    let good = letters().filter(|letter| letter.expect == Expect::Succeeded);
    for letter in good {
        let records = match body(&letter) {
            Body::Schedule(schedule) => schedule.records,
            Body::Flop(records) | Body::Delete(records) => records,
            other @ (Body::Reference(_) | Body::Request(_) | Body::Unknown(_)) => panic!("{other:?}"),
        };
        for Record { not_applied, extra, .. } in records {
            assert!(
                not_applied.is_empty() && extra.is_empty(),
                "{not_applied:?} {extra:?}\n{}",
                text(&letter)
            );
        }
    }
}

#[test]
fn identities_differ_where_letters_do() {
    let mut seen = BTreeSet::new();
    for letter in letters().filter(|letter| letter.expect == Expect::Succeeded) {
        let meta = read(&letter).unwrap().unwrap().meta().clone();
        assert!(seen.insert((meta.sender, meta.kind, meta.subtype, meta.seqn)), "{}", text(&letter));
    }
}

#[test]
fn padding_is_no_content() {
    for letter in letters().filter(|letter| letter.expect == Expect::Succeeded).take(500) {
        let padded = letter.clone().padded_to(2048);
        let hash = |letter| read(letter).unwrap().unwrap().content_hash();
        assert_eq!(hash(&letter), hash(&padded));
    }
}

//! Trouble comes at the rates that were asked for, and loses nothing.

use std::collections::BTreeSet;

use airport::{Expect, Fate, Letter, Options, Trouble, traffic};

fn letters(trouble: Trouble, count: usize) -> Vec<Letter> {
    traffic(&Options { flights: 60, trouble, ..Options::default() }).take(count).collect()
}

#[test]
fn no_trouble_is_none() {
    for letter in letters(Trouble::none(), 20_000) {
        assert!(matches!(letter.expect, Expect::Succeeded | Expect::Reference), "{letter:?}");
        assert_eq!(letter.fate, Fate::Commit);
    }
}

#[test]
fn rates_are_kept() {
    let rates = Trouble {
        ignored: 0.02,
        duplicate: 0.03,
        malformed: 0.04,
        rolled_back: 0.05,
        late_commit: 0.06,
        unknown_type: 0.01,
    };
    let letters = letters(rates, 60_000);
    let of = |expect| letters.iter().filter(|letter| letter.fate.lands() && letter.expect == expect).count();
    let ordinary = (of(Expect::Succeeded) + of(Expect::Reference)) as f64;
    let rolled_back = letters.iter().filter(|letter| letter.fate == Fate::RolledBack).count();
    let late = letters.iter().filter(|letter| matches!(letter.fate, Fate::CommitLate { .. })).count();
    for (what, count, rate) in [
        ("ignored", of(Expect::Ignored), rates.ignored),
        ("duplicate", of(Expect::Duplicate), rates.duplicate),
        ("malformed", of(Expect::Malformed), rates.malformed),
        ("rolled back", rolled_back, rates.rolled_back),
        ("late", late, rates.late_commit),
        ("unknown", of(Expect::Unsupported), rates.unknown_type),
    ] {
        let found = count as f64 / ordinary;
        assert!((found / rate - 1.0).abs() < 0.15, "{what}: {found} instead of {rate}");
    }
}

#[test]
fn what_is_rolled_back_is_sent_again_at_once() {
    let letters = letters(Trouble { rolled_back: 0.05, ..Trouble::none() }, 20_000);
    let tries: Vec<&[Letter]> = letters.windows(2).filter(|pair| pair[0].fate == Fate::RolledBack).collect();
    assert!(tries.len() > 500);
    for pair in tries {
        assert_eq!((&pair[0].body, pair[1].fate), (&pair[1].body, Fate::Commit));
    }
}

#[test]
fn a_duplicate_is_an_earlier_letter_that_committed_at_once() {
    let trouble = Trouble { duplicate: 0.05, late_commit: 0.3, rolled_back: 0.1, ..Trouble::none() };
    let mut committed = BTreeSet::new();
    let mut duplicates = 0;
    for letter in letters(trouble, 20_000) {
        let body = letter.body.unwrap();
        if letter.expect == Expect::Duplicate {
            assert!(committed.contains(&body));
            duplicates += 1;
        } else if letter.fate == Fate::Commit {
            committed.insert(body);
        }
    }
    assert!(duplicates > 500);
}

#[test]
fn every_body_is_text() {
    let trouble = Trouble { malformed: 1.0, ignored: 1.0, unknown_type: 1.0, ..Trouble::none() };
    let letters = letters(trouble, 20_000);
    assert!(letters.iter().any(|letter| letter.body.is_none()));
    for body in letters.into_iter().filter_map(|letter| letter.body) {
        let text = String::from_utf8(body).unwrap();
        assert!(!text.contains('\0'), "a text column takes no NUL");
    }
}

#[test]
fn padding_reaches_the_size_and_leaves_the_message_as_it_was() {
    for letter in letters(Trouble { malformed: 0.1, ..Trouble::none() }, 2_000) {
        let padded = letter.clone().padded_to(2048);
        if letter.expect == Expect::Malformed {
            assert_eq!(padded, letter);
            continue;
        }
        let text = String::from_utf8(padded.body.unwrap()).unwrap();
        assert!(text.len() >= 2048, "{}", text.len());
        let without = match text.split_once("<!--") {
            Some((before, rest)) => format!("{before}{}", rest.split_once("-->").unwrap().1),
            None => text,
        };
        assert_eq!(without.into_bytes(), letter.body.unwrap());
    }
}

//! Equal options, equal letters.

use std::fmt::Write;

use airport::{Expect, Options, Trouble, traffic};
use sha2::{Digest, Sha256};

use crate::text::{body, element};

const SMALL: Options =
    Options { seed: 7, flights: 30, day: jiff::civil::date(2026, 4, 7), trouble: Trouble::none() };

fn troubled() -> Options {
    Options { trouble: Trouble::default(), ..SMALL }
}

fn digest(options: &Options) -> String {
    let mut hasher = Sha256::new();
    for letter in traffic(options).take(5000) {
        hasher.update(format!("{:?} {:?} {} {}\n", letter.expect, letter.fate, letter.sent_at, letter.label));
        hasher.update(letter.body.unwrap_or_default());
    }
    hasher.finalize().iter().fold(String::new(), |mut hex, byte| {
        write!(hex, "{byte:02x}").unwrap();
        hex
    })
}

#[test]
fn equal_options_give_equal_letters() {
    assert!(traffic(&troubled()).take(5000).eq(traffic(&troubled()).take(5000)));
}

/// When the model is changed on purpose, this digest changes with it. If it changes by itself,
/// or on another machine, the traffic isn't reproducible any more.
#[test]
fn the_letters_of_a_seed_are_the_same_everywhere() {
    assert_eq!(digest(&troubled()), "0de94bcb14c55c3d3e17606f331def346f31e50cf640f53b7c09605e3a80b129");
}

#[test]
fn another_seed_is_other_traffic() {
    assert_ne!(digest(&troubled()), digest(&Options { seed: 8, ..troubled() }));
}

#[test]
fn trouble_leaves_the_flights_stories_as_they_are() {
    let story = |options: &Options| -> Vec<String> {
        traffic(options)
            .filter(|letter| letter.expect == Expect::Succeeded && letter.fate.lands())
            .map(|letter| {
                let text = body(&letter);
                let start = text.find("</META>").unwrap();
                format!("{} {}", element(text, "DTTM").unwrap(), &text[start..])
            })
            .take(3000)
            .collect()
    };
    let much = Trouble {
        ignored: 0.2,
        duplicate: 0.2,
        malformed: 0.2,
        rolled_back: 0.2,
        late_commit: 0.2,
        unknown_type: 0.2,
    };
    assert!(story(&SMALL) == story(&Options { trouble: much, ..SMALL }));
}

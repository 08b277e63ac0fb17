//! Letters damaged by chance: whatever arrives has an end, and deciding never panics.

use std::sync::LazyLock;

use airport::{Options, traffic};
use proptest::prelude::*;
use proptest::sample::Index;

use super::letters::letter;
use super::reading::Reading;
use super::testing::*;
use crate::message::State;

/// Letters of a small airport, none longer than four kilobytes.
static LETTERS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let letters = traffic(&Options { flights: 2, ..Options::default() }).take(400);
    letters.filter_map(|letter| letter.body).filter(|body| body.len() < 4_096).collect()
});

/// What happens to a letter on its way.
#[derive(Debug, Clone)]
enum Damage {
    Byte(Index, u8),
    Lost(Index, usize),
    Twice(Index, usize),
    Foreign(Index, Index, usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    let place = any::<Index>;
    prop_oneof![
        2 => (place(), prop_oneof![any::<u8>(), 0x20_u8..0x7f]).prop_map(|(at, byte)| Damage::Byte(at, byte)),
        1 => (place(), 1_usize..40).prop_map(|(at, length)| Damage::Lost(at, length)),
        1 => (place(), 1_usize..200).prop_map(|(at, length)| Damage::Twice(at, length)),
        1 => (place(), place(), 1_usize..80).prop_map(|(at, from, length)| Damage::Foreign(at, from, length)),
    ]
}

fn damaged(which: &Index, damages: &[Damage]) -> Vec<u8> {
    let mut body = which.get(&LETTERS).clone();
    for damage in damages {
        if body.is_empty() {
            break;
        }
        let piece = |at: usize, length: usize, of: &[u8]| of[at..of.len().min(at + length)].to_vec();
        match damage {
            Damage::Byte(at, byte) => *at.get_mut(&mut body) = *byte,
            Damage::Lost(at, length) => {
                let at = at.index(body.len());
                body.drain(at..body.len().min(at + length));
            }
            Damage::Twice(at, length) => {
                let at = at.index(body.len());
                let again = piece(at, *length, &body);
                body.splice(at..at, again);
            }
            Damage::Foreign(at, from, length) => {
                let other = from.get(&LETTERS);
                let foreign = piece(from.index(other.len()), *length, other);
                let at = at.index(body.len());
                body.splice(at..at, foreign);
            }
        }
    }
    body
}

fn letters() -> impl Strategy<Value = Vec<Vec<u8>>> {
    let one = (any::<Index>(), proptest::collection::vec(damage(), 0..4));
    proptest::collection::vec(one.prop_map(|(which, damages)| damaged(&which, &damages)), 1..8)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn every_damaged_letter_has_its_end_and_replay_changes_nothing(bodies in letters()) {
        let mut office = Office::new();
        let readings: Vec<Reading> = (1..).zip(&bodies).map(|(msg_id, body)| letter(msg_id, body)).collect();
        for reading in &readings {
            let effects = office.one(reading.clone());
            prop_assert_eq!(effects.settled.len() + effects.blocked.iter().count(), 1);
            for event in &effects.events {
                prop_assert!(serde_json::from_str::<serde_json::Value>(&event.payload).is_ok());
            }
        }
        let flights = office.flights.clone();
        for reading in &readings {
            let state = office.rows[&reading.msg_id()].conclusion.state();
            if state == State::Succeeded || state == State::Skipped {
                let again = office.one(reading.clone());
                prop_assert!(!again.touches_flights() && again.changes.is_empty(), "{:?}", again);
            }
        }
        prop_assert_eq!(&office.flights, &flights);
    }
}

//! Real events against the published schemas.

use std::sync::LazyLock;

use airport::{Options, traffic};
use jsonschema::Validator;

use super::Effects;
use super::letters::letter;
use super::testing::*;
use crate::event::schema::{change_schema, flight_schema};
use crate::event::{EventType, Target};

/// Made once: that takes longer than most tests.
pub(crate) static SCHEMAS: LazyLock<Schemas> = LazyLock::new(Schemas::new);

/// The validators of both topics.
pub(crate) struct Schemas {
    change: Validator,
    flight: Validator,
}

impl Schemas {
    /// Those of the compiled-in dictionary; formats of times and days are checked too.
    fn new() -> Self {
        let dictionary = sis::Dictionary::baseline();
        let [change, flight] = [change_schema(dictionary), flight_schema(dictionary)].map(|schema| {
            jsonschema::options().should_validate_formats(true).build(&schema).expect("a schema")
        });
        Self { change, flight }
    }

    /// Holds each event against its schema; how many there were.
    pub(crate) fn check(&self, effects: &Effects) -> usize {
        for event in &effects.events {
            let value = serde_json::from_str(&event.payload).expect("JSON");
            let validator = match (event.target, event.event_type) {
                (Target::Msg, _) => &self.change,
                (Target::Schd, EventType::Upsert) => &self.flight,
                (Target::Schd, EventType::Delete) => {
                    assert_eq!(event.payload, "null", "a tombstone");
                    continue;
                }
            };
            let wrong: Vec<String> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
            assert!(wrong.is_empty(), "{wrong:?}\n{}", event.payload);
        }
        effects.events.len()
    }
}

#[test]
fn every_event_of_an_airports_day_is_as_its_schema_says() {
    let mut office = Office::new();
    let letters = traffic(&Options { flights: 30, ..Options::default() }).filter(|one| one.fate.lands());
    let bodies: Vec<Vec<u8>> = letters.filter_map(|one| one.body).take(1_500).collect();
    let mut events = 0;
    for (msg_id, body) in (1..).zip(&bodies) {
        let effects = office.one(letter(msg_id, body));
        events += SCHEMAS.check(&effects);
    }
    assert!(events > 1_000, "{events} events");
}

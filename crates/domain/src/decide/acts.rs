//! Messages made up by chance: few flights, few fields, few values, so that they meet.

use proptest::prelude::*;
use sis::{Record, Value};

use super::FlightPolicy;
use super::reading::Reading;
use super::testing::*;

/// One thing a record says.
#[derive(Debug, Clone)]
pub(crate) enum Say {
    Stand(Option<u8>),
    Gates(Vec<u8>),
    Delays(bool, Vec<(u8, Option<u8>)>),
    Extra(u8),
    Main(Option<i64>),
    Number(u8),
}

#[derive(Debug, Clone)]
pub(crate) enum Act {
    Schedule(Vec<(i64, Vec<Say>)>),
    Flop(Vec<(i64, Vec<Say>)>),
    Delete(i64),
}

fn say() -> impl Strategy<Value = Say> {
    prop_oneof![
        3 => proptest::option::of(0_u8..3).prop_map(Say::Stand),
        1 => proptest::collection::vec(0_u8..3, 0..3).prop_map(Say::Gates),
        3 => (any::<bool>(), proptest::collection::vec((0_u8..3, proptest::option::of(0_u8..3)), 0..3))
            .prop_map(|(clear, entries)| Say::Delays(clear, entries)),
        1 => (0_u8..3).prop_map(Say::Extra),
        2 => proptest::option::of(1_i64..5).prop_map(Say::Main),
        1 => (0_u8..3).prop_map(Say::Number),
    ]
}

fn parts() -> impl Strategy<Value = Vec<(i64, Vec<Say>)>> {
    proptest::collection::vec((1_i64..5, proptest::collection::vec(say(), 0..4)), 1..4)
}

pub(crate) fn changes() -> impl Strategy<Value = Act> {
    prop_oneof![1 => parts().prop_map(Act::Schedule), 2 => parts().prop_map(Act::Flop)]
}

pub(crate) fn acts() -> impl Strategy<Value = Act> {
    prop_oneof![4 => changes(), 1 => (1_i64..5).prop_map(Act::Delete)]
}

pub(crate) fn policies() -> impl Strategy<Value = FlightPolicy> {
    any::<bool>().prop_map(|clear| FlightPolicy { clear_absent_optional: clear, ..FlightPolicy::default() })
}

fn speak(base: Record, says: &[Say]) -> Record {
    says.iter().fold(base, |record, say| match say {
        Say::Stand(Some(stand)) => record.set("stand", text(&stand.to_string())),
        Say::Stand(None) => record.clear("stand"),
        Say::Gates(gates) => {
            let gate = |gate: &u8| Value::Object(vec![("gate", text(&gate.to_string()))]);
            record.set("gates", Value::List(gates.iter().map(gate).collect()))
        }
        Say::Delays(clear, entries) => {
            let texts: Vec<(String, Option<String>)> = entries
                .iter()
                .map(|(code, comment)| (code.to_string(), comment.map(|comment| comment.to_string())))
                .collect();
            let entries: Vec<(&str, Option<&str>)> =
                texts.iter().map(|(code, comment)| (code.as_str(), comment.as_deref())).collect();
            record.delays(*clear, &entries)
        }
        Say::Extra(value) => record.with_extra("NEWX", &value.to_string()),
        Say::Main(Some(main)) => record.main(*main),
        Say::Main(None) => record.clear("codeShare"),
        Say::Number(number) => record.set("flightNumber", text(&format!("XX{number}"))),
    })
}

pub(crate) fn reading(msg_id: i64, act: &Act) -> Reading {
    dated(msg_id, act, 7)
}

/// The message of an act whose schedules are for a day of April.
pub(crate) fn dated(msg_id: i64, act: &Act, day: i8) -> Reading {
    match act {
        Act::Schedule(parts) => {
            schedule(msg_id, parts.iter().map(|(flid, says)| speak(flight(*flid, "ZZ", day), says)).collect())
        }
        Act::Flop(parts) => {
            flop(msg_id, parts.iter().map(|(flid, says)| speak(record(*flid), says)).collect())
        }
        Act::Delete(flid) => delete(msg_id, &[*flid]),
    }
}

pub(crate) fn readings(acts: &[Act]) -> Vec<Reading> {
    (1..).zip(acts).map(|(msg_id, act)| reading(msg_id, act)).collect()
}

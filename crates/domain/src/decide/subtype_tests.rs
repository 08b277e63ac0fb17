//! Every subtype of FLOP at the level of flights, walked through the dictionary: set, set again,
//! cleared, cleared again. A subtype added to the dictionary is tested without a line here.

use sis::{Body, Dictionary, Field, FieldWrite, Message, Meta, Record, Subtype, Write};

use super::Effects;
use super::letters::letter;
use super::schema_tests::SCHEMAS;
use super::specimens::{clear, described, entry, set};
use super::testing::*;
use crate::MsgId;
use crate::event::Target;
use crate::flight::FieldState;

/// An office that knows flight 1, and messages of one subtype for it.
struct Desk {
    office: Office,
    next: i64,
}

impl Desk {
    fn new() -> Self {
        let mut office = Office::new();
        office.one(schedule(1, vec![flight(1, "ZZ1", 7)]));
        Self { office, next: 2 }
    }

    /// Sends what was written, as text.
    fn send(&mut self, subtype: &Subtype, writes: Vec<(&'static Field, Write)>) -> Effects {
        let msg_id = self.next;
        self.next += 1;
        let writes = writes.into_iter().map(|(field, write)| FieldWrite { field, write });
        let message = Message {
            meta: Meta {
                sender: "AODB".into(),
                seqn: msg_id.to_string(),
                dttm: "20260407081530".into(),
                kind: "FLOP".into(),
                subtype: subtype.name.into(),
            },
            body: Body::Flop(vec![Record { writes: writes.collect(), ..record(1) }]),
        };
        let effects = self.office.one(letter(msg_id, sis::encode(&message).as_bytes()));
        assert_eq!(effects.end(), "SUCCEEDED", "{}: {:?}", subtype.name, effects.blocked);
        SCHEMAS.check(&effects);
        effects
    }

    /// A message that is one step of the flight and told as such.
    fn steps(&mut self, subtype: &Subtype, writes: Vec<(&'static Field, Write)>) {
        let (name, version) = (subtype.name, self.office.version(1) + 1);
        let effects = self.send(subtype, writes);
        assert_eq!(self.office.version(1), version, "{name}");
        assert_eq!(effects.told(Target::Msg), [(1, version)], "{name}");
        assert_eq!(effects.told(Target::Schd), [(1, version)], "{name}");
        assert_eq!(effects.changes.len(), 1, "{name}");
    }

    /// A message that moves provenance alone.
    fn rests(&mut self, subtype: &Subtype, writes: Vec<(&'static Field, Write)>) {
        let (name, version) = (subtype.name, self.office.version(1));
        let fields: Vec<&'static Field> = writes.iter().map(|(field, _)| *field).collect();
        let effects = self.send(subtype, writes);
        assert_eq!(self.office.version(1), version, "{name}");
        assert!(effects.events.is_empty() && effects.changes.is_empty(), "{name}");
        for field in fields {
            assert_eq!(self.newest(field), MsgId(self.next - 1), "{name} {}", field.name);
        }
    }

    fn newest(&self, field: &Field) -> MsgId {
        match &self.office.flight(1).fields[field.name] {
            FieldState::Single(stamped) => stamped.by,
            FieldState::Keyed { cleared_by, entries } => {
                entries.values().map(|entry| entry.by).fold(*cleared_by, MsgId::max)
            }
        }
    }
}

fn whole(fields: &[&'static Field]) -> Vec<(&'static Field, Write)> {
    fields.iter().map(|field| (*field, set(field))).collect()
}

#[test]
fn inv_13_each_subtype_is_one_step_and_again_it_is_none() {
    for (subtype, fields) in described() {
        let mut desk = Desk::new();
        desk.steps(subtype, whole(&fields));
        desk.rests(subtype, whole(&fields));
    }
}

#[test]
fn inv_14_each_subtype_clears_in_one_step_what_can_be_cleared() {
    for (subtype, fields) in described() {
        for field in fields.iter().filter(|field| !subtype.required.contains(&field.name)) {
            let mut desk = Desk::new();
            desk.steps(subtype, whole(&fields));
            desk.steps(subtype, vec![(field, clear(field))]);
            assert_eq!(desk.office.view(1).get(field.name), None, "{}", subtype.name);
            desk.rests(subtype, vec![(field, clear(field))]);
        }
    }
}

#[test]
fn inv_14_each_keyed_group_that_can_removes_one_entry_in_one_step() {
    for (subtype, fields) in described() {
        for field in fields.iter().filter(|field| field.removed_without.is_some()) {
            let remove = || Write::Merge { clear: false, entries: vec![entry(field, None)] };
            let mut desk = Desk::new();
            desk.steps(subtype, whole(&fields));
            desk.steps(subtype, vec![(field, remove())]);
            desk.rests(subtype, vec![(field, remove())]);
        }
    }
}

#[test]
fn each_subtype_that_nobody_describes_keeps_all_it_brings() {
    for subtype in Dictionary::baseline().subtypes().iter().filter(|one| one.undescribed) {
        let mut desk = Desk::new();
        let name = subtype.name;
        for (msg_id, told) in [(2, 1), (3, 0)] {
            let message = format!(
                "<MSG>{}<{1}><FLID>1</FLID><NEWX>x</NEWX></{1}></MSG>",
                super::letters::meta("FLOP", name, &msg_id.to_string()),
                subtype.body
            );
            let effects = desk.office.one(letter(msg_id, message.as_bytes()));
            assert_eq!(
                (effects.end().as_str(), effects.told(Target::Msg).len()),
                ("SUCCEEDED", told),
                "{name}"
            );
        }
        assert_eq!(desk.office.view(1)["extra"]["NEWX"], "<NEWX>x</NEWX>", "{name}");
    }
}

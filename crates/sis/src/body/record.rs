//! One FLTR or FLOP: which of its elements count, and what each does to its field.

use super::group::GroupReader;
use super::scope::{Expected, Refusal, Scope};
use super::{FieldWrite, Record, Write};
use crate::xml::tree::NodeId;
use crate::{Absent, Dictionary, Field, FieldKind, Subtype, Value, ValueKind};

/// What the records of a message are for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Purpose {
    /// A FLTR with all that is known of a flight.
    Snapshot,
    /// A FLOP of a subtype.
    Change(&'static Subtype),
    /// A FLOP that deletes, and must say so with an empty element.
    Marked(&'static Subtype),
    /// A deletion for which the FLID is enough.
    Delete,
}

pub(super) struct RecordReader<'s, 't> {
    scope: &'s Scope<'t>,
    dictionary: &'static Dictionary,
    purpose: Purpose,
    /// By field number: may a record of this purpose write it?
    writable: Vec<bool>,
}

/// An element of a record that counts, with the field it feeds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Part {
    field: usize,
    pub(super) member: Option<usize>,
    pub(super) node: NodeId,
}

/// A record's children, sorted.
#[derive(Default)]
struct Sorted {
    flid: Option<NodeId>,
    parts: Vec<Part>,
    not_applied: Vec<String>,
    extra: Vec<(String, String)>,
}

/// How many elements of a flight most records have at most.
const PARTS_USUAL: usize = 32;

impl<'s, 't> RecordReader<'s, 't> {
    pub(super) fn new(scope: &'s Scope<'t>, dictionary: &'static Dictionary, purpose: Purpose) -> Self {
        let may = |field: &Field| match purpose {
            Purpose::Snapshot => field.in_schedule,
            Purpose::Change(subtype) => subtype.fields.contains(&field.name),
            Purpose::Marked(_) | Purpose::Delete => false,
        };
        let writable = dictionary.fields().iter().map(may).collect();
        Self { scope, dictionary, purpose, writable }
    }

    pub(super) fn record(&self, node: NodeId) -> Result<Record, Refusal> {
        let Sorted { flid, mut parts, not_applied, extra } = self.sort(node)?;
        let flid = self.flid(node, flid)?;
        let position = self.scope.position(node);
        let mut record =
            Record { flid, position, writes: Vec::with_capacity(parts.len()), not_applied, extra };
        // Repeats of a group needn't be adjacent; their own order stays.
        parts.sort_by_key(|part| part.field);
        for parts in parts.chunk_by(|one, other| one.field == other.field) {
            let write = self.write(node, parts, &mut record)?;
            record.writes.push(write);
        }
        match self.purpose {
            Purpose::Snapshot => self.check_snapshot(node, &record)?,
            Purpose::Change(subtype) => self.check_change(node, subtype, &mut record)?,
            Purpose::Marked(subtype) => self.check_marker(node, subtype)?,
            Purpose::Delete => {}
        }
        Ok(record)
    }

    fn flid(&self, node: NodeId, element: Option<NodeId>) -> Result<i64, Refusal> {
        let expected = Expected { value: ValueKind::Integer, exact: true, one_of: &[], personal: false };
        match element.map(|element| self.scope.element_value(element, expected)).transpose()?.flatten() {
            Some(Value::Integer(flid)) => Ok(flid),
            _ => self.scope.malformed(element.unwrap_or(node), "FLID is missing or empty".to_owned()),
        }
    }

    /// Sorts the children into those that count, those that don't apply here, and the unknown.
    fn sort(&self, node: NodeId) -> Result<Sorted, Refusal> {
        let tree = self.scope.tree;
        let mut sorted = Sorted::default();
        for attribute in tree.attributes(node) {
            sorted.extra.push((format!("@{}", attribute.name), attribute.value.to_owned()));
        }
        if !tree.text(node).is_empty() {
            sorted.extra.push(("#text".to_owned(), tree.text(node).to_owned()));
        }
        sorted.parts.reserve(PARTS_USUAL);
        for child in tree.children(node) {
            let name = tree.name(child);
            match self.dictionary.slot(name) {
                Some(slot) if self.writable[slot.field] => {
                    sorted.parts.push(Part { field: slot.field, member: slot.member, node: child });
                }
                Some(slot) => {
                    if !self.dictionary.fields()[slot.field].identity {
                        note(&mut sorted.not_applied, name);
                    }
                }
                None if name == "FLID" && sorted.flid.is_some() => {
                    return self.scope.malformed(child, "FLID is given twice".to_owned());
                }
                None if name == "FLID" => sorted.flid = Some(child),
                None if self.dictionary.is_marker(name) => {
                    self.marker(child, name, &mut sorted.not_applied)?
                }
                None => sorted.extra.push((name.to_owned(), tree.raw(child).to_owned())),
            }
        }
        Ok(sorted)
    }

    fn marker(&self, child: NodeId, name: &str, not_applied: &mut Vec<String>) -> Result<(), Refusal> {
        match self.purpose {
            Purpose::Snapshot | Purpose::Change(_) => note(not_applied, name),
            Purpose::Marked(_) | Purpose::Delete => {
                if !self.scope.tree.text(child).is_empty() || self.scope.tree.has_children(child) {
                    return self.scope.malformed(child, format!("{name} must be empty"));
                }
            }
        }
        Ok(())
    }

    fn write(&self, node: NodeId, parts: &[Part], record: &mut Record) -> Result<FieldWrite, Refusal> {
        let field = &self.dictionary.fields()[parts[0].field];
        let write = match field.kind {
            FieldKind::Scalar => self.scalar(field, parts, record)?,
            FieldKind::Structure | FieldKind::Ordered | FieldKind::Keyed => {
                GroupReader { scope: self.scope, purpose: self.purpose, field }.write(
                    node,
                    parts,
                    &mut record.extra,
                )?
            }
        };
        self.check_required(field, &write, parts[0].node, record.flid)?;
        Ok(FieldWrite { field, write })
    }

    fn scalar(&self, field: &Field, parts: &[Part], record: &mut Record) -> Result<Write, Refusal> {
        if let Some(second) = parts.get(1) {
            return self.scope.malformed(second.node, format!("{} is given twice", field.element));
        }
        let node = parts[0].node;
        for attribute in self.scope.tree.attributes(node) {
            record.extra.push((format!("{}@{}", field.element, attribute.name), attribute.value.to_owned()));
        }
        let expected =
            Expected { value: field.value, exact: field.exact, one_of: &[], personal: field.personal };
        Ok(self.scope.element_value(node, expected)?.map_or(Write::Clear, Write::Set))
    }

    fn check_required(&self, field: &Field, write: &Write, node: NodeId, flid: i64) -> Result<(), Refusal> {
        let is_required = match self.purpose {
            Purpose::Snapshot => field.required,
            Purpose::Change(subtype) => subtype.required.contains(&field.name),
            Purpose::Marked(_) | Purpose::Delete => false,
        };
        match write {
            Write::Clear if is_required => self
                .scope
                .malformed(node, format!("{} of FLID {flid} is empty and must not be", field.element)),
            Write::Clear | Write::Set(_) | Write::Merge { .. } => Ok(()),
        }
    }

    fn check_snapshot(&self, node: NodeId, record: &Record) -> Result<(), Refusal> {
        let has = |field: &Field| record.writes.iter().any(|write| std::ptr::eq(write.field, field));
        match self.dictionary.fields().iter().find(|field| field.required && !has(field)) {
            Some(field) => {
                self.scope.malformed(node, format!("{} of FLID {} is missing", field.element, record.flid))
            }
            None => Ok(()),
        }
    }

    fn check_change(&self, node: NodeId, subtype: &Subtype, record: &mut Record) -> Result<(), Refusal> {
        match subtype.absent {
            Absent::Refuse if record.writes.is_empty() && !subtype.undescribed => self.scope.malformed(
                node,
                format!("the record of FLID {} has no element of subtype {}", record.flid, subtype.name),
            ),
            Absent::Refuse => Ok(()),
            Absent::Clear => {
                self.clear_absent(subtype, record);
                Ok(())
            }
        }
    }

    fn clear_absent(&self, subtype: &Subtype, record: &mut Record) {
        let number = |field: &Field| self.dictionary.number(field.name);
        for field in subtype.fields.iter().filter_map(|name| self.dictionary.field(name)) {
            if !record.writes.iter().any(|write| std::ptr::eq(write.field, field)) {
                let write = match field.kind {
                    FieldKind::Scalar | FieldKind::Structure | FieldKind::Ordered => Write::Clear,
                    FieldKind::Keyed => Write::Merge { clear: true, entries: Vec::new() },
                };
                record.writes.push(FieldWrite { field, write });
            }
        }
        record.writes.sort_by_key(|write| number(write.field));
    }

    fn check_marker(&self, node: NodeId, subtype: &Subtype) -> Result<(), Refusal> {
        let marker = self.scope.at_most_one(node, subtype.name)?;
        if marker.is_none() && subtype.absent == Absent::Refuse {
            return self.scope.malformed(node, format!("there is no element {}", subtype.name));
        }
        Ok(())
    }
}

fn note(names: &mut Vec<String>, name: &str) {
    if !names.iter().any(|other| other == name) {
        names.push(name.to_owned());
    }
}

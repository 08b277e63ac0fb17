//! From META's TYPE and STYP to the kind of body.

use std::collections::HashSet;

use super::record::{Purpose, RecordReader};
use super::reference;
use super::scope::{Refusal, Scope};
use super::{Body, Record, Request, Schedule, ScheduleKind, Unknown};
use crate::xml::tree::{NodeId, Tree};
use crate::{Dictionary, Meta, Problem};

pub(crate) fn read(tree: &Tree, meta: &Meta, dictionary: &'static Dictionary) -> Result<Body, Problem> {
    interpret(tree, meta, dictionary).map_err(|refusal| *refusal)
}

fn interpret(tree: &Tree, meta: &Meta, dictionary: &'static Dictionary) -> Result<Body, Refusal> {
    let reader = Reader { scope: Scope::new(tree), dictionary };
    match meta.kind.to_ascii_uppercase().as_str() {
        "SCHD" => reader.schedule(&meta.subtype),
        "FLOP" => match dictionary.subtype(&meta.subtype) {
            Some(subtype) if subtype.deletes => {
                reader.flops(subtype.body, Purpose::Marked(subtype)).map(Body::Delete)
            }
            Some(subtype) => reader.flops(subtype.body, Purpose::Change(subtype)).map(Body::Flop),
            None => Ok(reader.unknown()),
        },
        "FDEL" => reader.flops("FDEL", Purpose::Delete).map(Body::Delete),
        "RQFD" => reader.schedule_request(),
        "RQRD" => reader.list_request(),
        kind => match dictionary.reference(kind) {
            Some(list) => reference::read(&reader.scope, list).map(Body::Reference),
            None => Ok(reader.unknown()),
        },
    }
}

struct Reader<'t> {
    scope: Scope<'t>,
    dictionary: &'static Dictionary,
}

impl Reader<'_> {
    fn schedule(&self, styp: &str) -> Result<Body, Refusal> {
        let schedule = self.container("SCHD")?;
        let (kind, purpose) = if styp.eq_ignore_ascii_case("DEL") {
            (ScheduleKind::Delete, Purpose::Delete)
        } else {
            (ScheduleKind::Upsert, Purpose::Snapshot)
        };
        let declared_records = self.scope.count(schedule, "RECS")?;
        let records = self.records(self.scope.tree.children_named(schedule, "FLTR"), purpose)?;
        Ok(Body::Schedule(Schedule { kind, declared_records, records }))
    }

    /// The records stand directly in the message; a dialect names them after the subtype.
    fn flops(&self, body: &str, purpose: Purpose) -> Result<Vec<Record>, Refusal> {
        let tree = self.scope.tree;
        let nodes = tree.children(Tree::ROOT).filter(|node| {
            let name = tree.name(*node);
            name == "FLOP" || name == body
        });
        let records = self.records(nodes, purpose)?;
        if records.is_empty() {
            return self.scope.malformed(Tree::ROOT, "there is no FLOP element".to_owned());
        }
        Ok(records)
    }

    fn records(&self, nodes: impl Iterator<Item = NodeId>, purpose: Purpose) -> Result<Vec<Record>, Refusal> {
        let reader = RecordReader::new(&self.scope, self.dictionary, purpose);
        nodes.map(|node| reader.record(node)).collect()
    }

    fn container(&self, name: &str) -> Result<NodeId, Refusal> {
        match self.scope.at_most_one(Tree::ROOT, name)? {
            Some(node) => Ok(node),
            None => self.scope.malformed(Tree::ROOT, format!("there is no {name} element")),
        }
    }

    fn schedule_request(&self) -> Result<Body, Refusal> {
        let request = self.container("RQFD")?;
        let (begin, end) = (self.bound(request, "STDB")?, self.bound(request, "STDE")?);
        if begin.is_none() && end.is_none() {
            return self
                .scope
                .malformed(request, "neither STDB nor STDE says which schedule is asked for".to_owned());
        }
        Ok(Body::Request(Request::Schedule { begin, end }))
    }

    fn list_request(&self) -> Result<Body, Refusal> {
        let request = self.container("RQRD")?;
        match self.bound(request, "RTYP")? {
            Some(list) if self.dictionary.is_reference(&list) => {
                Ok(Body::Request(Request::ReferenceList { list }))
            }
            Some(_) => self.scope.codec(request, "RTYP names no reference list".to_owned()),
            None => self.scope.malformed(request, "RTYP is missing or empty".to_owned()),
        }
    }

    fn bound(&self, request: NodeId, name: &str) -> Result<Option<String>, Refusal> {
        let node = self.scope.at_most_one(request, name)?;
        let text = node.map(|node| self.scope.tree.text(node)).filter(|text| !text.is_empty());
        Ok(text.map(str::to_owned))
    }

    fn unknown(&self) -> Body {
        let tree = self.scope.tree;
        let mut seen = HashSet::new();
        let names = tree.children(Tree::ROOT).map(|node| tree.name(node));
        let names = names.filter(|name| *name != "META" && seen.insert(*name));
        Body::Unknown(Unknown { elements: names.map(str::to_owned).collect() })
    }
}

//! Structures and collections: from elements to members, and from members to a write.

use std::collections::HashSet;

use super::children::Children;
use super::record::{Part, Purpose};
use super::scope::{Expected, Refusal, Scope};
use super::{Entry, Write};
use crate::xml::tree::NodeId;
use crate::{Field, FieldKind, Incomplete, Member, Value, ValueKind, form};

pub(super) struct GroupReader<'s, 't> {
    pub(super) scope: &'s Scope<'t>,
    pub(super) purpose: Purpose,
    pub(super) field: &'static Field,
}

type Object = Vec<(&'static str, Value)>;

/// The members of one element.
struct Members {
    object: Object,
    /// There is more than a sequence number.
    has_content: bool,
}

type Extra = Vec<(String, String)>;

/// One element (or one set of scattered elements), read.
struct Group {
    object: Object,
    /// It says something: more than a sequence number.
    has_content: bool,
    node: NodeId,
}

impl GroupReader<'_, '_> {
    pub(super) fn write(&self, record: NodeId, parts: &[Part], extra: &mut Extra) -> Result<Write, Refusal> {
        let groups = self.groups(record, parts, extra)?;
        match self.field.kind {
            FieldKind::Structure => self.structure(groups, parts),
            FieldKind::Keyed => self.keyed(groups),
            FieldKind::Ordered | FieldKind::Scalar => self.ordered(groups),
        }
    }

    fn groups(&self, record: NodeId, parts: &[Part], extra: &mut Extra) -> Result<Vec<Group>, Refusal> {
        if self.field.spread {
            return Ok(vec![self.scattered(record, parts, extra)?]);
        }
        let mut groups = Vec::with_capacity(parts.len());
        for part in parts {
            let unknown_before = extra.len();
            let found = self.element(part.node, self.field.members, self.field.element, extra)?;
            let Members { object, has_content } = found;
            let is_unknown = !has_content && extra.len() > unknown_before;
            if is_unknown && self.field.kind != FieldKind::Keyed {
                let element = self.field.element;
                return self.scope.codec(
                    part.node,
                    format!("{element} has nothing in it that the dictionary knows, and is not empty: nothing of it is applied"),
                );
            }
            // Of a keyed group it is an entry, which lacks its key.
            groups.push(Group { object, has_content: has_content || is_unknown, node: part.node });
        }
        Ok(groups)
    }

    fn scattered(&self, record: NodeId, parts: &[Part], extra: &mut Extra) -> Result<Group, Refusal> {
        let mut object = Object::new();
        for (number, member) in self.field.members.iter().enumerate() {
            let mut found = parts.iter().filter(|part| part.member == Some(number));
            let Some(part) = found.next() else { continue };
            if let Some(second) = found.next() {
                return self.scope.malformed(second.node, format!("{} is given twice", member.source));
            }
            for attribute in self.scope.tree.attributes(part.node) {
                extra.push((format!("{}@{}", member.source, attribute.name), attribute.value.to_owned()));
            }
            let value = self.scope.element_value(part.node, self.expected(member))?;
            object.extend(value.map(|value| (member.name, value)));
        }
        Ok(Group {
            has_content: !object.is_empty(),
            object,
            node: parts.first().map_or(record, |part| part.node),
        })
    }

    /// Reads the members of one element and keeps what it doesn't know under `path`.
    fn element(
        &self,
        node: NodeId,
        members: &'static [Member],
        path: &str,
        extra: &mut Extra,
    ) -> Result<Members, Refusal> {
        let tree = self.scope.tree;
        let children = Children::of(tree, node, members);
        let mut object = Object::with_capacity(members.len());
        let mut has_content = false;
        for (number, member) in members.iter().enumerate() {
            let value = if let Some(attribute) = member.source.strip_prefix('@') {
                self.scope.attribute_value(node, attribute, self.expected(member))?
            } else if member.source == "." {
                self.scope.own_text(node, self.expected(member))?
            } else if member.value == ValueKind::List {
                self.list(children.of_member(number), member, path, extra)?
            } else {
                let mut found = children.of_member(number);
                let first = found.next();
                if let Some(second) = found.next() {
                    return self.scope.malformed(second, format!("{} is given twice", member.source));
                }
                first
                    .map(|child| self.scope.element_value(child, self.expected(member)))
                    .transpose()?
                    .flatten()
            };
            if let Some(value) = value {
                has_content |= !member.sequence;
                object.push((member.name, value));
            }
        }
        self.unknown(node, &children, members, path, extra);
        Ok(Members { object, has_content })
    }

    fn list(
        &self,
        children: impl Iterator<Item = NodeId>,
        member: &'static Member,
        path: &str,
        extra: &mut Extra,
    ) -> Result<Option<Value>, Refusal> {
        let path = format!("{path}/{}", member.source);
        let mut list = Vec::new();
        for child in children {
            let object = self.element(child, member.members, &path, extra)?.object;
            if !object.is_empty() {
                list.push(Value::Object(object));
            }
        }
        Ok((!list.is_empty()).then_some(Value::List(list)))
    }

    fn unknown(&self, node: NodeId, children: &Children, members: &[Member], path: &str, extra: &mut Extra) {
        let tree = self.scope.tree;
        for attribute in tree.attributes(node) {
            let is_known =
                members.iter().any(|member| member.source.strip_prefix('@') == Some(attribute.name));
            if !is_known {
                extra.push((format!("{path}@{}", attribute.name), attribute.value.to_owned()));
            }
        }
        if !tree.text(node).is_empty() && !members.iter().any(|member| member.source == ".") {
            extra.push((format!("{path}/#text"), tree.text(node).to_owned()));
        }
        for child in children.unknown() {
            extra.push((format!("{path}/{}", tree.name(child)), tree.raw(child).to_owned()));
        }
    }

    fn structure(&self, mut groups: Vec<Group>, parts: &[Part]) -> Result<Write, Refusal> {
        if let Some(second) = groups.get(1) {
            return self.scope.malformed(second.node, format!("{} is given twice", self.field.element));
        }
        let Some(group) = groups.pop().filter(|group| group.has_content) else { return Ok(Write::Clear) };
        if self.clears_when_incomplete() && group.object.len() < self.field.members.len() {
            return Ok(Write::Clear);
        }
        let lacks_anchor = self.field.anchor.is_some_and(|anchor| !has(&group.object, anchor));
        if lacks_anchor && (!self.field.spread || self.sent_anchor(parts)) {
            return Ok(Write::Clear);
        }
        self.check_required(&group)?;
        Ok(Write::Set(Value::Object(group.object)))
    }

    fn clears_when_incomplete(&self) -> bool {
        match self.purpose {
            Purpose::Change(subtype) => subtype.incomplete == Incomplete::Clear,
            Purpose::Snapshot | Purpose::Marked(_) | Purpose::Delete => false,
        }
    }

    /// Was the anchor of a scattered structure sent, though empty?
    fn sent_anchor(&self, parts: &[Part]) -> bool {
        let anchor = self.field.members.iter().position(|member| Some(member.name) == self.field.anchor);
        parts.iter().any(|part| part.member == anchor)
    }

    fn ordered(&self, groups: Vec<Group>) -> Result<Write, Refusal> {
        let mut list = Vec::with_capacity(groups.len());
        for group in groups.into_iter().filter(|group| group.has_content) {
            self.check_required(&group)?;
            list.push(Value::Object(group.object));
        }
        // Only empty elements: the collection is cleared.
        Ok(if list.is_empty() { Write::Clear } else { Write::Set(Value::List(list)) })
    }

    fn keyed(&self, groups: Vec<Group>) -> Result<Write, Refusal> {
        // In a schedule a present group is the whole group.
        let is_snapshot = matches!(self.purpose, Purpose::Snapshot);
        let clear = is_snapshot || groups.iter().any(|group| !group.has_content);
        let mut entries = Vec::with_capacity(groups.len());
        for group in groups.into_iter().filter(|group| group.has_content) {
            self.check_required(&group)?;
            entries.push(self.entry(group)?);
        }
        Ok(Write::Merge { clear, entries: last_of_each_key(entries) })
    }

    fn entry(&self, group: Group) -> Result<Entry, Refusal> {
        let key = group.object.iter().find(|(name, _)| Some(*name) == self.field.key);
        let Some((_, key)) = key else {
            let source = self.source_of(self.field.key);
            return self.scope.malformed(group.node, format!("an entry without its key {source}"));
        };
        let key = form::write(key);
        let is_removal = self.field.removed_without.is_some_and(|member| !has(&group.object, member));
        Ok(Entry { key, value: (!is_removal).then_some(Value::Object(group.object)) })
    }

    /// A schedule is one of many flights; what a change must have, it may lack.
    fn check_required(&self, group: &Group) -> Result<(), Refusal> {
        match self.purpose {
            Purpose::Snapshot | Purpose::Marked(_) | Purpose::Delete => Ok(()),
            Purpose::Change(_) => {
                let missing = |member: &&Member| member.required && !has(&group.object, member.name);
                match self.field.members.iter().find(missing) {
                    Some(member) => {
                        let source = self.source_of(Some(member.name));
                        self.scope.malformed(group.node, format!("{source} is missing or empty"))
                    }
                    None => Ok(()),
                }
            }
        }
    }

    fn source_of(&self, name: Option<&str>) -> &'static str {
        let member = self.field.members.iter().find(|member| Some(member.name) == name);
        member.map_or("", |member| member.source.trim_start_matches('@'))
    }

    fn expected(&self, member: &Member) -> Expected {
        Expected {
            value: member.value,
            exact: member.exact,
            one_of: member.one_of,
            personal: self.field.personal || member.personal,
        }
    }
}

fn has(object: &Object, name: &str) -> bool {
    object.iter().any(|(other, _)| *other == name)
}

/// Each key once, where it stood last.
fn last_of_each_key(entries: Vec<Entry>) -> Vec<Entry> {
    let mut seen = HashSet::with_capacity(entries.len());
    let keep: Vec<bool> = entries.iter().rev().map(|entry| seen.insert(entry.key.as_str())).collect();
    drop(seen);
    entries
        .into_iter()
        .zip(keep.into_iter().rev())
        .filter_map(|(entry, keep)| keep.then_some(entry))
        .collect()
}

//! Scalars and groups: each name and each element once, and every key where it belongs.

use std::collections::HashSet;

use toml::Spanned;

use super::super::schema::{Group, MemberEntry, Scalar};
use super::super::{DictionaryError, Field, FieldKind, Member, ValueKind};
use super::{Checker, keep, keep_all};

/// Elements that the code itself reads.
const RESERVED: [&str; 3] = ["FLID", "RECS", "FDEL"];

/// Names that views and events use beside the fields; parts nobody knows are `extra.<place>`.
const OWN: [&str; 7] = ["flid", "stateVersion", "incarnation", "life", "operationDay", "codeShares", "extra"];

impl Checker<'_> {
    pub(super) fn fields(&self, scalars: &[Scalar], groups: &[Group]) -> Result<Vec<Field>, DictionaryError> {
        let mut fields = Vec::new();
        let mut names = HashSet::new();
        let mut elements: HashSet<&str> = RESERVED.into();
        let built = scalars.iter().map(|entry| (&entry.name, self.scalar(entry)));
        let built = built.chain(groups.iter().map(|entry| (&entry.name, self.group(entry))));
        for (name, field) in built {
            let field = field?;
            if OWN.contains(&field.name) || field.name.starts_with("extra.") {
                return self.refuse(name, "events use this name themselves; give it another");
            }
            if !names.insert(field.name) {
                return self.refuse(name, "the name is given twice");
            }
            for element in field.elements() {
                if !elements.insert(element) {
                    return self.refuse(name, format_args!("element `{element}` already has a meaning"));
                }
            }
            fields.push(field);
        }
        Ok(fields)
    }

    fn scalar(&self, entry: &Scalar) -> Result<Field, DictionaryError> {
        if entry.value == ValueKind::List {
            return self.refuse(&entry.name, "a scalar can't be a list; make it a group");
        }
        self.element(&entry.name, &entry.element)?;
        Ok(Field {
            name: keep(entry.name.get_ref()),
            element: keep(&entry.element),
            kind: FieldKind::Scalar,
            value: entry.value,
            zh: keep(&entry.zh),
            en: keep(&entry.en),
            in_schedule: entry.in_schedule,
            personal: entry.personal,
            members: &[],
            required: entry.required,
            identity: entry.identity,
            exact: entry.exact,
            spread: false,
            key: None,
            anchor: None,
            removed_without: None,
        })
    }

    fn group(&self, entry: &Group) -> Result<Field, DictionaryError> {
        self.element(&entry.name, &entry.element)?;
        if entry.kind == FieldKind::Scalar || (entry.spread && entry.kind == FieldKind::Ordered) {
            return self
                .refuse(&entry.name, "kind must be structure, ordered or keyed; spread can't be ordered");
        }
        if (entry.kind == FieldKind::Keyed) != entry.key.is_some() {
            return self.refuse(&entry.name, "`key` belongs to every keyed group and to no other");
        }
        if entry.removed_without.is_some() && entry.kind != FieldKind::Keyed {
            return self.refuse(&entry.name, "`removed_without` belongs to a keyed group");
        }
        if entry.anchor.is_some() && entry.kind != FieldKind::Structure {
            return self.refuse(&entry.name, "`anchor` belongs to a structure");
        }
        let members = self.members(&entry.name, &entry.members, entry.spread)?;
        if entry.spread && members[0].source != entry.element {
            return self.refuse(&entry.name, "`element` must be the source of the first member");
        }
        for named in [&entry.key, &entry.anchor, &entry.removed_without].into_iter().flatten() {
            if !members.iter().any(|member| member.name == named) {
                return self.refuse(&entry.name, format_args!("there is no member `{named}`"));
            }
        }
        Ok(Field {
            name: keep(entry.name.get_ref()),
            element: keep(&entry.element),
            kind: entry.kind,
            value: ValueKind::List,
            zh: keep(&entry.zh),
            en: keep(&entry.en),
            in_schedule: entry.in_schedule,
            personal: entry.personal,
            members: members.leak(),
            required: false,
            identity: false,
            exact: false,
            spread: entry.spread,
            key: entry.key.as_deref().map(keep),
            anchor: entry.anchor.as_deref().map(keep),
            removed_without: entry.removed_without.as_deref().map(keep),
        })
    }

    fn members(
        &self,
        owner: &Spanned<String>,
        entries: &[MemberEntry],
        spread: bool,
    ) -> Result<Vec<Member>, DictionaryError> {
        if entries.is_empty() {
            return self.refuse(owner, "a group needs members");
        }
        let mut names = HashSet::new();
        let mut sources = HashSet::new();
        let mut members = Vec::new();
        for entry in entries {
            if !names.insert(entry.name.get_ref()) || !sources.insert(&entry.source) {
                return self.refuse(&entry.name, "a member's name and source must be given once");
            }
            members.push(self.member(entry, spread)?);
        }
        Ok(members)
    }

    fn member(&self, entry: &MemberEntry, spread: bool) -> Result<Member, DictionaryError> {
        let is_element = entry.source != "." && !entry.source.starts_with('@');
        if entry.source != "." {
            self.element(&entry.name, entry.source.trim_start_matches('@'))?;
        }
        if spread && !is_element {
            return self.refuse(&entry.name, "a scattered member must be an element");
        }
        let is_list = entry.value == ValueKind::List;
        if is_list && (spread || !is_element) {
            return self.refuse(&entry.name, "a list must be a child element of its group");
        }
        if is_list == entry.members.is_empty() {
            return self.refuse(&entry.name, "`members` belongs to every list and to no other");
        }
        let members = if is_list { self.members(&entry.name, &entry.members, false)? } else { Vec::new() };
        Ok(Member {
            name: keep(entry.name.get_ref()),
            source: keep(&entry.source),
            value: entry.value,
            zh: keep(&entry.zh),
            en: keep(&entry.en),
            personal: entry.personal,
            members: members.leak(),
            required: entry.required,
            exact: entry.exact,
            sequence: entry.sequence,
            one_of: keep_all(&entry.one_of),
        })
    }
}

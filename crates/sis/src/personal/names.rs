//! The names of elements and attributes under which personal data stands.

use std::collections::HashSet;

use crate::{Dictionary, Member};

/// Elements that are personal or have a personal attribute.
pub(super) fn elements(dictionary: &Dictionary) -> HashSet<&'static str> {
    let lists = dictionary.references().iter().filter(|list| list.personal).map(|list| list.name);
    let mut hidden: HashSet<&str> = lists.collect();
    for field in dictionary.fields() {
        if field.personal {
            hidden.extend(field.elements());
        } else {
            members(field.members, field.element, &mut hidden);
        }
    }
    hidden
}

/// An attribute and an element's own text are hidden with their element.
fn members(members: &[Member], holder: &'static str, hidden: &mut HashSet<&'static str>) {
    for member in members {
        let is_element = member.source != "." && !member.source.starts_with('@');
        let element = if is_element { member.source } else { holder };
        if member.personal {
            hidden.insert(element);
        }
        self::members(member.members, element, hidden);
    }
}

/// Is what stands at `path` of a record's unknown parts ([`crate::Record::extra`]), or anything in
/// it, to be kept from those without the right? It goes by names alone, whatever their case: of
/// personal elements, of what stands in personal groups and lists, and of groups that hold anything
/// personal. Rather too much than too little.
pub fn is_personal_part(path: &str, content: &str, dictionary: &Dictionary) -> bool {
    let hidden = everything(dictionary);
    let is_hidden = |name: &str| hidden.contains(name.to_ascii_uppercase().as_str());
    path.split(['/', '@']).any(is_hidden) || (content.contains('<') && words(content).any(is_hidden))
}

/// What could be a name of an element or attribute in raw XML.
fn words(content: &str) -> impl Iterator<Item = &str> {
    content.split(|one: char| !one.is_alphanumeric() && !"_-.".contains(one)).filter(|word| !word.is_empty())
}

/// Upper case, as dictionaries write names.
fn everything(dictionary: &Dictionary) -> HashSet<&'static str> {
    let mut hidden = elements(dictionary);
    for field in dictionary.fields().iter().filter(|field| field.personal || holds(field.members)) {
        hidden.insert(field.element);
        if field.personal {
            sources(field.members, &mut hidden);
        }
    }
    for list in dictionary.references().iter().filter(|list| list.personal) {
        hidden.extend(list.children.iter().map(|child| child.element));
    }
    hidden
}

fn holds(members: &[Member]) -> bool {
    members.iter().any(|member| member.personal || holds(member.members))
}

fn sources(members: &[Member], hidden: &mut HashSet<&'static str>) {
    for member in members {
        hidden.insert(member.source.trim_start_matches('@'));
        sources(member.members, hidden);
    }
}

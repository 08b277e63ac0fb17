//! Reference lists: records taken as they are sent, under their own element names.

use super::Reference;
use super::scope::{Refusal, Scope};
use crate::xml::tree::{NodeId, Tree};
use crate::{ReferenceChild, ReferenceList, Value};

pub(super) fn read(scope: &Scope<'_>, list: &'static ReferenceList) -> Result<Reference, Refusal> {
    let declared_records = scope.count(Tree::ROOT, "RECS")?;
    let nodes = scope.tree.children_named(Tree::ROOT, list.name);
    let records = nodes.map(|node| record(scope.tree, list, node)).collect();
    Ok(Reference { list: list.name.to_owned(), declared_records, records })
}

fn record(tree: &Tree, list: &'static ReferenceList, node: NodeId) -> Value {
    let mut object = Vec::with_capacity(list.children.len());
    for child in list.children {
        let nodes = tree.children_named(node, child.element);
        let mut values: Vec<Value> = nodes.filter_map(|node| value(tree, child, node)).collect();
        if child.repeats && !values.is_empty() || values.len() > 1 {
            object.push((child.element, Value::List(values)));
        } else if let Some(value) = values.pop() {
            object.push((child.element, value));
        }
    }
    let unknown: Vec<Value> = tree
        .children(node)
        .filter(|node| !is_known(tree, list, *node))
        .map(|node| Value::Text(tree.raw(node).to_owned()))
        .collect();
    if !unknown.is_empty() {
        object.push((Reference::EXTRA, Value::List(unknown)));
    }
    Value::Object(object)
}

fn is_known(tree: &Tree, list: &'static ReferenceList, node: NodeId) -> bool {
    let child = list.children.iter().find(|child| child.element == tree.name(node));
    child.is_some_and(|child| value(tree, child, node).is_some())
}

/// `None` where the element has parts that its description doesn't know: it is then kept
/// whole, as its XML.
fn value(tree: &Tree, child: &'static ReferenceChild, node: NodeId) -> Option<Value> {
    let knows = |part: &str| child.parts.contains(&part);
    let attributes_known = tree
        .attributes(node)
        .all(|one| child.parts.iter().any(|part| part.strip_prefix('@') == Some(one.name)));
    let mut children = tree.children(node);
    let children_known = children.all(|one| knows(tree.name(one)) && is_plain(tree, one));
    if !attributes_known || !children_known {
        return None;
    }
    if child.parts.is_empty() {
        return Some(Value::Text(tree.text(node).to_owned()));
    }
    let text = tree.text(node);
    if !text.is_empty() && !knows(".") {
        return None;
    }
    let mut object = Vec::with_capacity(child.parts.len());
    for part in child.parts {
        let found = match part.strip_prefix('@') {
            Some(attribute) => tree.attribute(node, attribute).map(|one| one.value.trim()),
            None if *part == "." => Some(text).filter(|text| !text.is_empty()),
            None => {
                let mut found = tree.children_named(node, part);
                let first = found.next();
                if found.next().is_some() {
                    return None;
                }
                first.map(|one| tree.text(one))
            }
        };
        object.extend(found.map(|text| (*part, Value::Text(text.to_owned()))));
    }
    Some(Value::Object(object))
}

fn is_plain(tree: &Tree, node: NodeId) -> bool {
    !tree.has_children(node) && tree.attributes(node).next().is_none()
}

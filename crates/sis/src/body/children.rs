//! Which child feeds which member, found in one pass: senders keep to the order of the
//! format's notes, so the next child is nearly always the next member's.

use crate::Member;
use crate::xml::tree::{NodeId, Tree};

/// The children of one element, each with the number of its member.
pub(super) struct Children {
    found: Vec<(NodeId, Option<usize>)>,
}

impl Children {
    pub(super) fn of(tree: &Tree, node: NodeId, members: &[Member]) -> Self {
        let mut expected = 0;
        let mut found = Vec::new();
        if tree.has_children(node) {
            found.reserve(members.len());
        }
        for child in tree.children(node) {
            let name = tree.name(child);
            let (before, after) = members.split_at(expected);
            let is_it = |member: &Member| member.source == name;
            let later = after.iter().position(is_it).map(|number| number + expected);
            let member = later.or_else(|| before.iter().position(is_it));
            expected = member.unwrap_or(expected);
            found.push((child, member));
        }
        Self { found }
    }

    /// In document order.
    pub(super) fn of_member(&self, number: usize) -> impl Iterator<Item = NodeId> {
        self.found.iter().filter(move |(_, member)| *member == Some(number)).map(|(child, _)| *child)
    }

    /// Those that no member describes.
    pub(super) fn unknown(&self) -> impl Iterator<Item = NodeId> {
        self.found.iter().filter(|(_, member)| member.is_none()).map(|(child, _)| *child)
    }
}

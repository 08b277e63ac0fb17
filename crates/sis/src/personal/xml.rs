//! A message's XML for those who may not see personal data.

use super::MASK;
use super::names::elements;
use crate::xml::tree::Tree;
use crate::{Dictionary, Envelope};

/// The XML as it was sent, with [`MASK`] as the content of every element that is personal or
/// has a personal attribute. It goes by names alone, whatever TYPE and STYP say: rather too
/// much than too little. What can't be read has no envelope, and must be kept back whole.
pub fn masked_xml(envelope: &Envelope, dictionary: &Dictionary) -> String {
    let tree = envelope.tree();
    let hidden = elements(dictionary);
    let source = tree.source();
    let mut out = String::with_capacity(source.len());
    let (mut node, mut copied) = (Tree::ROOT, 0);
    while node < tree.end(Tree::ROOT) {
        let name = tree.name(node);
        if !hidden.contains(name) {
            node += 1;
            continue;
        }
        let start = tree.offset(node);
        out.push_str(&source[copied..start]);
        out.push_str(&format!("<{name}>{MASK}</{name}>"));
        copied = start + tree.raw(node).len();
        node = tree.end(node);
    }
    out.push_str(&source[copied..]);
    out
}

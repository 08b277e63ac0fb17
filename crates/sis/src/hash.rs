//! The fingerprint of a message's content, by which a repeat is told from a re-issue.

use sha2::{Digest, Sha256};

use crate::xml::tree::{Attribute, NodeId, Tree};

/// Bytes collected before they go to the digest.
const BLOCK_BYTES: usize = 8 * 1024;

/// Digest of everything but META, plus DTTM: names, attributes in order of their names, and
/// trimmed texts, in document order. Layout, comments, encoding, the order of attributes and
/// the schema hints on the root don't count. Every part carries its kind and length, so no
/// two contents give the same bytes.
pub(crate) fn content(tree: &Tree, dttm: &str) -> [u8; 32] {
    let mut hasher = Hasher { digest: Sha256::new(), block: Vec::with_capacity(2 * BLOCK_BYTES) };
    let mut open: Vec<NodeId> = Vec::new();
    let mut node = Tree::ROOT;
    while node < tree.end(Tree::ROOT) {
        while open.pop_if(|end| *end == node).is_some() {
            hasher.part(b'/', "");
        }
        if open.len() == 1 && tree.name(node) == "META" {
            node = tree.end(node);
            continue;
        }
        hasher.element(tree, node);
        open.push(tree.end(node));
        node += 1;
    }
    open.iter().for_each(|_| hasher.part(b'/', ""));
    hasher.part(b'D', dttm);
    hasher.digest.update(&hasher.block);
    hasher.digest.finalize().into()
}

struct Hasher {
    digest: Sha256,
    block: Vec<u8>,
}

impl Hasher {
    fn element(&mut self, tree: &Tree, node: NodeId) {
        self.part(b'E', tree.name(node));
        let mut attributes: Vec<Attribute<'_>> = tree
            .attributes(node)
            .filter(|attribute| node != Tree::ROOT || !is_hint(attribute.name))
            .collect();
        attributes.sort_unstable_by_key(|attribute| attribute.name);
        for attribute in attributes {
            self.part(b'A', attribute.name);
            self.part(b'V', attribute.value.trim());
        }
        let text = tree.text(node);
        if !text.is_empty() {
            self.part(b'T', text);
        }
    }

    fn part(&mut self, kind: u8, text: &str) {
        let mut head = [kind; 1 + size_of::<u64>()];
        head[1..].copy_from_slice(&(text.len() as u64).to_le_bytes());
        self.block.extend_from_slice(&head);
        self.block.extend_from_slice(text.as_bytes());
        if self.block.len() >= BLOCK_BYTES {
            self.digest.update(&self.block);
            self.block.clear();
        }
    }
}

/// Namespace declarations and schema locations.
fn is_hint(attribute: &str) -> bool {
    attribute == "xmlns" || attribute.starts_with("xmlns:") || attribute.starts_with("xsi:")
}

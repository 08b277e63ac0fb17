//! The element tree of one message: an arena of ranges into the text, so that neither a name
//! nor a text is copied unless an entity had to be expanded.

use std::fmt;

use crate::Position;

/// A range of the source text, or of the buffer of expanded texts.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Span {
    start: u32,
    end: u32,
    expanded: bool,
}

/// Number of an element in document order; the root is 0.
pub(crate) type NodeId = usize;

#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) text: Span,
    /// Attributes `first..last` of the tree.
    pub(super) attributes: (u32, u32),
    pub(super) parent: u32,
    /// One past its last descendant.
    pub(super) end: u32,
    /// The element in the source, tags included: `start..stop`.
    pub(super) start: u32,
    pub(super) stop: u32,
    /// Length of the name, which begins after the `<`. Names are short, or refused.
    pub(super) name_bytes: u8,
}

impl Node {
    pub(super) fn name<'t>(&self, text: &'t str) -> &'t str {
        let start = self.start as usize + 1;
        &text[start..start + usize::from(self.name_bytes)]
    }
}

#[derive(Debug, Clone)]
pub(super) struct AttributeNode {
    pub(super) name: Span,
    pub(super) value: Span,
    /// Where its name begins in the source.
    pub(super) at: u32,
}

#[derive(Clone, Default)]
pub(crate) struct Tree {
    pub(super) text: String,
    pub(super) expanded: String,
    pub(super) nodes: Vec<Node>,
    pub(super) attributes: Vec<AttributeNode>,
}

/// Never shows content: a message may hold personal data, and what is debugged is logged.
impl fmt::Debug for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tree").field("bytes", &self.text.len()).field("elements", &self.nodes.len()).finish()
    }
}

/// One attribute of an element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Attribute<'t> {
    pub(crate) name: &'t str,
    /// Entities expanded, not trimmed.
    pub(crate) value: &'t str,
    /// Byte offset of its name.
    pub(crate) offset: usize,
}

impl Span {
    /// Offsets fit 32 bits: longer texts are refused before parsing.
    pub(super) fn source(start: usize, end: usize) -> Self {
        Self { start: narrow(start), end: narrow(end), expanded: false }
    }

    pub(super) fn expanded(start: usize, end: usize) -> Self {
        Self { start: narrow(start), end: narrow(end), expanded: true }
    }

    /// The range of a text whose offsets are those of the tree.
    pub(super) fn of(self, text: &str) -> &str {
        &text[self.start as usize..self.end as usize]
    }
}

pub(super) fn narrow(number: usize) -> u32 {
    u32::try_from(number).expect("texts over 32 bits are refused before parsing")
}

impl Tree {
    fn slice(&self, span: Span) -> &str {
        let text = if span.expanded { &self.expanded } else { &self.text };
        span.of(text)
    }

    pub(crate) const ROOT: NodeId = 0;

    pub(crate) fn name(&self, node: NodeId) -> &str {
        self.nodes[node].name(&self.text)
    }

    /// The element's own text, trimmed; pieces between child elements are joined.
    pub(crate) fn text(&self, node: NodeId) -> &str {
        self.slice(self.nodes[node].text).trim()
    }

    /// The element as it was sent, tags included.
    pub(crate) fn raw(&self, node: NodeId) -> &str {
        &self.text[self.offset(node)..self.nodes[node].stop as usize]
    }

    pub(crate) fn offset(&self, node: NodeId) -> usize {
        self.nodes[node].start as usize
    }

    pub(crate) fn has_children(&self, node: NodeId) -> bool {
        self.nodes[node].end as usize > node + 1
    }

    /// One past the last descendant.
    pub(crate) fn end(&self, node: NodeId) -> NodeId {
        self.nodes[node].end as usize
    }

    pub(crate) fn children(&self, node: NodeId) -> Children<'_> {
        Children { tree: self, next: node + 1, end: self.end(node) }
    }

    pub(crate) fn children_named(&self, node: NodeId, name: &str) -> impl Iterator<Item = NodeId> {
        self.children(node).filter(move |child| self.name(*child) == name)
    }

    pub(crate) fn attributes(&self, node: NodeId) -> impl Iterator<Item = Attribute<'_>> {
        let (first, last) = self.nodes[node].attributes;
        self.attributes[first as usize..last as usize].iter().map(|attribute| Attribute {
            name: self.slice(attribute.name),
            value: self.slice(attribute.value),
            offset: attribute.at as usize,
        })
    }

    pub(crate) fn attribute(&self, node: NodeId, name: &str) -> Option<Attribute<'_>> {
        self.attributes(node).find(|attribute| attribute.name == name)
    }

    /// Element path with a number where a name repeats among siblings: `MSG/FLOP[2]/DELY`.
    pub(crate) fn path(&self, node: NodeId) -> String {
        let mut steps = Vec::new();
        let mut current = node;
        loop {
            steps.push(self.step(current));
            if current == Self::ROOT {
                break;
            }
            current = self.nodes[current].parent as usize;
        }
        steps.reverse();
        steps.join("/")
    }

    fn step(&self, node: NodeId) -> String {
        let name = self.name(node);
        if node == Self::ROOT {
            return name.to_owned();
        }
        let parent = self.nodes[node].parent as usize;
        let before = self.children_named(parent, name).take_while(|sibling| *sibling < node).count();
        let repeats = self.children_named(parent, name).nth(1).is_some();
        if repeats { format!("{name}[{}]", before + 1) } else { name.to_owned() }
    }

    pub(crate) fn position(&self, offset: usize) -> Position {
        Position::of(&self.text, offset)
    }

    /// The text whose offsets are those of the tree.
    pub(crate) fn source(&self) -> &str {
        &self.text
    }
}

pub(crate) struct Children<'t> {
    tree: &'t Tree,
    next: NodeId,
    end: NodeId,
}

impl Iterator for Children<'_> {
    type Item = NodeId;

    fn next(&mut self) -> Option<NodeId> {
        if self.next >= self.end {
            return None;
        }
        let child = self.next;
        self.next = self.tree.end(child);
        Some(child)
    }
}

//! What every part of the interpretation needs: the tree, and how to say what is wrong.

use std::cell::Cell;

use crate::problem::Cursor;
use crate::xml::tree::{NodeId, Tree};
use crate::{Position, Problem, Value, ValueKind, form};

/// Longest piece of a message quoted in a problem, in characters.
const QUOTE_MAX: usize = 40;

/// A problem on its way out. Boxed, because results pass through many hands and nearly all
/// bring a value, which is a third as long.
pub(super) type Refusal = Box<Problem>;

pub(super) struct Scope<'t> {
    pub(super) tree: &'t Tree,
    cursor: Cell<Cursor>,
}

/// What is known of a place where a value is expected.
#[derive(Clone, Copy)]
pub(super) struct Expected {
    pub(super) value: ValueKind,
    pub(super) exact: bool,
    pub(super) one_of: &'static [&'static str],
    /// The text must not be quoted.
    pub(super) personal: bool,
}

impl<'t> Scope<'t> {
    pub(super) fn new(tree: &'t Tree) -> Self {
        Self { tree, cursor: Cell::default() }
    }

    /// Where an element begins; asked in document order it costs one pass over the text.
    pub(super) fn position(&self, node: NodeId) -> Position {
        let mut cursor = self.cursor.get();
        let position = cursor.position(self.tree.source(), self.tree.offset(node));
        self.cursor.set(cursor);
        position
    }

    pub(super) fn malformed<T>(&self, node: NodeId, words: String) -> Result<T, Refusal> {
        Err(Box::new(Problem::malformed(self.position(node), self.tree.path(node), words)))
    }

    pub(super) fn codec<T>(&self, node: NodeId, words: String) -> Result<T, Refusal> {
        Err(Box::new(Problem::codec(self.position(node), self.tree.path(node), words)))
    }

    /// The only child of that name, or none.
    pub(super) fn at_most_one(&self, parent: NodeId, name: &str) -> Result<Option<NodeId>, Refusal> {
        let mut found = self.tree.children_named(parent, name);
        let first = found.next();
        match found.next() {
            Some(second) => self.malformed(second, format!("{name} is given twice")),
            None => Ok(first),
        }
    }

    /// The value of an element without children; `None` where it is empty.
    #[inline]
    pub(super) fn element_value(&self, node: NodeId, expected: Expected) -> Result<Option<Value>, Refusal> {
        if self.tree.has_children(node) {
            return self.codec(node, "elements were found where a value was expected".to_owned());
        }
        self.own_text(node, expected)
    }

    /// The value of an element's own text, whatever children it has.
    #[inline]
    pub(super) fn own_text(&self, node: NodeId, expected: Expected) -> Result<Option<Value>, Refusal> {
        expected.read(self.tree.text(node)).or_else(|words| self.codec(node, words))
    }

    /// The value of an attribute; `None` where it is absent or empty.
    pub(super) fn attribute_value(
        &self,
        node: NodeId,
        name: &str,
        expected: Expected,
    ) -> Result<Option<Value>, Refusal> {
        let Some(attribute) = self.tree.attribute(node, name) else { return Ok(None) };
        expected.read(attribute.value.trim()).map_err(|words| {
            let path = format!("{}@{name}", self.tree.path(node));
            Box::new(Problem::codec(self.tree.position(attribute.offset), path, words))
        })
    }

    /// A whole number that isn't negative, such as RECS; `None` where it is absent or empty.
    pub(super) fn count(&self, parent: NodeId, name: &str) -> Result<Option<u64>, Refusal> {
        let Some(node) = self.at_most_one(parent, name)? else { return Ok(None) };
        let text = self.tree.text(node);
        if text.is_empty() {
            return Ok(None);
        }
        match text.parse() {
            Ok(count) => Ok(Some(count)),
            Err(_) => self.codec(node, format!("`{}` was found, a count was expected", quote(text))),
        }
    }
}

impl Expected {
    #[inline]
    fn read(self, text: &str) -> Result<Option<Value>, String> {
        if text.is_empty() {
            return Ok(None);
        }
        if !self.one_of.is_empty() && !self.one_of.contains(&text) {
            return Err(self.words(text, &self.one_of.join(" or ")));
        }
        form::read(text, self.value, self.exact).map(Some).map_err(|form| self.words(text, form))
    }

    fn words(self, text: &str, form: &str) -> String {
        // Personal data stays out of logs and error columns.
        if self.personal {
            format!("a personal value (not shown) was found, {form} was expected")
        } else {
            format!("`{}` was found, {form} was expected", quote(text))
        }
    }
}

fn quote(text: &str) -> String {
    match text.char_indices().nth(QUOTE_MAX) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

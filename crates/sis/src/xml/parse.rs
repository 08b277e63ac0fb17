//! Text to tree: what makes pieces of markup a document. One root, closed, with nothing before
//! or after it; every end tag that of the innermost element; all of it within the limits.

use super::attributes::{self, Fault};
use super::characters;
use super::frames::Frames;
use super::markup::{self, Piece};
use super::tree::{Node, Span, Tree, narrow};
use crate::{Limits, Position, Problem, ProblemKind};

/// Reads a whole document within its limits, in time and memory proportional to its length.
pub(crate) fn parse(text: String, limits: &Limits) -> Result<Tree, Problem> {
    if let Some((offset, found)) = characters::first_forbidden(&text) {
        let words = format!("character U+{:04X} is not allowed in XML", u32::from(found));
        return Err(Problem::malformed(Position::of(&text, offset), String::new(), words));
    }
    let mut builder = Builder { limits, tree: Tree::default(), frames: Frames::default() };
    match builder.run(&text) {
        Ok(()) => {
            builder.tree.text = text;
            Ok(builder.tree)
        }
        Err((offset, words)) => {
            let innermost = builder.frames.innermost();
            while builder.frames.depth() > 0 {
                builder.close(text.len());
            }
            builder.tree.text = text;
            let path = innermost.map(|node| builder.tree.path(node)).unwrap_or_default();
            Err(Problem {
                kind: ProblemKind::Malformed,
                position: builder.tree.position(offset),
                path,
                text: words,
            })
        }
    }
}

struct Builder<'l> {
    limits: &'l Limits,
    tree: Tree,
    frames: Frames,
}

impl Builder<'_> {
    fn run(&mut self, text: &str) -> Result<(), Fault> {
        // Blanks and byte order marks before the declaration were seen in the field.
        let base = text.len() - text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']).len();
        if !text[base..].contains('<') {
            return Err((
                base,
                if base == text.len() { "the message is empty" } else { "no XML root element" }.into(),
            ));
        }
        let mut at = base;
        while let Some((piece, end)) = markup::next(text, at)? {
            match piece {
                Piece::Open { name, attributes, is_empty } => {
                    self.open(name, attributes, at)?;
                    if is_empty {
                        self.close(end);
                    }
                }
                Piece::Close { name } => self.end_tag(text, name, at, end)?,
                Piece::Text => self.text(text, at, end)?,
                Piece::Characters => {
                    let (start, end) = (at + markup::CDATA_OPEN.len(), end - markup::CDATA_CLOSE.len());
                    self.piece(text, at, start, end)?;
                }
                Piece::Reference { name } => self.reference(text, at, name)?,
                Piece::Declaration if at != base => {
                    return Err((at, "an XML declaration can only stand first".into()));
                }
                Piece::Declaration | Piece::Aside => {}
            }
            at = end;
        }
        self.finish(at)
    }

    fn open(&mut self, name: &str, attributes: &str, start: usize) -> Result<(), Fault> {
        if self.frames.depth() == 0 && !self.tree.nodes.is_empty() {
            return Err((start, "a second root element".into()));
        }
        if self.frames.depth() >= self.limits.depth_max {
            return Err((start, format!("elements nested more than {} deep", self.limits.depth_max)));
        }
        if self.tree.nodes.len() + self.tree.attributes.len() >= self.limits.nodes_max {
            return Err((start, attributes::nodes_limit(self.limits)));
        }
        if !characters::is_name(name) {
            return Err((start, "this can't be the name of an element".into()));
        }
        let name_end = start + 1 + name.len();
        let attributes = attributes::read(&mut self.tree, attributes, name_end, self.limits)?;
        let node = self.tree.nodes.len();
        self.tree.nodes.push(Node {
            text: Span::default(),
            attributes,
            parent: narrow(self.frames.innermost().unwrap_or(Tree::ROOT)),
            end: narrow(node + 1),
            start: narrow(start),
            stop: narrow(start),
            name_bytes: u8::try_from(name.len()).expect("a checked name is short"),
        });
        self.frames.push(node);
        Ok(())
    }

    fn end_tag(&mut self, text: &str, name: &str, start: usize, end: usize) -> Result<(), Fault> {
        let words = match self.frames.innermost() {
            Some(node) => {
                let opened = self.tree.nodes[node].name(text);
                if opened == name {
                    self.close(end);
                    return Ok(());
                }
                format!(
                    "not well-formed XML: `</{opened}>` was expected, `</{}>` was found",
                    markup::quote(name)
                )
            }
            None => format!("not well-formed XML: `</{}>` ends no element", markup::quote(name)),
        };
        Err((start, words))
    }

    fn close(&mut self, end: usize) {
        if let Some((node, text)) = self.frames.pop(&mut self.tree) {
            let last = narrow(self.tree.nodes.len());
            let node = &mut self.tree.nodes[node];
            node.text = text;
            node.end = last;
            node.stop = narrow(end);
        }
    }

    fn text(&mut self, text: &str, start: usize, end: usize) -> Result<(), Fault> {
        let piece = &text[start..end];
        // Rare in texts, and needed for what is searched next.
        if piece.as_bytes().contains(&b'>')
            && let Some(found) = piece.find("]]>")
        {
            return Err((start + found, "`]]>` can't stand in a text".into()));
        }
        if self.frames.depth() == 0 && piece.trim_ascii().is_empty() {
            return Ok(());
        }
        self.piece(text, start, start, end)
    }

    fn piece(&mut self, text: &str, at: usize, start: usize, end: usize) -> Result<(), Fault> {
        let frame = self.frames.top().ok_or((at, OUTSIDE.to_owned()))?;
        frame.source(text, start, end, self.limits).map_err(|words| (at, words))
    }

    fn reference(&mut self, text: &str, start: usize, name: &str) -> Result<(), Fault> {
        let frame = self.frames.top().ok_or((start, OUTSIDE.to_owned()))?;
        let character = characters::reference(name)
            .ok_or_else(|| (start, "`&` is not followed by an entity that XML knows".to_owned()))?;
        frame.character(text, character, self.limits).map_err(|words| (start, words))
    }

    fn finish(&self, end: usize) -> Result<(), Fault> {
        match self.frames.innermost() {
            Some(_) => Err((end, "the message ends here, before this element does".into())),
            None if self.tree.nodes.is_empty() => Err((end, "no XML root element".into())),
            None => Ok(()),
        }
    }
}

const OUTSIDE: &str = "text outside the root element";

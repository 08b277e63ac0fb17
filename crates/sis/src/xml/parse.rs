//! Text to tree. quick-xml finds the tokens; what makes them a document is checked here,
//! because a reader of streams accepts a text that ends early or goes on too long.

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::attributes::{self, Fault};
use super::characters;
use super::frames::Frames;
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
        let mut reader = Reader::from_str(&text[base..]);
        reader.config_mut().check_comments = true;
        loop {
            let start = base + position(reader.buffer_position());
            let event = match reader.read_event() {
                Ok(event) => event,
                Err(error) => {
                    let at = base + position(reader.error_position());
                    return Err((at, refusal(&text[start..], &error)));
                }
            };
            let end = base + position(reader.buffer_position());
            match event {
                Event::Start(tag) => self.open(&tag, start)?,
                Event::Empty(tag) => {
                    self.open(&tag, start)?;
                    self.close(end);
                }
                Event::End(_) => self.close(end),
                Event::Text(_) => self.text(text, start, end)?,
                Event::CData(_) => self.piece(text, start, start + CDATA_OPEN, end - CDATA_CLOSE)?,
                Event::GeneralRef(name) => self.reference(text, start, &name)?,
                Event::Comment(_) | Event::PI(_) => {}
                Event::Decl(_) if start == base => {}
                Event::Decl(_) => return Err((start, "an XML declaration can only stand first".into())),
                Event::DocType(_) => return Err((start, DTD.into())),
                Event::Eof => return self.finish(end),
            }
        }
    }

    fn open(&mut self, tag: &BytesStart<'_>, start: usize) -> Result<(), Fault> {
        if self.frames.depth() == 0 && !self.tree.nodes.is_empty() {
            return Err((start, "a second root element".into()));
        }
        if self.frames.depth() >= self.limits.depth_max {
            return Err((start, format!("elements nested more than {} deep", self.limits.depth_max)));
        }
        if self.tree.nodes.len() + self.tree.attributes.len() >= self.limits.nodes_max {
            return Err((start, attributes::nodes_limit(self.limits)));
        }
        let name = tag.name();
        if !characters::is_name(name.0) {
            return Err((start, "this can't be the name of an element".into()));
        }
        let name_end = start + 1 + name.0.len();
        let attributes = attributes::read(&mut self.tree, tag.attributes_raw(), name_end, self.limits)?;
        let node = self.tree.nodes.len();
        self.tree.nodes.push(Node {
            name: Span::source(start + 1, name_end),
            text: Span::default(),
            attributes,
            parent: narrow(self.frames.innermost().unwrap_or(Tree::ROOT)),
            end: narrow(node + 1),
            source: Span::source(start, start),
        });
        self.frames.push(node);
        Ok(())
    }

    fn close(&mut self, end: usize) {
        if let Some((node, text)) = self.frames.pop(&mut self.tree) {
            let last = narrow(self.tree.nodes.len());
            let start = self.tree.offset(node);
            let node = &mut self.tree.nodes[node];
            node.text = text;
            node.end = last;
            node.source = Span::source(start, end);
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

const CDATA_OPEN: usize = "<![CDATA[".len();
const CDATA_CLOSE: usize = "]]>".len();
const OUTSIDE: &str = "text outside the root element";
const DTD: &str = "a document type definition (DTD) is refused: SIS has none, and its entities could do harm";

/// Longest refusal in characters.
const REFUSAL_MAX: usize = 300;

fn position(offset: u64) -> usize {
    usize::try_from(offset).expect("an offset within a text in memory")
}

fn refusal(rest: &str, error: &quick_xml::Error) -> String {
    let is_doctype = rest.get(..9).is_some_and(|start| start.eq_ignore_ascii_case("<!doctype"));
    if is_doctype {
        return DTD.to_owned();
    }
    // The error quotes tags, which can be as long as the message.
    format!("not well-formed XML: {error}").chars().take(REFUSAL_MAX).collect()
}

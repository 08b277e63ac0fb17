//! The open elements while a text is read, and the texts they collect.

use super::tree::{NodeId, Span, Tree};
use crate::Limits;

/// The stack of open elements. Frames and their buffers are used again, so that a message
/// costs no allocation per element.
#[derive(Debug, Default)]
pub(super) struct Frames {
    frames: Vec<Frame>,
    depth: usize,
}

#[derive(Debug, Default)]
pub(super) struct Frame {
    pub(super) node: NodeId,
    /// A text of one piece stays in the source.
    piece: Option<(usize, usize)>,
    /// A text of several pieces, or with references, is put together here.
    buffer: String,
}

impl Frames {
    pub(super) fn depth(&self) -> usize {
        self.depth
    }

    pub(super) fn push(&mut self, node: NodeId) {
        if self.depth == self.frames.len() {
            self.frames.push(Frame::default());
        }
        self.frames[self.depth].node = node;
        self.depth += 1;
    }

    pub(super) fn top(&mut self) -> Option<&mut Frame> {
        self.depth.checked_sub(1).map(|top| &mut self.frames[top])
    }

    /// Closes the innermost element and gives its number and text.
    pub(super) fn pop(&mut self, tree: &mut Tree) -> Option<(NodeId, Span)> {
        let frame = self.top()?;
        let text = frame.finish(tree);
        let node = frame.node;
        self.depth -= 1;
        Some((node, text))
    }

    /// The innermost open element.
    pub(super) fn innermost(&self) -> Option<NodeId> {
        self.depth.checked_sub(1).map(|top| self.frames[top].node)
    }
}

impl Frame {
    /// A piece of the source without references.
    pub(super) fn source(
        &mut self,
        text: &str,
        start: usize,
        end: usize,
        limits: &Limits,
    ) -> Result<(), String> {
        let piece = &text[start..end];
        let is_first = self.piece.is_none() && self.buffer.is_empty();
        if is_first && piece.trim_ascii().is_empty() {
            return Ok(());
        }
        if is_first && !piece.contains('\r') {
            self.piece = Some((start, end));
            return if piece.len() > limits.text_max { Err(text_limit(limits)) } else { Ok(()) };
        }
        self.take_piece(text);
        push_lines(&mut self.buffer, piece);
        self.check(limits)
    }

    /// A character that a reference stands for.
    pub(super) fn character(&mut self, text: &str, character: char, limits: &Limits) -> Result<(), String> {
        self.take_piece(text);
        self.buffer.push(character);
        self.check(limits)
    }

    fn take_piece(&mut self, text: &str) {
        if let Some((start, end)) = self.piece.take() {
            self.buffer.push_str(&text[start..end]);
        }
    }

    fn check(&self, limits: &Limits) -> Result<(), String> {
        if self.buffer.len() > limits.text_max { Err(text_limit(limits)) } else { Ok(()) }
    }

    fn finish(&mut self, tree: &mut Tree) -> Span {
        if let Some((start, end)) = self.piece.take() {
            return Span::source(start, end);
        }
        let start = tree.expanded.len();
        tree.expanded.push_str(&self.buffer);
        self.buffer.clear();
        Span::expanded(start, tree.expanded.len())
    }
}

pub(super) fn text_limit(limits: &Limits) -> String {
    format!("a text of more than {} bytes", limits.text_max)
}

/// Line ends become line feeds, as XML asks.
fn push_lines(out: &mut String, piece: &str) {
    let mut lines = piece.split('\r');
    out.push_str(lines.next().unwrap_or_default());
    for line in lines {
        out.push('\n');
        out.push_str(line.strip_prefix('\n').unwrap_or(line));
    }
}

//! What is wrong with a message, where, and in words.

use std::fmt;

/// A place in the decoded text of a message. Lines and columns count from 1, columns in
/// characters; `offset` counts bytes from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Position {
    /// Line, from 1.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
    /// Byte offset in the text, from 0.
    pub offset: usize,
}

impl Position {
    /// The position of a byte offset in a text.
    pub(crate) fn of(text: &str, offset: usize) -> Self {
        Cursor::default().position(text, offset)
    }
}

/// Counts lines and columns forward, so that many positions in rising order cost one pass.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor {
    at: Position,
}

impl Default for Cursor {
    fn default() -> Self {
        Self { at: Position { line: 1, column: 1, offset: 0 } }
    }
}

impl Cursor {
    /// The position of `offset`; an offset before the last one starts again from the top.
    pub(crate) fn position(&mut self, text: &str, offset: usize) -> Position {
        if offset < self.at.offset {
            *self = Self::default();
        }
        let passed = text.get(self.at.offset..offset.min(text.len())).unwrap_or_default();
        let counted = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        let lines = memchr::memchr_iter(b'\n', passed.as_bytes()).count();
        let last_line = memchr::memrchr(b'\n', passed.as_bytes()).map_or(passed, |end| &passed[end + 1..]);
        let columns = counted(last_line.chars().count());
        self.at.column =
            if lines == 0 { self.at.column.saturating_add(columns) } else { columns.saturating_add(1) };
        self.at.line = self.at.line.saturating_add(counted(lines));
        self.at.offset = offset;
        self.at
    }
}

/// Who can mend a problem.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProblemKind {
    /// The message itself is broken: no root, not well-formed, no META, a mandatory part
    /// missing, a limit passed. Reading it again can't help.
    Malformed,
    /// Bytes that don't fit the charset, or a value whose form the dictionary doesn't know:
    /// a better reader could read it.
    Codec,
}

/// Why a message can't be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Who can mend it.
    pub kind: ProblemKind,
    /// Where it was found.
    pub position: Position,
    /// Element path, such as `MSG/FLOP[2]/DELY@DURA`; empty where no element is open.
    pub path: String,
    /// One sentence: what was found and what was expected.
    pub text: String,
}

impl Problem {
    pub(crate) fn malformed(position: Position, path: String, text: String) -> Self {
        Self { kind: ProblemKind::Malformed, position, path, text }
    }

    pub(crate) fn codec(position: Position, path: String, text: String) -> Self {
        Self { kind: ProblemKind::Codec, position, path, text }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.position.line, self.position.column)?;
        if !self.path.is_empty() {
            write!(f, ", {}", self.path)?;
        }
        write!(f, ": {}", self.text)
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_count_characters_and_lines_count_line_feeds() {
        let text = "ab\n中文c\n";
        for (offset, line, column) in [(0, 1, 1), (2, 1, 3), (3, 2, 1), (9, 2, 3), (10, 2, 4), (11, 3, 1)] {
            assert_eq!(Position::of(text, offset), Position { line, column, offset });
        }
    }

    #[test]
    fn a_cursor_gives_the_same_positions_in_any_order() {
        let text = "a\nbc\n\nd";
        let mut cursor = Cursor::default();
        for offset in [1, 3, 3, 6, 2, 7] {
            assert_eq!(cursor.position(text, offset), Position::of(text, offset));
        }
    }
}

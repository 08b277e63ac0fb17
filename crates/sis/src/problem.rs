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

//! Bytes to a well-formed element tree with its META.

use jiff::civil;

use crate::{Body, Dictionary, Problem};

/// The META block, each text trimmed and otherwise as sent; empty where absent.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Meta {
    /// SNDR, the sending system.
    pub sender: String,
    /// SEQN (or SEQS), a text: never read as a number.
    pub seqn: String,
    /// DTTM as sent.
    pub dttm: String,
    /// TYPE.
    pub kind: String,
    /// STYP; empty where absent.
    pub subtype: String,
}

impl Meta {
    /// DTTM as a local time; `None` where it is absent or of no known form.
    pub fn sent_at(&self) -> Option<civil::DateTime> {
        None
    }
}

/// What the bytes came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Carrier {
    /// A text column: the database has decoded it, the bytes are UTF-8 and an encoding
    /// declaration means nothing.
    #[default]
    Text,
    /// Raw bytes: a file, a BLOB column, an HTTP body without charset. Byte order mark and
    /// declaration decide; GB2312 and GBK are read as GB18030.
    Bytes,
}

/// What a message may cost. Each limit is inclusive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest message in bytes.
    pub bytes_max: usize,
    /// Deepest nesting of elements.
    pub depth_max: usize,
    /// Most elements and attributes together.
    pub nodes_max: usize,
    /// Longest text of one element or attribute in bytes.
    pub text_max: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { bytes_max: 10 * 1024 * 1024, depth_max: 32, nodes_max: 500_000, text_max: 1024 * 1024 }
    }
}

/// A well-formed message whose META is known and whose body is not yet understood.
#[derive(Debug, Clone)]
pub struct Envelope {
    meta: Meta,
}

/// Reads a whole message: charset, well-formedness (one root, nothing truncated, nothing
/// trailing, no DTD), limits and META.
pub fn read(_bytes: &[u8], _carrier: Carrier, _limits: &Limits) -> Result<Envelope, Problem> {
    todo!()
}

impl Envelope {
    /// The META block.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    /// SHA-256 over the decoded content (elements, attributes, trimmed texts; not layout,
    /// encoding or META) and DTTM: equal for the same message sent in other bytes.
    pub fn content_hash(&self) -> [u8; 32] {
        todo!()
    }

    /// Interprets the body. A TYPE or subtype that the dictionary doesn't know is
    /// [`Body::Unknown`], not a problem.
    pub fn body(&self, _dictionary: &'static Dictionary) -> Result<Body, Problem> {
        todo!()
    }
}

//! Bytes to a well-formed element tree with its META.

use jiff::civil;

use crate::xml::parse::parse;
use crate::xml::tree::{NodeId, Tree};
use crate::{Body, Dictionary, Position, Problem, body, charset, form, hash, wrapper};

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
        form::sent_at(&self.dttm)
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
///
/// The format itself needs five levels; a full day's schedule of a large airport has some
/// 2,000 flights of 100 elements each in 5 MB; the longest text is a remark. Each default is
/// well above that, and low enough that a message refused for a limit costs some tens of
/// milliseconds and megabytes. A tree costs about 40 bytes per element beyond its text.
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
    tree: Tree,
}

/// Reads a whole message: charset, a wrapping in JSON, well-formedness (one root, nothing truncated, nothing
/// trailing, no DTD), limits and META.
pub fn read(bytes: &[u8], carrier: Carrier, limits: &Limits) -> Result<Envelope, Problem> {
    let start = Position { line: 1, column: 1, offset: 0 };
    // Offsets in a tree have 32 bits.
    let bytes_max = limits.bytes_max.min(BYTES_MAX);
    if bytes.len() > bytes_max {
        let words = format!("the message has {} bytes, more than {bytes_max}", bytes.len());
        return Err(Problem::malformed(start, String::new(), words));
    }
    let tree = parse(wrapper::unwrap(charset::text(bytes, carrier)?)?, limits)?;
    let meta = MetaReader { tree: &tree }.read()?;
    Ok(Envelope { meta, tree })
}

/// A text can grow to three bytes per byte when it is decoded.
const BYTES_MAX: usize = 1024 * 1024 * 1024;

impl Envelope {
    /// The META block.
    pub fn meta(&self) -> &Meta {
        &self.meta
    }

    pub(crate) fn tree(&self) -> &Tree {
        &self.tree
    }

    /// SHA-256 over the decoded content (elements, attributes, trimmed texts; not layout,
    /// encoding or META) and DTTM: equal for the same message sent in other bytes.
    pub fn content_hash(&self) -> [u8; 32] {
        hash::content(&self.tree, &self.meta.dttm)
    }

    /// Interprets the body. A TYPE or subtype that the dictionary doesn't know is
    /// [`Body::Unknown`], not a problem.
    pub fn body(&self, dictionary: &'static Dictionary) -> Result<Body, Problem> {
        body::read(&self.tree, &self.meta, dictionary)
    }
}

struct MetaReader<'t> {
    tree: &'t Tree,
}

impl MetaReader<'_> {
    fn read(&self) -> Result<Meta, Problem> {
        let root = self.tree.name(Tree::ROOT);
        if root != "MSG" {
            return self.refuse(Tree::ROOT, format!("the root element is `{root}`, `MSG` was expected"));
        }
        let mut blocks = self.tree.children_named(Tree::ROOT, "META");
        let Some(block) = blocks.next() else {
            return self.refuse(Tree::ROOT, "META is missing".to_owned());
        };
        if let Some(second) = blocks.next() {
            return self.refuse(second, "META is given twice".to_owned());
        }
        for sign in ["DDTM", "MGID"] {
            if self.tree.children_named(block, sign).next().is_some() {
                let words = "META is that of a sibling format (it has DDTM or MGID), not of SIS";
                return self.refuse(block, words.to_owned());
            }
        }
        let seqn = self.one(block, "SEQN")?;
        let meta = Meta {
            sender: self.one(block, "SNDR")?,
            seqn: if seqn.is_empty() { self.one(block, "SEQS")? } else { seqn },
            dttm: self.one(block, "DTTM")?,
            kind: self.one(block, "TYPE")?,
            subtype: self.one(block, "STYP")?,
        };
        if meta.kind.is_empty() {
            return self.refuse(block, "TYPE is missing or empty in META".to_owned());
        }
        Ok(meta)
    }

    fn one(&self, block: NodeId, name: &str) -> Result<String, Problem> {
        let mut found = self.tree.children_named(block, name);
        let text = found.next().map(|node| self.tree.text(node).to_owned()).unwrap_or_default();
        match found.next() {
            Some(second) => self.refuse(second, format!("{name} is given twice in META")),
            None => Ok(text),
        }
    }

    fn refuse<T>(&self, node: NodeId, words: String) -> Result<T, Problem> {
        Err(Problem::malformed(self.tree.position(self.tree.offset(node)), self.tree.path(node), words))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dttm_has_two_forms_and_any_other_is_no_time() {
        let sent_at = |dttm: &str| Meta { dttm: dttm.to_owned(), ..Meta::default() }.sent_at();
        let expected = civil::date(2026, 9, 13).at(10, 41, 9, 0);
        assert_eq!(sent_at("20260913104109"), Some(expected));
        assert_eq!(sent_at("2026-09-13 10:41:09"), Some(expected));
        for other in ["", "13SEP261041", "20260913", "20261341104109", "2026091310410912345"] {
            assert_eq!(sent_at(other), None, "{other}");
        }
    }

    #[test]
    fn debugging_an_envelope_shows_no_content() {
        let xml = "<MSG><META><TYPE>FLOP</TYPE></META><FLOP><REMC>secret</REMC></FLOP></MSG>";
        let envelope = read(xml.as_bytes(), Carrier::Text, &Limits::default()).expect("a good envelope");
        assert!(!format!("{envelope:?}").contains("secret"));
    }
}

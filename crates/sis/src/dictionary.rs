//! The vocabulary as data: elements, groups, subtypes and reference lists.
//!
//! `dictionary.toml` is compiled in; a site's overlay file replaces or adds entries by name.
//! The code knows by name only META, FLID, RECS and the containers; everything else it
//! reads from here, so a new subtype or a dialect needs no new code.

mod check;
mod entries;
mod index;
mod overlay;
mod schema;

use std::sync::LazyLock;

pub use entries::{
    Absent, Evidence, Field, FieldKind, Incomplete, Member, ReferenceChild, ReferenceList, Subtype, ValueKind,
};
use index::Index;
pub(crate) use index::Slot;

/// All a reader knows about the format. Loaded once per process and kept for its life.
#[derive(Debug)]
pub struct Dictionary {
    fields: &'static [Field],
    subtypes: &'static [Subtype],
    references: &'static [ReferenceList],
    ignored: &'static [&'static str],
    index: Index,
}

/// A dictionary file that can't be used: line, key and what is wrong.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct DictionaryError(pub String);

static BASELINE_TEXT: &str = include_str!("../dictionary.toml");

static BASELINE: LazyLock<Dictionary> = LazyLock::new(|| {
    Dictionary::parse(BASELINE_TEXT).expect("the compiled-in dictionary is checked by this crate's tests")
});

impl Dictionary {
    /// The dictionary compiled into the program.
    pub fn baseline() -> &'static Dictionary {
        &BASELINE
    }

    /// Reads a whole dictionary. Unknown keys, double names and dangling references are
    /// refused with line and key. Its strings live as long as the process, since values
    /// carry names as `&'static str`: read it once, at the start.
    pub fn parse(text: &str) -> Result<Dictionary, DictionaryError> {
        check::build(schema::File::parse(text)?)
    }

    /// The compiled-in dictionary with a site's file (`sis.dictionary`) laid over it: an entry
    /// replaces the one of the same name as a whole, any other is added; `rename` gives fields
    /// other names or labels, `ignored` names types that are not processed.
    pub fn overlaid(overlay: &str) -> Result<Dictionary, DictionaryError> {
        let site = schema::File::parse(overlay)?;
        check::build(overlay::lay(schema::File::parse(BASELINE_TEXT)?, site)?)
    }

    /// Messages a site doesn't want processed, as `TYPE-STYP` or `TYPE-*`: to be added to the
    /// pipeline's ignore rules. A body of such a type is decoded like any other.
    pub fn ignored(&self) -> &'static [&'static str] {
        self.ignored
    }

    /// Keeps the dictionary for the life of the process, as decoding needs it.
    pub fn leak(self) -> &'static Dictionary {
        Box::leak(Box::new(self))
    }

    /// Every field, in file order.
    pub fn fields(&self) -> &'static [Field] {
        self.fields
    }

    /// A field by its JSON name.
    pub fn field(&self, name: &str) -> Option<&'static Field> {
        self.index.field_by_name(name).map(|number| &self.fields[number])
    }

    /// Every FLOP subtype, in file order.
    pub fn subtypes(&self) -> &'static [Subtype] {
        self.subtypes
    }

    /// A FLOP subtype by STYP, case-insensitive.
    pub fn subtype(&self, styp: &str) -> Option<&'static Subtype> {
        self.subtypes.iter().find(|subtype| subtype.name.eq_ignore_ascii_case(styp))
    }

    /// Every reference list, in file order.
    pub fn references(&self) -> &'static [ReferenceList] {
        self.references
    }

    /// A reference list by TYPE, case-insensitive.
    pub fn reference(&self, kind: &str) -> Option<&'static ReferenceList> {
        self.references.iter().find(|list| list.name.eq_ignore_ascii_case(kind))
    }

    /// Is TYPE one of the reference lists?
    pub fn is_reference(&self, kind: &str) -> bool {
        self.reference(kind).is_some()
    }

    /// Which field (and which member of a scattered one) a record's child element feeds.
    pub(crate) fn slot(&self, element: &str) -> Option<Slot> {
        self.index.slot(element)
    }

    /// Is the element the marker of a deletion?
    pub(crate) fn is_marker(&self, element: &str) -> bool {
        self.subtypes.iter().any(|subtype| subtype.deletes && subtype.name == element)
    }

    /// The number of a field in [`Dictionary::fields`].
    pub fn number(&self, name: &str) -> Option<usize> {
        self.index.field_by_name(name)
    }
}

#[cfg(test)]
mod tests;

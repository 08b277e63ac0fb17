//! The vocabulary as data: elements, groups, subtypes and reference lists.
//!
//! `dictionary.toml` is compiled in; a site's overlay file replaces or adds entries by name.
//! The code knows by name only META, FLID, RECS and the containers; everything else it
//! reads from here, so a new subtype or a dialect needs no new code.

mod check;
mod index;
mod overlay;
mod schema;

use std::sync::LazyLock;

use serde::Deserialize;

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

/// The type of a scalar, member or attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueKind {
    /// Text or code.
    Text,
    /// Whole number, 64 bits.
    Integer,
    /// Decimal number.
    Decimal,
    /// `DDMONYYHHMM`, or `DDMONYY` for midnight.
    Time,
    /// `DDMONYY`.
    Date,
    /// `HHMM`.
    Clock,
    /// `HHMM` as a duration.
    Minutes,
    /// A list of objects (a group inside a group).
    List,
}

/// How a field behaves when it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FieldKind {
    /// Last writer wins.
    Scalar,
    /// One field of several members, replaced as a whole.
    Structure,
    /// A list, replaced as a whole.
    Ordered,
    /// Entries merged by key.
    Keyed,
}

/// One field of a flight.
#[derive(Debug, PartialEq)]
pub struct Field {
    /// JSON name, camelCase, unique in the dictionary.
    pub name: &'static str,
    /// The element, or for a group of scattered elements, the first of them.
    pub element: &'static str,
    /// How it is written.
    pub kind: FieldKind,
    /// Type of a scalar; [`ValueKind::List`] otherwise.
    pub value: ValueKind,
    /// Chinese label.
    pub zh: &'static str,
    /// English label.
    pub en: &'static str,
    /// May a schedule carry it?
    pub in_schedule: bool,
    /// Personal data: never to Kafka in clear, never to a log.
    pub personal: bool,
    /// Members of structures and collections.
    pub members: &'static [Member],
    /// A FLTR without it, or with it empty, is refused.
    pub required: bool,
    /// A FLOP may repeat it to say which flight is meant; it is neither applied nor counted.
    pub identity: bool,
    /// An integer that must fit 64 bits: the FLID of another flight.
    pub exact: bool,
    /// The members stand directly in the record instead of inside one element.
    pub spread: bool,
    /// Keyed collections: the member that is the natural key.
    pub key: Option<&'static str>,
    /// Structures: the member without which the structure counts as empty.
    pub anchor: Option<&'static str>,
    /// Keyed collections: an entry without this member removes the entry of its key.
    pub removed_without: Option<&'static str>,
}

/// One member of a structure or of a collection's entry.
#[derive(Debug, PartialEq)]
pub struct Member {
    /// JSON name.
    pub name: &'static str,
    /// Where it is read from: a child element, `@ATTR`, or `.` for the element's own text.
    pub source: &'static str,
    /// Its type.
    pub value: ValueKind,
    /// Chinese label.
    pub zh: &'static str,
    /// English label.
    pub en: &'static str,
    /// Personal data.
    pub personal: bool,
    /// Members of a nested list.
    pub members: &'static [Member],
    /// A FLOP's non-empty element without it is refused.
    pub required: bool,
    /// An integer that must fit 64 bits: the FLID of another flight.
    pub exact: bool,
    /// The sender's sequence number: alone it is no content.
    pub sequence: bool,
    /// The only values it may have; empty where any will do.
    pub one_of: &'static [&'static str],
}

/// What a FLOP record without any element of its subtype means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Absent {
    /// The record is malformed.
    #[default]
    Refuse,
    /// Each field of the subtype whose elements are absent is cleared.
    Clear,
}

/// What a structure with an absent or empty member means in a FLOP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Incomplete {
    /// The members sent are set, the others cleared.
    #[default]
    Set,
    /// The whole structure is cleared.
    Clear,
}

/// How a subtype is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Evidence {
    /// From messages.
    #[default]
    Seen,
    /// From its elements; a message was never seen.
    Inferred,
    /// From messages of a sender that departs from the format's notes.
    Dialect,
}

/// One FLOP subtype.
#[derive(Debug, PartialEq)]
pub struct Subtype {
    /// STYP.
    pub name: &'static str,
    /// The fields it may write, by JSON name.
    pub fields: &'static [&'static str],
    /// How it is known.
    pub evidence: Evidence,
    /// Chinese label.
    pub zh: &'static str,
    /// English label.
    pub en: &'static str,
    /// Those of its fields that have no clear form, by JSON name.
    pub required: &'static [&'static str],
    /// What the absence of all its elements means.
    pub absent: Absent,
    /// What an incomplete structure means.
    pub incomplete: Incomplete,
    /// The record deletes its flight; an element of the subtype's name says so.
    pub deletes: bool,
    /// Nobody knows what it carries: all of it is kept as `extra`.
    pub undescribed: bool,
    /// The body's element where it may be other than FLOP.
    pub body: &'static str,
}

/// One reference list.
#[derive(Debug, PartialEq)]
pub struct ReferenceList {
    /// TYPE, and the element of a record.
    pub name: &'static str,
    /// Chinese label.
    pub zh: &'static str,
    /// English label.
    pub en: &'static str,
    /// Holds personal data.
    pub personal: bool,
    /// Elements of a record, in the order they are written; the first is the key.
    pub children: &'static [ReferenceChild],
}

/// One element of a reference record.
#[derive(Debug, PartialEq)]
pub struct ReferenceChild {
    /// The element.
    pub element: &'static str,
    /// May it repeat?
    pub repeats: bool,
    /// Attributes (`@CODE`), children (`NAME`) and own text (`.`); empty for plain text.
    pub parts: &'static [&'static str],
}

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

    /// The number of a field in file order.
    pub(crate) fn number(&self, name: &str) -> Option<usize> {
        self.index.field_by_name(name)
    }
}

impl Field {
    /// The elements that feed it when they stand directly in a record.
    pub fn elements(&self) -> impl Iterator<Item = &'static str> {
        let members = if self.spread { self.members } else { &[] };
        let own = (!self.spread).then_some(self.element);
        own.into_iter().chain(members.iter().map(|member| member.source))
    }
}

#[cfg(test)]
mod tests;

//! What a dictionary is made of: fields with their members, subtypes, reference lists.

use serde::Deserialize;

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

impl Field {
    /// The elements that feed it when they stand directly in a record.
    pub fn elements(&self) -> impl Iterator<Item = &'static str> {
        let members = if self.spread { self.members } else { &[] };
        let own = (!self.spread).then_some(self.element);
        own.into_iter().chain(members.iter().map(|member| member.source))
    }
}

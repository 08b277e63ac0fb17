//! The body of a message, interpreted.

mod children;
mod group;
mod message;
mod record;
mod reference;
mod scope;

pub(crate) use message::read;

use crate::{Field, Position, Value};

/// What a message is about.
#[derive(Debug, Clone, PartialEq)]
pub enum Body {
    /// TYPE `SCHD`: whole flights.
    Schedule(Schedule),
    /// TYPE `FLOP` with a known subtype other than `FDEL`: changes of flights.
    Flop(Vec<Record>),
    /// TYPE `FLOP`, STYP `FDEL` (or TYPE `FDEL`): flights to delete, FLID alone.
    Delete(Vec<Record>),
    /// One of the reference lists.
    Reference(Reference),
    /// RQFD or RQRD.
    Request(Request),
    /// Well-formed, but no entry in the dictionary.
    Unknown(Unknown),
}

/// What a schedule asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScheduleKind {
    /// DNLD, RESP, ADFT, ADD, UPD (and any other subtype but DEL): each record is an upsert.
    Upsert,
    /// DEL: one deletion per listed FLID.
    Delete,
}

/// A schedule message.
#[derive(Debug, Clone, PartialEq)]
pub struct Schedule {
    /// Upsert or delete.
    pub kind: ScheduleKind,
    /// RECS as sent; `None` where absent.
    pub declared_records: Option<u64>,
    /// One per FLTR, in input order.
    pub records: Vec<Record>,
}

/// One flight's part of a message.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// FLID.
    pub flid: i64,
    /// Where the record begins; not compared by [`PartialEq`] consumers that re-encode.
    pub position: Position,
    /// What it sets or clears, in dictionary order, each field at most once.
    pub writes: Vec<FieldWrite>,
    /// Elements the dictionary knows but the subtype does not declare, by name.
    pub not_applied: Vec<String>,
    /// Parts nobody knows, by name in input order, nothing lost: an element (`NAME`, or
    /// `GROUP/NAME` inside a group) as its XML verbatim, an attribute (`GROUP@NAME`, `@NAME`
    /// on the record itself) and stray text (`#text`) as their content.
    pub extra: Vec<(String, String)>,
}

/// One field of the flight, set or cleared.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldWrite {
    /// The dictionary's entry.
    pub field: &'static Field,
    /// What to do.
    pub write: Write,
}

/// What a message does to one field. Absent means no [`FieldWrite`] at all.
#[derive(Debug, Clone, PartialEq)]
pub enum Write {
    /// Present and empty, or a structure that counts as cleared.
    Clear,
    /// A scalar's or a structure's new value, or an ordered collection's new list.
    Set(Value),
    /// A keyed collection: entries merged by key; `clear` empties it first.
    Merge {
        /// The collection is emptied before the entries are applied.
        clear: bool,
        /// Entries in input order, each key at most once (the last one wins).
        entries: Vec<Entry>,
    },
}

/// One entry of a keyed collection.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The natural key.
    pub key: String,
    /// The entry; `None` removes it.
    pub value: Option<Value>,
}

/// A reference list message.
#[derive(Debug, Clone, PartialEq)]
pub struct Reference {
    /// TYPE, such as `GLST`.
    pub list: String,
    /// RECS as sent.
    pub declared_records: Option<u64>,
    /// One per record, as sent.
    pub records: Vec<Value>,
}

impl Reference {
    /// The name under which a record keeps elements nobody knows, each as its XML.
    pub const EXTRA: &str = "extra";
}

/// An outbound request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// RQFD: the schedule between two bounds, as sent.
    Schedule {
        /// STDB.
        begin: Option<String>,
        /// STDE.
        end: Option<String>,
    },
    /// RQRD: one reference list.
    ReferenceList {
        /// RTYP.
        list: String,
    },
}

/// A message without an entry in the dictionary.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unknown {
    /// Names of the body's elements, in input order, each once.
    pub elements: Vec<String>,
}

//! The flight as it is kept: fields with provenance, version, life.

use std::collections::BTreeMap;

use jiff::civil::Date;
use serde_json::Value;

use super::document;
use crate::{Flid, MsgId};

/// Life of a flight.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Life {
    /// Known from operational messages alone (DEC-3): emits nothing.
    Partial,
    /// Brought by a schedule.
    Active,
    /// Deleted by FDEL, kept until the history sweep.
    Deleted,
}

impl Life {
    /// Name in the store and in events.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Partial => "PARTIAL",
            Self::Active => "ACTIVE",
            Self::Deleted => "DELETED",
        }
    }

    /// The life of a stored name; `None` for an unknown one.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Partial, Self::Active, Self::Deleted].into_iter().find(|life| life.as_str() == name)
    }
}

/// A value and the message that last set it (DEC-2). A cleared field keeps its provenance.
#[derive(Debug, Clone, PartialEq)]
pub struct Stamped {
    /// JSON as published; `None` when cleared.
    pub value: Option<Value>,
    /// The message that set or cleared it.
    pub by: MsgId,
}

/// An entry of a keyed collection.
pub type EntryState = Stamped;

/// One field.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldState {
    /// Scalar, structure or ordered collection.
    Single(Stamped),
    /// Keyed collection.
    Keyed {
        /// The newest message that cleared the whole collection; entries at or below are gone.
        cleared_by: MsgId,
        /// Entries by key.
        entries: BTreeMap<String, EntryState>,
    },
}

/// A flight with everything known of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Flight {
    /// Key (INV-12).
    pub flid: Flid,
    /// Life.
    pub life: Life,
    /// `STATE_VERSION`: one more per message that changed it (INV-13); 0 before the first.
    pub state_version: i64,
    /// From 1; one more per revival. 0 for a flight of which only a deletion is known.
    pub incarnation: i32,
    /// `FLOOR_MSG_ID`: writes at or below it have no effect.
    pub floor: MsgId,
    /// Newest SCHD that touched this life; 0 if none.
    pub schedule_by: MsgId,
    /// Newest message that spoke of it; what moves a main flight's version for its code-shares
    /// alone doesn't count.
    pub last_by: MsgId,
    /// Set once from SODT, never changed (INV-12).
    pub operation_day: Option<Date>,
    /// Fields by JSON name, `extra` elements under `extra.<NAME>`.
    pub fields: BTreeMap<String, FieldState>,
}

impl Flight {
    /// `fields` as the JSON text kept in the store's `document` column: compact and lossless.
    pub fn document(&self) -> String {
        document::write(&self.fields)
    }

    /// Reads back what [`Flight::document`] wrote; the error names what is wrong with it.
    pub fn parse_document(document: &str) -> Result<BTreeMap<String, FieldState>, String> {
        document::parse(document)
    }
}

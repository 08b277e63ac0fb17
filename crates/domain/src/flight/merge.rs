//! Writing with provenance (DEC-2): whatever the order in which messages come, a field ends with
//! the value of the greatest MSG_ID that wrote it.

use std::collections::BTreeMap;

use serde_json::Value;

use super::update::{FieldUpdate, Update};
use super::{EntryState, FieldState, Flight, Stamped};
use crate::MsgId;

impl Flight {
    /// Applies an update field by field; a field that a newer message wrote stays as it is.
    pub(super) fn merge(&mut self, update: Update, by: MsgId) {
        for (name, change) in update.fields {
            match self.fields.get_mut(name.as_ref()) {
                Some(field) => field.apply(change, by),
                None => {
                    self.fields.insert(name.into_owned(), FieldState::first(change, by));
                }
            }
        }
    }
}

impl FieldState {
    fn first(change: FieldUpdate, by: MsgId) -> Self {
        match change {
            FieldUpdate::Single(value) => Self::Single(Stamped { value, by }),
            FieldUpdate::Keyed { .. } => Self::keyed(change, by),
        }
    }

    /// A keyed collection that nobody wrote before.
    fn keyed(change: FieldUpdate, by: MsgId) -> Self {
        let mut field = Self::Keyed { cleared_by: MsgId(0), entries: BTreeMap::new() };
        field.apply(change, by);
        field
    }

    fn apply(&mut self, change: FieldUpdate, by: MsgId) {
        match (self, change) {
            (field, FieldUpdate::Single(value)) => {
                if newest(field) < by {
                    *field = Self::Single(Stamped { value, by });
                }
            }
            // The dictionary gave the field another kind since it was written.
            (field @ Self::Single(_), change @ FieldUpdate::Keyed { .. }) => {
                if newest(field) < by {
                    *field = Self::keyed(change, by);
                }
            }
            (Self::Keyed { cleared_by, entries }, FieldUpdate::Keyed { clear, entries: updates }) => {
                if clear && by > *cleared_by {
                    *cleared_by = by;
                    entries.retain(|_, entry| entry.by >= by);
                }
                if by > *cleared_by || (clear && by == *cleared_by) {
                    write(entries, updates, by);
                }
            }
        }
    }
}

/// A clear beats older entries; entries that come with the clear follow it.
fn write(entries: &mut BTreeMap<String, EntryState>, updates: BTreeMap<String, Option<Value>>, by: MsgId) {
    for (key, value) in updates {
        if entries.get(&key).is_none_or(|entry| entry.by < by) {
            entries.insert(key, Stamped { value, by });
        }
    }
}

/// The newest message that wrote any part of a field.
pub(super) fn newest(field: &FieldState) -> MsgId {
    match field {
        FieldState::Single(stamped) => stamped.by,
        FieldState::Keyed { cleared_by, entries } => {
            entries.values().map(|entry| entry.by).fold(*cleared_by, MsgId::max)
        }
    }
}

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
            let field = self.fields.remove(&name);
            let merged = match change {
                FieldUpdate::Single(value) => single(field, value, by),
                FieldUpdate::Keyed { clear, entries } => keyed(field, clear, entries, by),
            };
            self.fields.insert(name, merged);
        }
    }
}

fn single(field: Option<FieldState>, value: Option<Value>, by: MsgId) -> FieldState {
    match field {
        Some(field) if newest(&field) >= by => field,
        Some(_) | None => FieldState::Single(Stamped { value, by }),
    }
}

/// A clear beats older entries; entries that come with the clear follow it.
fn keyed(
    field: Option<FieldState>,
    clear: bool,
    updates: BTreeMap<String, Option<Value>>,
    by: MsgId,
) -> FieldState {
    let (mut cleared_by, mut entries) = match field {
        Some(FieldState::Keyed { cleared_by, entries }) => (cleared_by, entries),
        // The dictionary gave the field another kind since it was written.
        Some(FieldState::Single(stamped)) if stamped.by >= by => return FieldState::Single(stamped),
        Some(FieldState::Single(_)) | None => (MsgId(0), BTreeMap::new()),
    };
    if clear && by > cleared_by {
        cleared_by = by;
        entries.retain(|_, entry| entry.by >= by);
    }
    if by > cleared_by || (clear && by == cleared_by) {
        for (key, value) in updates {
            if entries.get(&key).is_none_or(|entry: &EntryState| entry.by < by) {
                entries.insert(key, Stamped { value, by });
            }
        }
    }
    FieldState::Keyed { cleared_by, entries }
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

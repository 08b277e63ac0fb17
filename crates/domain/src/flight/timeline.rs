//! The timeline of a flight: what each message changed, kept for people.

use serde_json::Value;
use sis::Dictionary;

use super::fleet::Change;
use super::{Flight, Life, audience, names};
use crate::message::Labels;
use crate::{Flid, MsgId};

/// A step of a flight's timeline: one per version, whatever consumers are told of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FlightChange {
    /// The flight.
    pub flid: Flid,
    /// The version it leads to.
    pub state_version: i64,
    /// The life it belongs to.
    pub incarnation: i32,
    /// The state of that life afterwards.
    pub life: Life,
    /// The message behind it.
    pub msg_id: MsgId,
    /// TYPE of that message.
    pub kind: Option<String>,
    /// STYP of that message.
    pub subtype: Option<String>,
    /// JSON: a list of `{"field", "from", "to"}`, personal data included.
    pub changes: String,
}

impl FlightChange {
    /// The changes as a list of `{"field", "from", "to"}` without personal data; values of fields
    /// the dictionary no longer knows are left out too, since they may have been personal. The error
    /// says which step can't be read and why.
    pub fn public_changes(&self, dictionary: &Dictionary) -> Result<Vec<Value>, String> {
        let mut changes: Vec<Value> = serde_json::from_str(&self.changes).map_err(|error| {
            format!(
                "flight {}, version {}: its changes can't be read: {error}",
                self.flid, self.state_version
            )
        })?;
        changes.retain_mut(|change| publish(change, dictionary));
        Ok(changes)
    }
}

/// May the change be told? Takes out of it what may not.
fn publish(change: &mut Value, dictionary: &Dictionary) -> bool {
    const OWN: [&str; 3] = ["life", "operationDay", "codeShares"];
    let name = change["field"].as_str().unwrap_or_default().to_owned();
    if OWN.contains(&name.as_str()) {
        return true;
    }
    if let Some(part) = name.strip_prefix(names::EXTRA) {
        return ["from", "to"].iter().all(|side| !audience::is_personal(part, &change[side], dictionary));
    }
    let field = dictionary.field(&name).filter(|field| !field.personal);
    for side in ["from", "to"] {
        match field {
            Some(field) => audience::strip(&mut change[side], field.members),
            None => change[side] = Value::Null,
        }
    }
    field.is_some()
}

impl Change {
    /// The step this change is.
    pub(crate) fn step(&self, msg_id: MsgId, labels: &Labels, dictionary: &Dictionary) -> FlightChange {
        let Flight { flid, state_version, incarnation, life, .. } = *self.after;
        let changes = serde_json::to_string(&self.all_differences(dictionary))
            .expect("maps with text keys can't fail to serialize");
        let (kind, subtype) = (labels.kind.clone(), labels.subtype.clone());
        FlightChange { flid, state_version, incarnation, life, msg_id, kind, subtype, changes }
    }
}

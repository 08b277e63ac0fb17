//! The timeline of a flight: what each message changed, kept for people.

use sis::Dictionary;

use super::fleet::Change;
use super::{Flight, Life};
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
    /// JSON: a list of `{"field", "from", "to"}`, personal data included.
    pub changes: String,
}

impl Change {
    /// The step this change is.
    pub(crate) fn step(&self, msg_id: MsgId, dictionary: &Dictionary) -> FlightChange {
        let Flight { flid, state_version, incarnation, life, .. } = *self.after;
        let changes = serde_json::to_string(&self.all_differences(dictionary))
            .expect("maps with text keys can't fail to serialize");
        FlightChange { flid, state_version, incarnation, life, msg_id, changes }
    }
}

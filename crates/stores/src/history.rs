//! What both own stores tell consumers of flights that become history (INV-18).

use domain::event::{EventType, NewEvent, Target};
use domain::flight::Life;
use domain::{Flid, MsgId};

/// A flight that is due to become history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DueFlight {
    pub(crate) flid: Flid,
    pub(crate) life: Life,
    pub(crate) state_version: i64,
    pub(crate) last_by: MsgId,
}

/// Tombstones of those that consumers still see.
pub(crate) fn tombstones(due: &[DueFlight]) -> Vec<NewEvent> {
    due.iter()
        .filter(|flight| flight.life == Life::Active)
        .map(|flight| NewEvent {
            target: Target::Schd,
            flid: flight.flid,
            event_type: EventType::Delete,
            state_version: flight.state_version + 1,
            payload: "null".to_owned(),
            msg_id: flight.last_by,
        })
        .collect()
}

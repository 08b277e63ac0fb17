//! The tables, as plain collections.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::event::NewEvent;
use domain::flight::{Flight, FlightChange};
use domain::lifecycle::{LateState, Pausable, Pause};
use domain::mailbox::{ClosedGap, OpenGap};
use domain::message::{ErrorClass, IdentityKey, Labels, State, StoredBody};
use domain::{EventId, Flid, MsgId};
use engine::ports::{AttemptLog, AuditEntry, KindCount, LeaseState, Operation, Outcome};
use jiff::Timestamp;

#[derive(Debug, Clone, Default)]
pub(super) struct Tables {
    pub(super) lease: Option<LeaseState>,
    pub(super) term: super::terms::Term,
    pub(super) watermark: Option<MsgId>,
    pub(super) open: Vec<OpenGap>,
    pub(super) closed: Vec<ClosedGap>,
    pub(super) late: BTreeMap<MsgId, (Timestamp, LateState)>,
    pub(super) rows: BTreeMap<MsgId, Row>,
    /// By message, with the time it was enqueued.
    pub(super) raw: BTreeMap<MsgId, (Arc<StoredBody>, Timestamp)>,
    /// `proc_state_hst`, with the time of archiving.
    pub(super) archive: BTreeMap<MsgId, (Row, Timestamp)>,
    pub(super) attempts: BTreeMap<MsgId, Vec<AttemptLog>>,
    pub(super) flights: BTreeMap<Flid, Current>,
    /// By FLID and incarnation, with the time of the sweep.
    pub(super) past: BTreeMap<(Flid, i32), (Flight, Timestamp)>,
    /// By FLID and version, with the time of the commit.
    pub(super) changes: BTreeMap<(Flid, i64), (FlightChange, Timestamp)>,
    pub(super) kinds: BTreeMap<(String, String, &'static str, &'static str), KindCount>,
    pub(super) events: BTreeMap<EventId, EventRow>,
    pub(super) events_numbered: i64,
    pub(super) operations: BTreeMap<String, KeptOperation>,
    pub(super) audit: Vec<AuditEntry>,
    pub(super) pauses: BTreeMap<Pausable, Pause>,
}

/// `flight_schd`.
#[derive(Debug, Clone)]
pub(super) struct Current {
    pub(super) flight: Flight,
    pub(super) updated_at: Timestamp,
}

/// `proc_state`.
#[derive(Debug, Clone)]
pub(super) struct Row {
    pub(super) state: State,
    pub(super) identity: Option<IdentityKey>,
    pub(super) attempts: u32,
    pub(super) due: Option<Timestamp>,
    pub(super) class: Option<ErrorClass>,
    pub(super) last_error: Option<String>,
    pub(super) labels: Labels,
    pub(super) content_hash: Option<[u8; 32]>,
    pub(super) received_at: Option<Timestamp>,
    pub(super) enqueued_at: Timestamp,
    pub(super) updated_at: Timestamp,
    pub(super) mark: MarkColumns,
    pub(super) archived_at: Option<Timestamp>,
}

impl Row {
    /// Only an ended message is marked (INV-8): a replayed one has no end again.
    pub(super) fn owes_a_mark(&self) -> bool {
        self.state.is_terminal() && self.mark.owed().is_some()
    }
}

/// The `backfill_` columns.
#[derive(Debug, Clone, Default)]
pub(super) struct MarkColumns {
    pub(super) due: Option<Timestamp>,
    pub(super) attempts: u32,
    pub(super) error: Option<String>,
    pub(super) done_at: Option<Timestamp>,
    pub(super) abandoned_at: Option<Timestamp>,
    pub(super) abandoned_reason: Option<&'static str>,
    pub(super) reconciled_at: Option<Timestamp>,
}

impl MarkColumns {
    pub(super) fn owed(&self) -> Option<Timestamp> {
        self.due.filter(|_| self.done_at.is_none() && self.abandoned_at.is_none())
    }

    /// Written, or given up and reconciled.
    pub(super) fn settled(&self) -> bool {
        self.done_at.is_some() || (self.abandoned_at.is_some() && self.reconciled_at.is_some())
    }
}

/// `msg_event`.
#[derive(Debug, Clone)]
pub(super) struct EventRow {
    pub(super) event: NewEvent,
    pub(super) delivery: Delivery,
    pub(super) attempts: u32,
    pub(super) error: Option<String>,
    pub(super) created_at: Timestamp,
    pub(super) discarded_at: Option<Timestamp>,
    /// An operator has had it sent again.
    pub(super) is_late: bool,
}

/// `operation` with its `operation_target` rows: what was seen, and the outcome.
#[derive(Debug, Clone)]
pub(super) struct KeptOperation {
    pub(super) operation: Operation,
    pub(super) targets: BTreeMap<i64, (String, Option<Outcome>)>,
}

/// `msg_event.state` with what is legal in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Delivery {
    Pending { due: Option<Timestamp> },
    Sent { topic: String, partition: i32, offset: i64, at: Timestamp },
    Dead,
}

impl EventRow {
    pub(super) fn new(event: &NewEvent, at: Timestamp) -> Self {
        let delivery = Delivery::Pending { due: None };
        Self {
            event: event.clone(),
            delivery,
            attempts: 0,
            error: None,
            created_at: at,
            is_late: false,
            discarded_at: None,
        }
    }

    pub(super) fn is_pending(&self) -> bool {
        matches!(self.delivery, Delivery::Pending { .. })
    }
}

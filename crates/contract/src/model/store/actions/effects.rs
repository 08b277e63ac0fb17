//! What each allowed act does to its target.

use std::sync::Arc;

use domain::lifecycle::{Change, LateState, skip_reason};
use domain::message::{Conclusion, Settled, State};
use domain::{EventId, MsgId};
use engine::ports::{Batch, Operation};
use jiff::Timestamp;

use super::super::discovery::pending;
use super::super::tables::{Delivery, EventRow, Row, Tables};

impl Tables {
    /// The error is a refusal that only the writing itself could find.
    pub(super) fn apply(
        &mut self,
        change: Change,
        id: i64,
        operation: &Operation,
        batch: &Batch,
    ) -> Result<(), String> {
        let at = batch.at;
        match change {
            Change::Replay => {
                self.restore(&[MsgId(id)]);
                let row = self.message_row(id);
                (row.state, row.due, row.updated_at) = (State::Pending, None, at);
            }
            Change::TryNow => self.message_row(id).due = Some(at),
            Change::Skip => self.skip(id, operation, at),
            Change::OweMark => {
                let mark = &mut self.message_row(id).mark;
                (mark.abandoned_at, mark.abandoned_reason, mark.due) = (None, None, Some(at));
            }
            Change::Reconcile => self.message_row(id).mark.reconciled_at = Some(at),
            Change::Admit => return self.admit(id, batch),
            Change::Dismiss => self.decide_late(id, LateState::Dismissed),
            Change::SendLate => {
                let row = self.event_row(id);
                (row.delivery, row.is_late) = (Delivery::Pending { due: None }, true);
            }
            Change::Discard => self.event_row(id).discarded_at = Some(at),
        }
        Ok(())
    }

    fn skip(&mut self, id: i64, operation: &Operation, at: Timestamp) {
        let reason = skip_reason(&operation.by, &operation.reason);
        let row = self.message_row(id);
        (row.state, row.due, row.class, row.identity) = (State::Skipped, None, None, None);
        (row.last_error, row.updated_at) = (Some(reason.clone()), at);
        row.mark.due = row.mark.due.or(Some(at));
        let end = Settled {
            msg_id: MsgId(id),
            attempts_seen: row.attempts,
            attempts: row.attempts,
            conclusion: Conclusion::Skipped { reason },
            attempt_failure: None,
            labels: row.labels.clone(),
            identity: None,
            content_hash: None,
            yields: None,
        };
        self.count_kinds(&[end], at);
    }

    fn admit(&mut self, id: i64, batch: &Batch) -> Result<(), String> {
        if self.rows.contains_key(&MsgId(id)) {
            return Err("it is enqueued already".to_owned());
        }
        let Some(landed) = batch.landed.iter().find(|landed| landed.id == MsgId(id)) else {
            return Err("the row is gone from the mailbox: dismiss it".to_owned());
        };
        self.rows.insert(landed.id, pending(landed, batch.at));
        self.raw.insert(landed.id, (Arc::new(landed.body.clone()), batch.at));
        self.decide_late(id, LateState::Admitted);
        Ok(())
    }

    fn decide_late(&mut self, id: i64, state: LateState) {
        self.late.entry(MsgId(id)).and_modify(|(_, old)| *old = state);
    }

    fn message_row(&mut self, id: i64) -> &mut Row {
        self.rows.get_mut(&MsgId(id)).expect("the gate has seen it")
    }

    fn event_row(&mut self, id: i64) -> &mut EventRow {
        self.events.get_mut(&EventId(id)).expect("the gate has seen it")
    }
}

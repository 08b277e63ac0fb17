//! Operator actions and pauses, verb by verb: which of [`Tables`]' methods, read or written.

use domain::MsgId;
use domain::lifecycle::{Act, Pause};
use domain::message::Candidate;
use engine::ports::{
    Actions, AuditEntry, AuditFilter, Batch, Done, FrozenTarget, Operation, PauseOrder, Pauses, Progress,
    Selected, Selection, StoreError,
};

use super::{Store, StoreVerb};

impl Actions for Store {
    async fn select(
        &self,
        act: Act,
        selection: &Selection,
        after: i64,
        limit: usize,
    ) -> Result<Vec<Selected>, StoreError> {
        self.read(StoreVerb::Actions, |t| t.select(act, selection, after, limit)).await
    }

    async fn bodies(&self, ids: &[MsgId]) -> Result<Vec<Candidate>, StoreError> {
        self.read(StoreVerb::Actions, |t| t.bodies(ids)).await
    }

    async fn confirm(&self, operation: &Operation, targets: &[FrozenTarget]) -> Result<Progress, StoreError> {
        self.write(StoreVerb::Actions, |t| Ok(t.confirm(operation, targets))).await
    }

    async fn operation(&self, id: &str) -> Result<Option<Progress>, StoreError> {
        self.read(StoreVerb::Actions, |t| t.progress(id)).await
    }

    async fn open_targets(&self, operation: &str, limit: usize) -> Result<Vec<i64>, StoreError> {
        self.read(StoreVerb::Actions, |t| t.open_targets(operation, limit)).await
    }

    async fn carry_out(&self, batch: &Batch) -> Result<Vec<Done>, StoreError> {
        self.write(StoreVerb::CarryOut, |t| Ok(t.carry_out(batch))).await
    }

    async fn audit(&self, filter: &AuditFilter, limit: usize) -> Result<Vec<AuditEntry>, StoreError> {
        self.read(StoreVerb::Actions, |t| t.audited(filter, limit)).await
    }
}

impl Pauses for Store {
    async fn pauses(&self) -> Result<Vec<Pause>, StoreError> {
        self.read(StoreVerb::Pauses, |t| t.pauses.values().cloned().collect()).await
    }

    async fn set_pause(&self, order: &PauseOrder) -> Result<bool, StoreError> {
        self.write(StoreVerb::SetPause, |t| Ok(t.set_pause(order))).await
    }
}

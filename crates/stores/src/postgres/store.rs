//! The store port, verb by verb: each is in the room it belongs to.

use std::time::Duration;

use domain::decide::{Effects, World};
use domain::event::Target;
use domain::flight::HistoryDue;
use domain::mailbox::{ClosedGap, OpenGap};
use domain::message::{Candidate, IdentityKey};
use domain::{Epoch, Flid, MsgId};
use engine::ports::{
    Cursor, DueMark, Enqueue, EventSettled, LeaseState, MarkSettled, OutboxEvent, Store, StoreError,
};
use jiff::Timestamp;

use super::history::Forget;
use super::{PostgresStore, discovery, history, leadership, ledger, marks, outbox, pump};

impl Store for PostgresStore {
    async fn now(&self) -> Result<Timestamp, StoreError> {
        leadership::now(&self.pool).await
    }

    async fn acquire_lease(&self, owner: &str, ttl: Duration) -> Result<Option<Epoch>, StoreError> {
        leadership::acquire(&self.pool, owner, ttl).await
    }

    async fn renew_lease(&self, epoch: Epoch, ttl: Duration) -> Result<(), StoreError> {
        leadership::renew(&self.pool, epoch, ttl).await
    }

    async fn release_lease(&self, epoch: Epoch) -> Result<(), StoreError> {
        leadership::release(&self.pool, epoch).await
    }

    async fn lease(&self) -> Result<Option<LeaseState>, StoreError> {
        leadership::lease(&self.pool).await
    }

    async fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        discovery::cursor(&self.pool).await
    }

    async fn start_at(
        &self,
        epoch: Epoch,
        watermark: MsgId,
        closed: &[ClosedGap],
        at: Timestamp,
    ) -> Result<(), StoreError> {
        discovery::start_at(&self.pool, epoch, watermark, closed, at).await
    }

    async fn open_gaps(&self) -> Result<Vec<OpenGap>, StoreError> {
        ledger::open_gaps(&self.pool).await
    }

    async fn closed_gaps(&self, since: Timestamp, limit: usize) -> Result<Vec<ClosedGap>, StoreError> {
        ledger::closed_gaps(&self.pool, since, limit).await
    }

    async fn enqueue(&self, epoch: Epoch, enqueue: &Enqueue) -> Result<Vec<MsgId>, StoreError> {
        discovery::enqueue(&self.pool, epoch, enqueue).await
    }

    async fn record_late(&self, ids: &[MsgId], at: Timestamp) -> Result<Vec<MsgId>, StoreError> {
        ledger::record_late(&self.pool, ids, at).await
    }

    async fn head(&self, rows_max: usize, bytes_max: u64) -> Result<Vec<Candidate>, StoreError> {
        pump::head(&self.pool, rows_max, bytes_max).await
    }

    async fn world(&self, keys: &[IdentityKey], flids: &[Flid]) -> Result<World, StoreError> {
        pump::world(&self.pool, keys, flids).await
    }

    async fn commit_run(&self, epoch: Epoch, effects: &Effects, at: Timestamp) -> Result<(), StoreError> {
        pump::commit_run(&self.pool, self.lock_key, epoch, effects, at).await
    }

    async fn settle_doubt(&self) -> Result<(), StoreError> {
        leadership::settle_doubt(&self.pool, self.lock_key).await
    }

    async fn due_events(
        &self,
        target: Target,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<OutboxEvent>, StoreError> {
        outbox::due_events(&self.pool, target, now, limit).await
    }

    async fn settle_events(
        &self,
        epoch: Epoch,
        settled: &[EventSettled],
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        outbox::settle_events(&self.pool, epoch, settled, at).await
    }

    async fn due_marks(&self, now: Timestamp, limit: usize) -> Result<Vec<DueMark>, StoreError> {
        marks::due_marks(&self.pool, now, limit).await
    }

    async fn settle_marks(&self, settled: &[MarkSettled], at: Timestamp) -> Result<(), StoreError> {
        marks::settle_marks(&self.pool, settled, at).await
    }

    async fn sweep_flights(
        &self,
        epoch: Epoch,
        due: HistoryDue,
        limit: usize,
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        history::sweep(&self.pool, self.lock_key, epoch, due, limit, at).await
    }

    async fn forget_history(&self, epoch: Epoch, before: Timestamp, limit: usize) -> Result<u64, StoreError> {
        history::forget(&self.pool, Forget::History, epoch, before, limit).await
    }

    async fn forget_changes(&self, epoch: Epoch, before: Timestamp, limit: usize) -> Result<u64, StoreError> {
        history::forget(&self.pool, Forget::Changes, epoch, before, limit).await
    }
}

//! The store port, verb by verb: which of [`Tables`]' methods, read or written.

use std::time::Duration;

use domain::decide::{Effects, World};
use domain::event::Target;
use domain::flight::HistoryDue;
use domain::mailbox::{ClosedGap, OpenGap};
use domain::message::{Candidate, IdentityKey};
use domain::{Epoch, Flid, MsgId};
use engine::ports::{
    Clock, Cursor, DueMark, Enqueue, EventSettled, LeaseState, MarkSettled, OutboxEvent, Store as StorePort,
    StoreError,
};
use jiff::Timestamp;

use super::{Store, StoreVerb};

impl StorePort for Store {
    async fn now(&self) -> Result<Timestamp, StoreError> {
        self.read(StoreVerb::Now, |_| self.clock.wall()).await
    }

    async fn acquire_lease(&self, owner: &str, ttl: Duration) -> Result<Option<Epoch>, StoreError> {
        self.write(StoreVerb::AcquireLease, |t| Ok(t.acquire_lease(owner, self.clock.wall(), ttl))).await
    }

    async fn renew_lease(&self, epoch: Epoch, ttl: Duration) -> Result<(), StoreError> {
        self.write_as(epoch, StoreVerb::RenewLease, |t| {
            t.move_heartbeat(self.clock.wall() + ttl);
            Ok(())
        })
        .await
    }

    async fn release_lease(&self, epoch: Epoch) -> Result<(), StoreError> {
        self.write(StoreVerb::ReleaseLease, |t| {
            if t.check_epoch(epoch).is_ok() {
                t.move_heartbeat(self.clock.wall());
            }
            Ok(())
        })
        .await
    }

    async fn lease(&self) -> Result<Option<LeaseState>, StoreError> {
        self.read(StoreVerb::Lease, |t| t.lease.clone()).await
    }

    async fn cursor(&self) -> Result<Option<Cursor>, StoreError> {
        self.read(StoreVerb::Cursor, |t| t.watermark.map(|watermark| Cursor { watermark })).await
    }

    async fn start_at(
        &self,
        epoch: Epoch,
        watermark: MsgId,
        closed: &[ClosedGap],
        _: Timestamp,
    ) -> Result<(), StoreError> {
        self.write_as(epoch, StoreVerb::StartAt, |t| {
            t.start_at(watermark, closed);
            Ok(())
        })
        .await
    }

    async fn open_gaps(&self) -> Result<Vec<OpenGap>, StoreError> {
        self.read(StoreVerb::OpenGaps, |t| t.open.clone()).await
    }

    async fn closed_gaps(&self, since: Timestamp, limit: usize) -> Result<Vec<ClosedGap>, StoreError> {
        self.read(StoreVerb::ClosedGaps, |t| t.closed_gaps(since, limit)).await
    }

    async fn enqueue(&self, epoch: Epoch, enqueue: &Enqueue) -> Result<Vec<MsgId>, StoreError> {
        assert!(enqueue.to >= enqueue.from, "the watermark never goes down (INV-2)");
        self.write_as(epoch, StoreVerb::Enqueue, |t| t.enqueue(enqueue)).await
    }

    async fn record_late(&self, ids: &[MsgId], at: Timestamp) -> Result<Vec<MsgId>, StoreError> {
        self.write(StoreVerb::RecordLate, |t| Ok(t.record_late(ids, at))).await
    }

    async fn head(&self, rows_max: usize, bytes_max: u64) -> Result<Vec<Candidate>, StoreError> {
        self.read(StoreVerb::Head, |t| t.head(rows_max, bytes_max)).await
    }

    async fn world(&self, keys: &[IdentityKey], flids: &[Flid]) -> Result<World, StoreError> {
        self.read(StoreVerb::World, |t| t.world(keys, flids)).await
    }

    async fn commit_run(&self, epoch: Epoch, effects: &Effects, at: Timestamp) -> Result<(), StoreError> {
        self.write_as(epoch, StoreVerb::CommitRun, |t| t.commit_run(effects, at)).await
    }

    async fn settle_doubt(&self) -> Result<(), StoreError> {
        self.read(StoreVerb::SettleDoubt, |_| ()).await
    }

    async fn due_events(
        &self,
        target: Target,
        now: Timestamp,
        limit: usize,
    ) -> Result<Vec<OutboxEvent>, StoreError> {
        self.read(StoreVerb::DueEvents, |t| t.due_events(target, now, limit)).await
    }

    async fn settle_events(
        &self,
        epoch: Epoch,
        settled: &[EventSettled],
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        self.write_as(epoch, StoreVerb::SettleEvents, |t| Ok(t.settle_events(settled, at))).await
    }

    async fn due_marks(&self, now: Timestamp, limit: usize) -> Result<Vec<DueMark>, StoreError> {
        self.read(StoreVerb::DueMarks, |t| t.due_marks(now, limit)).await
    }

    async fn settle_marks(&self, settled: &[MarkSettled], at: Timestamp) -> Result<(), StoreError> {
        self.write(StoreVerb::SettleMarks, |t| {
            t.settle_marks(settled, at);
            Ok(())
        })
        .await
    }

    async fn sweep_flights(
        &self,
        epoch: Epoch,
        due: HistoryDue,
        limit: usize,
        at: Timestamp,
    ) -> Result<u64, StoreError> {
        self.write_as(epoch, StoreVerb::SweepFlights, |t| Ok(t.sweep(due, limit, at))).await
    }

    async fn forget_history(&self, epoch: Epoch, before: Timestamp, limit: usize) -> Result<u64, StoreError> {
        self.write_as(epoch, StoreVerb::ForgetHistory, |t| Ok(t.forget_history(before, limit))).await
    }

    async fn forget_changes(&self, epoch: Epoch, before: Timestamp, limit: usize) -> Result<u64, StoreError> {
        self.write_as(epoch, StoreVerb::ForgetChanges, |t| Ok(t.forget_changes(before, limit))).await
    }
}

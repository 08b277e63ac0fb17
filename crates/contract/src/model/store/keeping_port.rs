//! Archive and retention, verb by verb: which of [`Tables`]' methods.

use domain::{Epoch, MsgId};
use engine::ports::{Archivable, Archive, ArchivePlace, Old, Retention, StoreError};
use jiff::Timestamp;

use super::{Store, StoreVerb};

impl Archive for Store {
    async fn archivable(
        &self,
        before: Timestamp,
        after: Option<ArchivePlace>,
        limit: usize,
    ) -> Result<Vec<Archivable>, StoreError> {
        self.read(StoreVerb::Archivable, |t| t.archivable(before, after, limit)).await
    }

    async fn archive(&self, epoch: Epoch, seen: &[Archivable], at: Timestamp) -> Result<u64, StoreError> {
        self.write_as(epoch, StoreVerb::Archive, |t| t.archive(seen, at)).await
    }

    async fn restore(&self, ids: &[MsgId]) -> Result<Vec<MsgId>, StoreError> {
        self.write(StoreVerb::Restore, |t| Ok(t.restore(ids))).await
    }

    async fn forget_archived(&self, epoch: Epoch, old: Old, limit: usize) -> Result<u64, StoreError> {
        self.write_as(epoch, StoreVerb::ForgetArchived, |t| Ok(t.forget_archived(old, limit))).await
    }

    async fn forget_shadows(&self, epoch: Epoch, old: Old, limit: usize) -> Result<u64, StoreError> {
        self.write_as(epoch, StoreVerb::ForgetShadows, |t| Ok(t.forget_shadows(old, limit))).await
    }
}

impl Retention for Store {
    async fn forget_events(&self, epoch: Epoch, before: Timestamp, limit: usize) -> Result<u64, StoreError> {
        self.write_as(epoch, StoreVerb::ForgetEvents, |t| Ok(t.forget_events(before, limit))).await
    }

    async fn forget_bodies(&self, epoch: Epoch, before: Timestamp, limit: usize) -> Result<u64, StoreError> {
        self.write_as(epoch, StoreVerb::ForgetBodies, |t| Ok(t.forget_bodies(before, limit))).await
    }
}

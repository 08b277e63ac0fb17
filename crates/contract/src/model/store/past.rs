//! What is kept of the mailbox's past.

use domain::MsgId;
use domain::mailbox::{IdRange, KeptBody};
use engine::ports::{StoreError, StorePast};

use super::discovery::fingerprint;
use super::tables::Tables;
use super::{Store, StoreVerb};

impl StorePast for Store {
    async fn newest_bodies(&self, limit: usize) -> Result<Vec<KeptBody>, StoreError> {
        self.read(StoreVerb::NewestBodies, |tables| tables.newest_bodies(limit)).await
    }

    async fn released_gaps(&self, from: MsgId, limit: usize) -> Result<Vec<IdRange>, StoreError> {
        self.read(StoreVerb::ReleasedGaps, |tables| tables.released_gaps(from, limit)).await
    }
}

impl Tables {
    fn newest_bodies(&self, limit: usize) -> Vec<KeptBody> {
        let mut newest = Vec::new();
        for (msg_id, (body, enqueued_at)) in self.raw.iter().rev().take(limit) {
            newest.push(KeptBody { msg_id: *msg_id, enqueued_at: *enqueued_at, sha256: fingerprint(body) });
        }
        newest
    }

    fn released_gaps(&self, from: MsgId, limit: usize) -> Vec<IdRange> {
        let audited = self.closed.iter().filter(|gap| gap.verdict.is_audited()).map(|gap| gap.range);
        let mut ranges: Vec<IdRange> = audited.filter(|range| range.last >= from).collect();
        ranges.sort_unstable();
        ranges.truncate(limit);
        ranges
    }
}

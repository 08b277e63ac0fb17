//! Watermark, rows and the gap ledger.

use std::collections::btree_map::Entry;
use std::sync::Arc;

use domain::MsgId;
use domain::lifecycle::LateState;
use domain::mailbox::ClosedGap;
use domain::message::{Labels, State, StoredBody};
use engine::ports::{Enqueue, Landed, StoreError};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::tables::{MarkColumns, Row, Tables};

impl Tables {
    pub(super) fn start_at(&mut self, watermark: MsgId, closed: &[ClosedGap]) {
        if self.watermark.is_some() {
            return;
        }
        self.watermark = Some(watermark);
        self.closed.extend_from_slice(closed);
    }

    pub(super) fn closed_gaps(&self, since: Timestamp, limit: usize) -> Vec<ClosedGap> {
        let mut gaps: Vec<_> = self.closed.iter().filter(|gap| gap.closed_at >= since).cloned().collect();
        gaps.sort_by_key(|gap| std::cmp::Reverse((gap.closed_at, gap.range)));
        gaps.truncate(limit);
        gaps
    }

    pub(super) fn enqueue(&mut self, enqueue: &Enqueue) -> Result<Vec<MsgId>, StoreError> {
        if self.watermark != Some(enqueue.from) {
            let found = self.watermark;
            return Err(StoreError::Conflict(format!("watermark {found:?}, planned on {}", enqueue.from)));
        }
        self.watermark = Some(enqueue.to);
        if let Some(ledger) = &enqueue.ledger {
            self.open.clone_from(&ledger.open);
            self.closed.extend(ledger.closed.iter().cloned());
        }
        let mut different = Vec::new();
        for landed in &enqueue.rows {
            match self.raw.entry(landed.id) {
                Entry::Vacant(vacant) => {
                    vacant.insert((Arc::new(landed.body.clone()), enqueue.at));
                }
                Entry::Occupied(raw) if fingerprint(&raw.get().0) != fingerprint(&landed.body) => {
                    different.push(landed.id);
                }
                Entry::Occupied(_) => {}
            }
            self.rows.entry(landed.id).or_insert_with(|| pending(landed, enqueue.at));
        }
        Ok(different)
    }

    pub(super) fn record_late(&mut self, ids: &[MsgId], at: Timestamp) -> Vec<MsgId> {
        let mut fresh = Vec::new();
        for id in ids {
            if let Entry::Vacant(vacant) = self.late.entry(*id) {
                vacant.insert((at, LateState::Found));
                fresh.push(*id);
            }
        }
        fresh
    }
}

pub(super) fn pending(landed: &Landed, at: Timestamp) -> Row {
    Row {
        state: State::Pending,
        identity: None,
        attempts: 0,
        due: None,
        class: None,
        last_error: None,
        labels: Labels::default(),
        content_hash: None,
        received_at: landed.received_at,
        enqueued_at: at,
        updated_at: at,
        mark: MarkColumns::default(),
        archived_at: None,
    }
}

/// What tells two bodies apart: hash, and whether there is a body at all.
pub(super) fn fingerprint(body: &StoredBody) -> Option<[u8; 32]> {
    match body {
        StoredBody::Bytes(bytes) => Some(Sha256::digest(bytes).into()),
        StoredBody::Missing => None,
        StoredBody::Oversized { sha256, .. } => Some(*sha256),
    }
}

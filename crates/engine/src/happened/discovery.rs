//! What discovery tells.

use std::time::Duration;

use domain::MsgId;
use domain::mailbox::IdRange;
use metrics::counter;
use tracing::{debug, error, info, warn};

use super::catalogue::{ENQUEUED, GAP_IDS_RELEASED, LATE_ROWS, PREMISE};

/// A mailbox was begun for the first time.
pub struct StartedAt {
    /// The watermark set.
    pub watermark: MsgId,
}

impl StartedAt {
    /// Tells it.
    pub fn emit(self) {
        info!(watermark = self.watermark.0, "first start: rows above the watermark will be taken up");
    }
}

/// Rows were taken up and the watermark moved, in one transaction (INV-2).
pub struct RowsEnqueued {
    /// How many.
    pub rows: u64,
    /// The watermark now.
    pub watermark: MsgId,
}

impl RowsEnqueued {
    /// Tells it.
    pub fn emit(self) {
        let Self { rows, watermark } = self;
        counter!(ENQUEUED).increment(rows);
        debug!(rows, watermark = watermark.0, "rows enqueued");
    }
}

/// A hole came into view; its window begins.
pub struct GapOpened {
    /// The missing IDs.
    pub range: IdRange,
}

impl GapOpened {
    /// Tells it.
    pub fn emit(self) {
        let IdRange { first, last } = self.range;
        info!(first = first.0, last = last.0, "gap in view: the watermark waits before it");
    }
}

/// A hole was passed over: its window is over and a later poll still did not see it (DEC-5).
pub struct GapReleased {
    /// The missing IDs.
    pub range: IdRange,
    /// How long it was in view.
    pub age: Duration,
}

impl GapReleased {
    /// Tells it.
    pub fn emit(self) {
        let Self { range: IdRange { first, last }, age } = self;
        counter!(GAP_IDS_RELEASED).increment(u64::try_from(last.0 - first.0 + 1).unwrap_or(0));
        warn!(
            first = first.0,
            last = last.0,
            ?age,
            "gap released; it stays in the ledger and is looked at again"
        );
    }
}

/// A row lies in a released gap (below W, so it is not processed: INV-3).
pub struct LateRowFound {
    /// The row.
    pub msg_id: MsgId,
}

impl LateRowFound {
    /// Tells it.
    pub fn emit(self) {
        counter!(LATE_ROWS).increment(1);
        counter!(PREMISE, "premise" => "PRE-2").increment(1);
        error!(
            msg_id = self.msg_id.0,
            "late row: committed after its gap was released; an operator must admit or dismiss it \
             (and mailbox.max-commit-delay is too short)"
        );
    }
}

/// Another server answers than the one that showed the gaps.
pub struct ServerChanged {
    /// Before.
    pub from: String,
    /// Now.
    pub to: String,
}

impl ServerChanged {
    /// Tells it.
    pub fn emit(self) {
        warn!(
            from = self.from,
            to = self.to,
            "the mailbox is served by another server; gap windows begin anew"
        );
    }
}

/// A row lies outside the declared series of IDs.
pub struct OffSeries {
    /// `mailbox.id-step` as declared.
    pub declared: i64,
}

impl OffSeries {
    /// Tells it.
    pub fn emit(self) {
        counter!(PREMISE, "premise" => "id-step").increment(1);
        error!(
            declared = self.declared,
            "a mailbox ID lies outside the series declared by mailbox.id-step; step 1 is used from now on"
        );
    }
}

/// IDs were used again for other messages (PRE-3).
pub struct IdsReused {
    /// The IDs.
    pub ids: Vec<MsgId>,
}

impl IdsReused {
    /// Tells it.
    pub fn emit(self) {
        let ids: Vec<i64> = self.ids.iter().map(|id| id.0).collect();
        counter!(PREMISE, "premise" => "PRE-3").increment(ids.len() as u64);
        error!(
            ?ids,
            "mailbox IDs used again for other bodies: the numbering was reset; its owner must raise AUTO_INCREMENT above the watermark"
        );
    }
}

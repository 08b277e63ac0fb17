//! Messages as the comparison with the mailbox wants them.

use domain::MsgId;
use domain::event::Target;
use domain::flight::Life;
use domain::lifecycle::LateState;
use domain::mailbox::{GapVerdict, IdRange};
use domain::reconcile::{Account, MarkKept};
use engine::ports::{Accounts, StoreError};
use jiff::Timestamp;

use super::tables::{Row, Tables};
use super::{Store, StoreVerb};

impl Accounts for Store {
    async fn accounts(
        &self,
        range: IdRange,
        told_since: Timestamp,
        limit: usize,
    ) -> Result<Vec<Account>, StoreError> {
        self.read(StoreVerb::Accounts, |tables| {
            let rows = tables.rows.range(range.first..=range.last).take(limit);
            rows.map(|(id, row)| tables.account(*id, row, told_since)).collect()
        })
        .await
    }

    async fn left_out(&self, ids: &[MsgId]) -> Result<Vec<MsgId>, StoreError> {
        self.read(StoreVerb::LeftOut, |tables| {
            ids.iter().copied().filter(|id| tables.is_left_out(*id)).collect()
        })
        .await
    }
}

impl Tables {
    fn account(&self, msg_id: MsgId, row: &Row, told_since: Timestamp) -> Account {
        let row = self.archive.get(&msg_id).map_or(row, |(kept, _)| kept);
        let reason = row.mark.abandoned_at.and(row.mark.abandoned_reason);
        Account {
            msg_id,
            state: row.state,
            mark: MarkKept::of(row.mark.done_at.is_some(), reason),
            enqueued_at: row.enqueued_at,
            has_body: self.raw.contains_key(&msg_id),
            untold: self.untold(msg_id, told_since),
        }
    }

    fn untold(&self, msg_id: MsgId, since: Timestamp) -> u32 {
        let steps = self.changes.values().filter(|(change, at)| {
            let is_told = self.events.values().any(|row| {
                let event = &row.event;
                (event.msg_id, event.target, event.flid) == (msg_id, Target::Msg, change.flid)
            });
            change.msg_id == msg_id && change.life == Life::Active && *at >= since && !is_told
        });
        u32::try_from(steps.count()).unwrap_or(u32::MAX)
    }

    fn is_left_out(&self, msg_id: MsgId) -> bool {
        let before_start = self.closed.iter().any(|gap| {
            gap.verdict == GapVerdict::BeforeStart && gap.range.first <= msg_id && msg_id <= gap.range.last
        });
        before_start || matches!(self.late.get(&msg_id), Some((_, LateState::Dismissed)))
    }
}

//! Marks owed to the mailbox.

use engine::ports::{DueMark, MarkSettled, MarkVerdict};
use jiff::Timestamp;

use super::tables::Tables;

impl Tables {
    pub(super) fn due_marks(&self, now: Timestamp, limit: usize) -> Vec<DueMark> {
        let owing = self
            .rows
            .iter()
            .filter(|(_, row)| row.owes_a_mark() && row.mark.owed().is_some_and(|due| due <= now));
        owing
            .take(limit)
            .map(|(msg_id, row)| DueMark {
                msg_id: *msg_id,
                enqueued_at: row.enqueued_at,
                attempts: row.mark.attempts,
            })
            .collect()
    }

    pub(super) fn settle_marks(&mut self, settled: &[MarkSettled], at: Timestamp) {
        for settled in settled {
            let row = self.rows.get_mut(&settled.msg_id);
            let Some(row) = row.filter(|row| row.owes_a_mark()) else { continue };
            let (mark, updated_at) = (&mut row.mark, &mut row.updated_at);
            match settled.verdict.clone() {
                MarkVerdict::Done => (mark.done_at, *updated_at) = (Some(at), at),
                MarkVerdict::Retry { error, attempts, due } => {
                    (mark.error, mark.attempts, mark.due) = (Some(error), attempts, Some(due));
                }
                MarkVerdict::Abandoned { reason, error } => {
                    (mark.abandoned_at, mark.abandoned_reason, *updated_at) = (Some(at), Some(reason), at);
                    mark.error = Some(error).filter(|error| !error.is_empty());
                }
            }
        }
    }
}

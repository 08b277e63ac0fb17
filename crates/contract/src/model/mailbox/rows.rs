//! Rows looked at again, with their marks.

use domain::mailbox::IdRange;
use engine::ports::{MailboxError, MailboxRow, MailboxRows};

use super::{Mailbox, MailboxVerb};

impl MailboxRows for Mailbox {
    async fn rows(&self, range: IdRange, limit: usize) -> Result<Vec<MailboxRow>, MailboxError> {
        self.call(MailboxVerb::Rows, |table| {
            let within = table.rows.range(range.first..=range.last).take(limit);
            let seen = within.map(|(id, row)| MailboxRow {
                id: *id,
                is_marked: row.mark.processed_at.is_some(),
                marked_at: row.mark.processed_at,
                status: row.mark.status.clone(),
            });
            Ok(seen.collect())
        })
        .await
    }
}

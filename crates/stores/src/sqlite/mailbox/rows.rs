//! Rows looked at again, with their marks.

use domain::MsgId;
use domain::mailbox::IdRange;
use engine::ports::{MailboxError, MailboxRow, MailboxRows};

use super::super::errors::Failure;
use super::super::limit;
use super::super::statement::named;
use super::{FILE, SqliteMailbox, wall_time};

const ROWS: &str = named(FILE, "rows");

impl MailboxRows for SqliteMailbox {
    async fn rows(&self, range: IdRange, most: usize) -> Result<Vec<MailboxRow>, MailboxError> {
        let rows: Vec<(i64, Option<String>, Option<String>)> = sqlx::query_as(ROWS)
            .bind(range.first.0)
            .bind(range.last.0)
            .bind(limit(most))
            .fetch_all(self.database.readers())
            .await
            .map_err(MailboxError::of)?;
        let seen = |(id, at, status): (i64, Option<String>, Option<String>)| MailboxRow {
            id: MsgId(id),
            is_marked: at.is_some(),
            marked_at: at.as_deref().and_then(|at| wall_time::read(at, &self.options.zone)),
            status,
        };
        Ok(rows.into_iter().map(seen).collect())
    }
}

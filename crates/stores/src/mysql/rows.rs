//! Rows of the mailbox looked at again, with their marks.

use domain::MsgId;
use domain::mailbox::IdRange;
use engine::ports::{MailboxError, MailboxRow, MailboxRows};
use sqlx::Row;
use sqlx::mysql::MySqlRow;

use super::MysqlMailbox;
use super::errors::unavailable_or_refused;
use super::statements::Statements;
use super::times;

impl MailboxRows for MysqlMailbox {
    async fn rows(&self, range: IdRange, limit: usize) -> Result<Vec<MailboxRow>, MailboxError> {
        let statements = self.statements().await?;
        let query = statements
            .rows
            .query()
            .bind(range.first.0)
            .bind(range.last.0)
            .bind(i64::try_from(limit).unwrap_or(i64::MAX));
        let rows = query.fetch_all(&self.pool).await.map_err(unavailable_or_refused)?;
        let read = rows.iter().map(|row| self.row(statements, row)).collect::<Result<_, _>>();
        read.map_err(unavailable_or_refused)
    }
}

impl MysqlMailbox {
    fn row(&self, statements: &Statements, row: &MySqlRow) -> Result<MailboxRow, sqlx::Error> {
        let text = |index: usize| -> Result<Option<String>, sqlx::Error> {
            let bytes: Option<Vec<u8>> = row.try_get_unchecked(index)?;
            Ok(bytes.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()))
        };
        let marked_at = text(2)?.and_then(|at| times::parse(statements.mark_time, &at, &self.zone));
        let is_marked = row.try_get::<i64, _>(1)? != 0;
        Ok(MailboxRow { id: MsgId(row.try_get(0)?), is_marked, marked_at, status: text(3)? })
    }
}

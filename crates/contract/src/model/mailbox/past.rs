//! What happens to a mailbox over the years: connections change, tables are emptied and restored.

use domain::MsgId;
use domain::mailbox::Shown;
use engine::ports::{MailboxError, MailboxPast, Session, Transactions};

use super::{Mailbox, MailboxVerb, Table, lock};

impl MailboxPast for Mailbox {
    async fn shown(&self, ids: &[MsgId]) -> Result<(Session, Shown), MailboxError> {
        self.call(MailboxVerb::Shown, |table| Ok((table.session(), table.shown(ids)))).await
    }

    async fn transactions(&self) -> Result<(Session, Transactions), MailboxError> {
        self.call(MailboxVerb::Transactions, |table| Ok((table.session(), table.transactions()))).await
    }
}

/// A mailbox as it was, for [`Mailbox::restore`].
#[derive(Debug, Clone)]
pub struct Backup(Table);

impl Mailbox {
    /// The connection that polls is another from now on.
    pub fn reconnect(&self) {
        lock(&self.table).connections += 1;
    }

    /// Transactions prove nothing from now on, for this reason; `None`: they do.
    pub fn hide_transactions(&self, why: Option<&str>) {
        lock(&self.table).no_witness = why.map(str::to_owned);
    }

    /// The owner empties the table so that numbering begins at 1 again.
    pub fn truncate(&self) {
        let mut table = lock(&self.table);
        table.rows.clear();
        table.numbered = 0;
    }

    /// The owner raises AUTO_INCREMENT to `next`.
    pub fn number_from(&self, next: i64) {
        lock(&self.table).numbered = next - 1;
    }

    /// The owner makes a backup.
    pub fn back_up(&self) -> Backup {
        Backup(lock(&self.table).clone())
    }

    /// The owner restores a backup, numbering and all.
    pub fn restore(&self, backup: &Backup) {
        let mut table = lock(&self.table);
        let connections = table.connections + 1;
        *table = Table { connections, ..backup.0.clone() };
    }
}

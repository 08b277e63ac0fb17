//! The mailbox in memory, with its owner's transactions: numbers are given out when a row is
//! inserted and become visible when its transaction commits.

mod past;
mod rows;
mod table;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use domain::MsgId;
use domain::mailbox::IdRange;
use engine::ports::{
    Extent, Mailbox as MailboxPort, MailboxError, MarkOutcome, NewLetter, Poll, PollRequest,
};
use jiff::Timestamp;

use super::{Faults, lock};
use crate::Mark;
pub use past::Backup;
use table::Table;

/// An in-memory mailbox; clones are the same mailbox.
#[derive(Debug, Clone, Default)]
pub struct Mailbox {
    table: Arc<Mutex<Table>>,
    faults: Faults<MailboxVerb, MailboxError>,
}

/// The verbs of the mailbox port, for [`Mailbox::faults`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "each is the port's method of the same name")]
pub enum MailboxVerb {
    Poll,
    Present,
    Extent,
    Rows,
    Mark,
    Insert,
    Shown,
    Transactions,
}

impl Mailbox {
    /// Failures to answer with.
    pub fn faults(&self) -> &Faults<MailboxVerb, MailboxError> {
        &self.faults
    }

    /// The owner inserts a row (numbered unless the letter has an ID) and commits at once.
    pub fn land(&self, letter: NewLetter) -> MsgId {
        let id = self.open(letter);
        self.commit(id);
        id
    }

    /// The owner inserts a row and keeps the transaction open.
    pub fn open(&self, letter: NewLetter) -> MsgId {
        let mut table = lock(&self.table);
        let id = table.number(letter.id);
        table.uncommitted.insert(id, letter);
        id
    }

    /// The owner commits the open transaction of a row.
    pub fn commit(&self, id: MsgId) {
        let mut table = lock(&self.table);
        let letter = table.uncommitted.remove(&id).expect("an open transaction with this row");
        table.put(id, letter);
    }

    /// The owner rolls the open transaction of a row back: its number is never used again.
    pub fn roll_back(&self, id: MsgId) {
        lock(&self.table).uncommitted.remove(&id).expect("an open transaction with this row");
    }

    /// The owner deletes a row.
    pub fn delete(&self, id: MsgId) {
        lock(&self.table).rows.remove(&id);
    }

    /// The mark of a row; `None` when there is no such row.
    pub fn mark_of(&self, id: MsgId) -> Option<Mark> {
        lock(&self.table).rows.get(&id).map(|row| row.mark.clone())
    }

    /// Another program marks a row.
    pub fn mark_by_other(&self, id: MsgId, mark: Mark) {
        lock(&self.table).rows.get_mut(&id).expect("a row to mark").mark = mark;
    }

    /// Marks of `id` fail from now on; `None` lets them through again.
    pub fn refuse_mark(&self, id: MsgId, error: Option<(&str, bool)>) {
        let mut table = lock(&self.table);
        match error {
            Some((error, needs_operator)) => {
                let outcome = MarkOutcome::Failed { error: error.into(), needs_operator };
                table.unmarkable.insert(id, outcome);
            }
            None => {
                table.unmarkable.remove(&id);
            }
        }
    }

    /// Another server answers from now on.
    pub fn change_server(&self) {
        lock(&self.table).servers += 1;
    }

    /// IDs of every committed row, ascending.
    pub fn ids(&self) -> Vec<MsgId> {
        lock(&self.table).rows.keys().copied().collect()
    }
}

impl MailboxPort for Mailbox {
    async fn poll(&self, request: &PollRequest) -> Result<Poll, MailboxError> {
        self.call(MailboxVerb::Poll, |table| Ok(table.poll(request))).await
    }

    async fn present(&self, ranges: &[IdRange], limit: usize) -> Result<Vec<MsgId>, MailboxError> {
        self.call(MailboxVerb::Present, |table| {
            let within = ranges.iter().flat_map(|range| table.rows.range(range.first..=range.last));
            let ids: BTreeSet<MsgId> = within.map(|(id, _)| *id).collect();
            Ok(ids.into_iter().take(limit).collect())
        })
        .await
    }

    async fn extent(&self) -> Result<Extent, MailboxError> {
        self.call(MailboxVerb::Extent, |table| {
            let mut ids = table.rows.keys().copied();
            let first = ids.next();
            Ok(Extent { first, last: ids.next_back().or(first) })
        })
        .await
    }

    async fn mark(&self, ids: &[MsgId], at: Timestamp) -> Result<Vec<(MsgId, MarkOutcome)>, MailboxError> {
        self.call(MailboxVerb::Mark, |table| Ok(ids.iter().map(|id| (*id, table.mark(*id, at))).collect()))
            .await
    }

    async fn insert(&self, letters: &[NewLetter]) -> Result<Vec<MsgId>, MailboxError> {
        self.call(MailboxVerb::Insert, |table| {
            let mut copy = table.clone();
            let ids = copy.insert(letters)?;
            *table = copy;
            Ok(ids)
        })
        .await
    }
}

impl Mailbox {
    async fn call<T>(
        &self,
        verb: MailboxVerb,
        act: impl FnOnce(&mut Table) -> Result<T, MailboxError>,
    ) -> Result<T, MailboxError> {
        self.faults.before(verb).await?;
        let answer = act(&mut lock(&self.table))?;
        self.faults.after(verb)?;
        Ok(answer)
    }
}

//! The mailbox in memory, with its owner's transactions: numbers are given out when a row is
//! inserted and become visible when its transaction commits.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use domain::MsgId;
use domain::mailbox::{IdRange, takeable};
use domain::message::StoredBody;
use engine::ports::{
    Extent, Landed, Mailbox as MailboxPort, MailboxError, MarkOutcome, NewLetter, Poll, PollRequest, Visible,
};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use super::{Faults, lock};
use crate::Mark;

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
    Mark,
    Insert,
}

#[derive(Debug, Clone, Default)]
struct Table {
    numbered: i64,
    rows: BTreeMap<MsgId, Row>,
    uncommitted: BTreeMap<MsgId, NewLetter>,
    unmarkable: BTreeMap<MsgId, MarkOutcome>,
    servers: u32,
}

#[derive(Debug, Clone)]
struct Row {
    body: Option<Vec<u8>>,
    received_at: Timestamp,
    mark: Mark,
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

impl Table {
    fn number(&mut self, explicit: Option<MsgId>) -> MsgId {
        let id = explicit.unwrap_or(MsgId(self.numbered + 1));
        self.numbered = self.numbered.max(id.0);
        id
    }

    fn put(&mut self, id: MsgId, letter: NewLetter) {
        let NewLetter { body, received_at, id: _ } = letter;
        self.rows.insert(id, Row { body, received_at, mark: Mark::default() });
    }

    fn insert(&mut self, letters: &[NewLetter]) -> Result<Vec<MsgId>, MailboxError> {
        let mut ids = Vec::new();
        for letter in letters {
            let id = self.number(letter.id);
            if self.rows.contains_key(&id) || self.uncommitted.contains_key(&id) {
                return Err(MailboxError::Refused(format!("row {id} is there already")));
            }
            self.put(id, letter.clone());
            ids.push(id);
        }
        Ok(ids)
    }

    fn poll(&self, request: &PollRequest) -> Poll {
        let above = self.rows.iter().filter(|(id, _)| **id > request.after).take(request.ids_max);
        let visible: Vec<Visible> = above
            .map(|(id, row)| Visible { id: *id, length: row.body.as_ref().map(|body| body.len() as u64) })
            .collect();
        let ids: Vec<MsgId> = visible.iter().map(|visible| visible.id).collect();
        let count = takeable(request.after, &ids, &request.dead, request.step);
        let mut landed = Vec::new();
        let mut bytes = 0;
        for id in ids.into_iter().take(count.min(request.rows_max)) {
            let row = &self.rows[&id];
            let body = stored(row.body.as_deref(), request.bodies.body_max);
            bytes += match &body {
                StoredBody::Bytes(body) => body.len() as u64,
                StoredBody::Missing | StoredBody::Oversized { .. } => 0,
            };
            if bytes > request.bodies.poll_max && !landed.is_empty() {
                break;
            }
            landed.push(Landed { id, received_at: Some(row.received_at), body });
        }
        Poll { server: format!("model-{}", self.servers), visible, landed }
    }

    fn mark(&mut self, id: MsgId, at: Timestamp) -> MarkOutcome {
        let Some(row) = self.rows.get_mut(&id) else { return MarkOutcome::Missing };
        if row.mark.processed_at.is_some() {
            return MarkOutcome::AlreadyMarked;
        }
        if let Some(refusal) = self.unmarkable.get(&id) {
            return refusal.clone();
        }
        row.mark = Mark { status: Some("PROCESSED".into()), processed_at: Some(at) };
        MarkOutcome::Written
    }
}

fn stored(body: Option<&[u8]>, longest: u64) -> StoredBody {
    match body {
        None => StoredBody::Missing,
        Some(bytes) if bytes.len() as u64 > longest => {
            StoredBody::Oversized { length: bytes.len() as u64, sha256: Sha256::digest(bytes).into() }
        }
        Some(bytes) => StoredBody::Bytes(bytes.to_vec()),
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

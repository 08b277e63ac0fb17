//! The table, and what each verb does to it.

use std::collections::BTreeMap;

use domain::MsgId;
use domain::mailbox::{OpenTransaction, Shown, takeable};
use domain::message::StoredBody;
use engine::ports::{
    Landed, MailboxError, MarkOutcome, NewLetter, Poll, PollRequest, Session, Transactions, Visible,
};
use jiff::Timestamp;
use sha2::{Digest, Sha256};

use crate::Mark;

#[derive(Debug, Clone, Default)]
pub(super) struct Table {
    pub(super) numbered: i64,
    pub(super) rows: BTreeMap<MsgId, Row>,
    pub(super) uncommitted: BTreeMap<MsgId, NewLetter>,
    pub(super) unmarkable: BTreeMap<MsgId, MarkOutcome>,
    pub(super) servers: u32,
    pub(super) connections: u64,
    /// Why transactions prove nothing; they do while it is `None`.
    pub(super) no_witness: Option<String>,
}

#[derive(Debug, Clone)]
pub(super) struct Row {
    body: Option<Vec<u8>>,
    received_at: Timestamp,
    pub(super) mark: Mark,
}

impl Table {
    pub(super) fn number(&mut self, explicit: Option<MsgId>) -> MsgId {
        let id = explicit.unwrap_or(MsgId(self.numbered + 1));
        self.numbered = self.numbered.max(id.0);
        id
    }

    pub(super) fn put(&mut self, id: MsgId, letter: NewLetter) {
        let NewLetter { body, received_at, id: _ } = letter;
        self.rows.insert(id, Row { body, received_at, mark: Mark::default() });
    }

    pub(super) fn insert(&mut self, letters: &[NewLetter]) -> Result<Vec<MsgId>, MailboxError> {
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

    pub(super) fn poll(&self, request: &PollRequest) -> Poll {
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
        let Session { server, connection } = self.session();
        Poll { server, connection, visible, landed }
    }

    pub(super) fn session(&self) -> Session {
        Session { server: format!("model-{}", self.servers), connection: self.connections }
    }

    pub(super) fn shown(&self, ids: &[MsgId]) -> Shown {
        let digest = |row: &Row| row.body.as_ref().map(|body| Sha256::digest(body).into());
        let there = ids.iter().filter_map(|id| Some((*id, digest(self.rows.get(id)?))));
        Shown { next: Some(MsgId(self.numbered + 1)), bodies: there.collect() }
    }

    /// Each open row is a transaction of its own.
    pub(super) fn transactions(&self) -> Transactions {
        if let Some(why) = &self.no_witness {
            return Transactions::Unusable(why.clone());
        }
        let open = self.uncommitted.keys();
        let one = |id: &MsgId| OpenTransaction { thread: id.0.unsigned_abs(), started: format!("t{id}") };
        Transactions::Open(open.map(one).collect())
    }

    pub(super) fn mark(&mut self, id: MsgId, at: Timestamp) -> MarkOutcome {
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

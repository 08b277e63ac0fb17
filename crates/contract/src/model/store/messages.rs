//! Messages for people.

use domain::MsgId;
use domain::message::{State, StoredBody};
use engine::ports::{
    AttemptLog, ChangeView, EventView, MarkView, MessagePage, MessageRecord, Messages, RawBody, Sought,
    StoreError,
};
use sha2::{Digest, Sha256};

use super::tables::{Delivery, EventRow, Row, Tables};
use super::{Store, StoreVerb};

impl Messages for Store {
    async fn messages(
        &self,
        sought: &Sought,
        before: MsgId,
        limit: usize,
    ) -> Result<MessagePage, StoreError> {
        self.read(StoreVerb::Views, |t| t.messages(sought, before, limit)).await
    }

    async fn record(&self, msg_id: MsgId) -> Result<Option<MessageRecord>, StoreError> {
        self.read(StoreVerb::Views, |t| t.record(msg_id)).await
    }

    async fn attempts(&self, msg_id: MsgId) -> Result<Vec<AttemptLog>, StoreError> {
        self.read(StoreVerb::Attempts, |t| t.attempts.get(&msg_id).cloned().unwrap_or_default()).await
    }

    async fn body(&self, msg_id: MsgId) -> Result<Option<RawBody>, StoreError> {
        self.read(StoreVerb::Views, |t| t.raw.get(&msg_id).map(|(body, _)| raw_body(body))).await
    }

    async fn changes_by(&self, msg_id: MsgId, limit: usize) -> Result<Vec<ChangeView>, StoreError> {
        self.read(StoreVerb::Views, |t| {
            let changes = t.changes.values().filter(|(change, _)| change.msg_id == msg_id).take(limit);
            changes.map(|(change, at)| ChangeView { change: change.clone(), at: *at }).collect()
        })
        .await
    }

    async fn events_by(&self, msg_id: MsgId, limit: usize) -> Result<Vec<EventView>, StoreError> {
        self.read(StoreVerb::Views, |t| {
            let events = t.events.iter().filter(|(_, row)| row.event.msg_id == msg_id).take(limit);
            events.map(|(id, row)| event_view(*id, row)).collect()
        })
        .await
    }
}

impl Tables {
    fn messages(&self, sought: &Sought, before: MsgId, limit: usize) -> MessagePage {
        let looked_most = sought.looked(limit);
        let ids: Vec<MsgId> = self.rows.range(..before).rev().map(|(id, _)| *id).take(looked_most).collect();
        let found = ids.iter().filter(|id| !self.is_bare(**id)).filter_map(|id| self.record(*id));
        let found = found.filter(|record| self.is_sought(record, sought)).take(limit).collect();
        MessagePage::of(found, &ids, looked_most, limit)
    }

    /// A shadow whose message is forgotten.
    fn is_bare(&self, msg_id: MsgId) -> bool {
        self.is_shadow(msg_id) && !self.archive.contains_key(&msg_id)
    }

    fn is_sought(&self, record: &MessageRecord, sought: &Sought) -> bool {
        let MessageRecord { message, identity, .. } = record;
        let is = |sought: &Option<String>, found: &Option<String>| sought.is_none() || sought == found;
        let changed = |flid| {
            self.changes.values().any(|(change, _)| (change.flid, change.msg_id) == (flid, message.msg_id))
        };
        sought.state.is_none_or(|state| state == message.state)
            && sought.class.is_none_or(|class| Some(class) == message.class)
            && is(&sought.kind, &message.labels.kind)
            && is(&sought.subtype, &message.labels.subtype)
            && is(&sought.sender, &message.labels.sender)
            && sought.identity.as_ref().is_none_or(|key| Some(key) == identity.as_ref())
            && sought.flid.is_none_or(changed)
            && sought.since.is_none_or(|since| message.enqueued_at >= since)
            && sought.until.is_none_or(|until| message.enqueued_at < until)
    }

    fn record(&self, msg_id: MsgId) -> Option<MessageRecord> {
        let row = self.rows.get(&msg_id);
        let live = row.filter(|row| row.state != State::Archived).map(|row| (row, None));
        let past = self.archive.get(&msg_id).map(|(row, at)| (row, Some(*at)));
        let shadow = row.map(|row| (row, row.archived_at));
        let (row, archived_at) = live.or(past).or(shadow)?;
        let first = self.attempts.get(&msg_id).and_then(|attempts| attempts.first());
        Some(MessageRecord {
            message: self.message(msg_id)?,
            identity: row.identity.clone(),
            content_hash: row.content_hash,
            due: row.due,
            mark: mark_view(row),
            archived_at,
            first_failure: first.map(|attempt| (attempt.class, attempt.error.clone())),
        })
    }
}

fn mark_view(row: &Row) -> MarkView {
    let mark = &row.mark;
    MarkView {
        due: mark.due,
        attempts: mark.attempts,
        error: mark.error.clone(),
        abandoned_at: mark.abandoned_at,
        reconciled: mark.reconciled_at.map(|at| (at, "ops".to_owned(), "seen".to_owned())),
    }
}

fn raw_body(body: &StoredBody) -> RawBody {
    let (sha256, length) = match body {
        StoredBody::Bytes(bytes) => (Some(Sha256::digest(bytes).into()), bytes.len() as u64),
        StoredBody::Missing => (None, 0),
        StoredBody::Oversized { length, sha256 } => (Some(*sha256), *length),
    };
    RawBody { body: body.clone(), sha256, length }
}

fn event_view(event_id: domain::EventId, row: &EventRow) -> EventView {
    use domain::lifecycle::EventState;
    let (state, due, sent_at, receipt) = match &row.delivery {
        Delivery::Pending { due } => (EventState::Pending, *due, None, None),
        Delivery::Sent { topic, partition, offset, at } => {
            (EventState::Sent, None, Some(*at), Some((topic.clone(), *partition, *offset)))
        }
        Delivery::Dead if row.discarded_at.is_some() => (EventState::Discarded, None, None, None),
        Delivery::Dead => (EventState::Dead, None, None, None),
    };
    EventView {
        event_id,
        target: row.event.target,
        flid: row.event.flid,
        event_type: row.event.event_type,
        state_version: row.event.state_version,
        state,
        attempts: row.attempts,
        due,
        last_error: row.error.clone(),
        created_at: row.created_at,
        sent_at,
        receipt,
    }
}

//! The models as subjects of their own suites.

use domain::event::Target;
use domain::{Flid, MsgId};
use engine::ports::NewLetter;

use super::{Mailbox, Sink, Store, sink};
use crate::{
    Harness, MailboxHarness, Mark, OpenTransactions, RefusesRecords, SinkHarness, StoreHarness, Stored,
};

/// A [`Store`] under test.
#[derive(Debug, Default)]
pub struct StoreSubject(Store);

impl StoreSubject {
    pub(super) fn model(&self) -> &Store {
        &self.0
    }
}

impl Harness for StoreSubject {
    async fn fresh() -> Self {
        Self::default()
    }
}

impl StoreHarness for StoreSubject {
    type Store = Store;

    fn store(&self) -> &Store {
        &self.0
    }

    async fn archive(&self, msg_id: MsgId) {
        self.0.leave_shadow(msg_id);
    }

    async fn receipts(&self, target: Target, flid: Flid) -> Vec<(String, i32, i64)> {
        self.0.receipts(target, flid)
    }
}

/// A [`Mailbox`] under test.
#[derive(Debug, Default)]
pub struct MailboxSubject(Mailbox);

impl Harness for MailboxSubject {
    async fn fresh() -> Self {
        Self::default()
    }
}

impl MailboxHarness for MailboxSubject {
    type Mailbox = Mailbox;

    fn mailbox(&self) -> &Mailbox {
        &self.0
    }

    async fn mark_of(&self, id: MsgId) -> Option<Mark> {
        self.0.mark_of(id)
    }

    async fn mark_by_other(&self, id: MsgId, mark: Mark) {
        self.0.mark_by_other(id, mark);
    }

    async fn delete(&self, id: MsgId) {
        self.0.delete(id);
    }
}

impl OpenTransactions for MailboxSubject {
    type Open = MsgId;

    async fn open(&self, letter: NewLetter) -> (MsgId, MsgId) {
        let id = self.0.open(letter);
        (id, id)
    }

    async fn commit(&self, open: MsgId) {
        self.0.commit(open);
    }

    async fn roll_back(&self, open: MsgId) {
        self.0.roll_back(open);
    }
}

/// A [`Sink`] under test.
#[derive(Debug, Default)]
pub struct SinkSubject(Sink);

impl Harness for SinkSubject {
    async fn fresh() -> Self {
        Self::default()
    }
}

impl SinkHarness for SinkSubject {
    type Sink = Sink;

    fn sink(&self) -> &Sink {
        &self.0
    }

    async fn records(&self, topic: &str) -> Vec<Stored> {
        self.0.records(topic)
    }

    async fn lose_topics(&self) {
        Target::ALL.into_iter().for_each(|target| self.0.lose(target));
    }
}

impl RefusesRecords for SinkSubject {
    fn too_large(&self) -> usize {
        sink::VALUE_BYTES_MAX + 1
    }
}

//! What a test module tells the suites about its adapter. Each harness is one subject of its
//! own: empty, and shared with no other test.

use std::future::Future;

use domain::event::Target;
use domain::{Flid, MsgId};
use engine::ports::{Mailbox, NewLetter, Receipt, Sink, Store, Views};
use jiff::Timestamp;

/// A subject that can be made and taken away.
pub trait Harness: Sized {
    /// A new, empty subject (migrated, where there is something to migrate).
    fn fresh() -> impl Future<Output = Self>;

    /// Takes the subject away after a case has passed.
    fn close(self) -> impl Future<Output = ()> {
        async {}
    }
}

/// A store under test.
pub trait StoreHarness: Harness {
    /// The adapter.
    type Store: Store + Views;

    /// The adapter, on an empty store.
    fn store(&self) -> &Self::Store;

    /// Turns a terminal row into its shadow by plain SQL: state ARCHIVED, attempts and
    /// `backfill_attempts` 0, `updated_at` = `enqueued_at` = `archived_at`, all else NULL but
    /// `msg_id` and `identity_key`.
    fn archive(&self, msg_id: MsgId) -> impl Future<Output = ()>;

    /// Topic, partition and offset kept with the SENT events of a key, in event order.
    fn receipts(&self, target: Target, flid: Flid) -> impl Future<Output = Vec<(String, i32, i64)>>;
}

/// The mark of a row, as others see it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mark {
    /// `CMINMSGS_STATUS`.
    pub status: Option<String>,
    /// `CMINMSGS_DATE_PROCESSED`, read as local wall time.
    pub processed_at: Option<Timestamp>,
}

/// A mailbox under test.
pub trait MailboxHarness: Harness {
    /// The adapter.
    type Mailbox: Mailbox;

    /// The adapter, on an empty table whose first number is 1.
    fn mailbox(&self) -> &Self::Mailbox;

    /// The mark of a row by plain SQL; `None` when there is no such row.
    fn mark_of(&self, id: MsgId) -> impl Future<Output = Option<Mark>>;

    /// Marks a row as another program would.
    fn mark_by_other(&self, id: MsgId, mark: Mark) -> impl Future<Output = ()>;

    /// Deletes a row, as the owner's purge does.
    fn delete(&self, id: MsgId) -> impl Future<Output = ()>;
}

/// A mailbox whose transactions may stay open while others commit.
pub trait OpenTransactions: MailboxHarness {
    /// A transaction that has inserted rows and is neither committed nor rolled back.
    type Open;

    /// Inserts one row, without an ID, and leaves the transaction open.
    fn open(&self, letter: NewLetter) -> impl Future<Output = (MsgId, Self::Open)>;

    /// Commits it.
    fn commit(&self, open: Self::Open) -> impl Future<Output = ()>;

    /// Rolls it back.
    fn roll_back(&self, open: Self::Open) -> impl Future<Output = ()>;
}

/// A record as a consumer finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stored {
    /// Key.
    pub key: String,
    /// Value; `None` for a tombstone.
    pub value: Option<String>,
    /// Headers in order.
    pub headers: Vec<(String, String)>,
    /// Where it lies.
    pub receipt: Receipt,
}

/// A sink under test.
pub trait SinkHarness: Harness {
    /// The adapter.
    type Sink: Sink;

    /// The adapter, with an empty topic for each target.
    fn sink(&self) -> &Self::Sink;

    /// Every record of a topic, by partition and offset.
    fn records(&self, topic: &str) -> impl Future<Output = Vec<Stored>>;

    /// Takes both topics away.
    fn lose_topics(&self) -> impl Future<Output = ()>;
}

/// A sink that refuses a record for the record's own fault.
pub trait RefusesRecords: SinkHarness {
    /// A value's length in bytes that is too large.
    fn too_large(&self) -> usize;
}

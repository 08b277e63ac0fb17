//! What the engine needs of the world. Each verb is whole in itself: one transaction, no
//! visible connection. No call is ever cancelled, raced or timed out from outside.

mod accounts;
mod actions;
mod archive;
mod clock;
mod counts;
mod kinds;
mod lone_tries;
mod mailbox;
mod mailbox_rows;
mod message_record;
mod messages;
mod operations;
mod outbox;
mod owed_marks;
mod past;
mod pauses;
mod retention;
mod sink;
mod sought;
mod store;
mod store_error;
mod timeline;
mod views;

pub use accounts::Accounts;
pub use actions::{Actions, Filter, Selected, Selection};
pub use archive::{Archivable, Archive, ArchivePlace, Old};
pub use clock::{Clock, Wake};
pub use counts::{FiveFacts, GapCount, OutboxCount, OutcomeCount};
pub use kinds::KindCount;
pub use lone_tries::{LastEnd, LoneTries};
pub use mailbox::{
    BodyLimits, Extent, Landed, Mailbox, MailboxError, MarkOutcome, NewLetter, Poll, PollRequest, Visible,
};
pub use mailbox_rows::{MailboxRow, MailboxRows};
pub use message_record::{EventView, MarkView, MessagePage, MessageRecord, RawBody};
pub use messages::Messages;
pub use operations::{AuditEntry, AuditFilter, Batch, Done, FrozenTarget, Operation, Outcome, Progress};
pub use outbox::{EventSettled, EventVerdict, OutboxEvent};
pub use owed_marks::{DueMark, MarkSettled, MarkVerdict};
pub use past::{MailboxPast, Session, StorePast, Transactions};
pub use pauses::{PauseOrder, PauseWhat, Pauses};
pub use retention::Retention;
pub use sink::{Published, Receipt, Record, Sink, SinkError};
pub use sought::{Sought, Source};
pub use store::{AttemptLog, Cursor, Enqueue, LeaseState, Ledger, Store};
pub use store_error::StoreError;
pub use timeline::{ChangeView, PastView};
pub use views::{HeadView, MessageView, QueueView, Views};

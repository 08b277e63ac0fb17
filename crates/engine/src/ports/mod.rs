//! What the engine needs of the world. Each verb is whole in itself: one transaction, no
//! visible connection. No call is ever cancelled, raced or timed out from outside.

mod clock;
mod mailbox;
mod sink;
mod store;
mod views;

pub use clock::{Clock, Wake};
pub use mailbox::{
    BodyLimits, Extent, Landed, Mailbox, MailboxError, MarkOutcome, NewLetter, Poll, PollRequest, Visible,
};
pub use sink::{Published, Receipt, Record, Sink, SinkError};
pub use store::{
    AttemptLog, Cursor, DueMark, Enqueue, EventSettled, EventVerdict, LeaseState, Ledger, MarkSettled,
    MarkVerdict, OutboxEvent, Store, StoreError,
};
pub use views::{FiveFacts, GapCount, HeadView, MessageView, OutboxCount, OutcomeCount, QueueView, Views};

//! The queue as the pump last saw it.

use domain::MsgId;
use domain::message::ErrorClass;
use jiff::Timestamp;

/// The head as the pump last saw it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Head {
    /// The message.
    pub msg_id: MsgId,
    /// Failed attempts so far.
    pub attempts: u32,
    /// When it was enqueued.
    pub enqueued_at: Timestamp,
    /// It has failed and waits until then: everything behind it waits too (INV-3).
    pub blocked_until: Option<Timestamp>,
    /// Class of the failure that blocks, when this process saw it.
    pub class: Option<ErrorClass>,
}

#[derive(Debug, Default)]
pub(super) struct QueueState {
    pub(super) head: Option<Head>,
    pub(super) failure: Option<(MsgId, ErrorClass)>,
    pub(super) oldest_gap: Option<Timestamp>,
    pub(super) seen_at: Option<Timestamp>,
}

//! Messages for people: lists that can be filtered, and everything kept of one (INV-1).

use std::future::Future;

use domain::MsgId;

use super::{AttemptLog, ChangeView, EventView, MessagePage, MessageRecord, RawBody, Sought, StoreError};

/// Messages in the queue's table and in the archive, read alike. Part of [`super::Views`]; nothing
/// read here is a source for a write (INV-11).
pub trait Messages: Send + Sync + 'static {
    /// Messages below `before` that are as `sought`, newest first, at most `limit`. Looks at a bounded
    /// number of rows, by index, whatever is sought: an answer with fewer than `limit` messages says
    /// how far it looked.
    fn messages(
        &self,
        sought: &Sought,
        before: MsgId,
        limit: usize,
    ) -> impl Future<Output = Result<MessagePage, StoreError>> + Send;

    /// Everything the row of one message says; of one whose archive was forgotten, what its shadow
    /// does. `None` if it is unknown.
    fn record(&self, msg_id: MsgId)
    -> impl Future<Output = Result<Option<MessageRecord>, StoreError>> + Send;

    /// Its failed tries, oldest first.
    fn attempts(&self, msg_id: MsgId) -> impl Future<Output = Result<Vec<AttemptLog>, StoreError>> + Send;

    /// Its body as it was taken up; `None` where it isn't kept any longer.
    fn body(&self, msg_id: MsgId) -> impl Future<Output = Result<Option<RawBody>, StoreError>> + Send;

    /// The steps it led flights to, by flight and version, at most `limit`.
    fn changes_by(
        &self,
        msg_id: MsgId,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<ChangeView>, StoreError>> + Send;

    /// The events it caused, oldest first, at most `limit`. A row of `KAFKA:schd` is the newest
    /// message's: a later one takes it over.
    fn events_by(
        &self,
        msg_id: MsgId,
        limit: usize,
    ) -> impl Future<Output = Result<Vec<EventView>, StoreError>> + Send;
}

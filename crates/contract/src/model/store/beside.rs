//! What others do to the tables beside the port, and what they see there.

use domain::message::State;
use domain::{EventId, MsgId};
use engine::ports::Clock;
use jiff::Timestamp;

use super::Store;
use super::tables::{Delivery, Row};
use crate::Shadow;
use crate::model::lock;

impl Store {
    /// Makes a terminal row a shadow of which the archive knows nothing.
    pub fn leave_shadow(&self, msg_id: MsgId) {
        let now = self.clock.wall();
        lock(&self.tables).leave_shadow(msg_id, now);
    }

    /// Reconciles a mark that was given up.
    pub fn reconcile(&self, msg_id: MsgId, at: Timestamp) {
        self.change(msg_id, |row| {
            assert!(row.mark.abandoned_at.is_some(), "only what was given up is reconciled");
            row.mark.reconciled_at = Some(at);
        });
    }

    /// Makes a dead letter PENDING again.
    pub fn replay(&self, msg_id: MsgId, at: Timestamp) {
        self.change(msg_id, |row| {
            assert_eq!(row.state, State::Dead, "only dead letters are replayed");
            (row.state, row.attempts, row.updated_at) = (State::Pending, 0, at);
            (row.class, row.last_error) = (None, None);
        });
    }

    /// Discards a DEAD event.
    pub fn discard(&self, event_id: EventId, at: Timestamp) {
        let mut tables = lock(&self.tables);
        let event = tables.events.get_mut(&event_id).expect("an event");
        assert_eq!(event.delivery, Delivery::Dead, "only DEAD events are discarded");
        event.discarded_at = Some(at);
    }

    /// Puts a row of a live message into the archive, where there must be none.
    pub fn occupy_archive(&self, msg_id: MsgId) {
        let mut tables = lock(&self.tables);
        let row = tables.rows.get(&msg_id).expect("a message").clone();
        let at = row.updated_at;
        tables.archive.insert(msg_id, (row, at));
    }

    /// A row that is ARCHIVED; panics when it says more than a shadow does.
    pub fn shadow(&self, msg_id: MsgId) -> Option<Shadow> {
        let row = lock(&self.tables).rows.get(&msg_id).filter(|row| row.state == State::Archived).cloned()?;
        let archived_at = row.archived_at.expect("a shadow has its time");
        assert_eq!((row.attempts, row.mark.attempts), (0, 0));
        assert_eq!((row.updated_at, row.enqueued_at), (archived_at, archived_at));
        assert!(row.class.is_none() && row.last_error.is_none() && row.content_hash.is_none());
        assert!(row.received_at.is_none() && row.due.is_none() && !row.mark.settled());
        Some(Shadow { identity: row.identity, archived_at })
    }

    /// IDs in the archive, ascending.
    pub fn archived(&self) -> Vec<i64> {
        lock(&self.tables).archive.keys().map(|id| id.0).collect()
    }

    /// IDs of the bodies kept, ascending.
    pub fn bodies(&self) -> Vec<i64> {
        lock(&self.tables).raw.keys().map(|id| id.0).collect()
    }

    fn change(&self, msg_id: MsgId, change: impl FnOnce(&mut Row)) {
        change(lock(&self.tables).rows.get_mut(&msg_id).expect("a message"));
    }
}

//! The model store as a subject of archive and retention.

use domain::{EventId, MsgId};
use jiff::Timestamp;

use super::StoreSubject;
use crate::{KeepingHarness, Shadow};

impl KeepingHarness for StoreSubject {
    async fn reconcile(&self, msg_id: MsgId, at: Timestamp) {
        self.model().reconcile(msg_id, at);
    }

    async fn replay(&self, msg_id: MsgId, at: Timestamp) {
        self.model().replay(msg_id, at);
    }

    async fn discard(&self, event_id: EventId, at: Timestamp) {
        self.model().discard(event_id, at);
    }

    async fn occupy_archive(&self, msg_id: MsgId) {
        self.model().occupy_archive(msg_id);
    }

    async fn shadow(&self, msg_id: MsgId) -> Option<Shadow> {
        self.model().shadow(msg_id)
    }

    async fn archived(&self) -> Vec<i64> {
        self.model().archived()
    }

    async fn bodies(&self) -> Vec<i64> {
        self.model().bodies()
    }
}

//! The store as a subject of the suite that every store passes.

use contract::{Harness, StoreHarness};
use domain::event::Target;
use domain::{Flid, MsgId};
use stores::postgres::PostgresStore;

use super::subject::Subject;

impl Harness for Subject {
    async fn fresh() -> Self {
        Self::new().await
    }

    async fn close(self) {
        Self::close(self).await;
    }
}

impl StoreHarness for Subject {
    type Store = PostgresStore;

    fn store(&self) -> &PostgresStore {
        &self.store
    }

    async fn archive(&self, msg_id: MsgId) {
        self.run(&format!(
            "UPDATE proc_state \
             SET state = 'ARCHIVED', attempts = 0, next_attempt_at = NULL, error_class = NULL, last_error = NULL, \
                 updated_at = now(), received_at = NULL, backfill_at = NULL, backfill_next_at = NULL, \
                 backfill_attempts = 0, backfill_error = NULL, backfill_abandoned_at = NULL, \
                 backfill_abandoned_reason = NULL, enqueued_at = now(), msg_type = NULL, msg_styp = NULL, \
                 sender = NULL, seqn = NULL, dttm = NULL, content_hash = NULL, reconciled_at = NULL, \
                 reconciled_by = NULL, reconcile_note = NULL, archived_at = now() \
             WHERE msg_id = {msg_id} AND state IN ('SUCCEEDED', 'SKIPPED', 'DEAD')"
        ))
        .await;
    }

    async fn receipts(&self, target: Target, flid: Flid) -> Vec<(String, i32, i64)> {
        let mut beside = self.beside().await;
        let query = sqlx::query_as(
            "SELECT topic, kafka_partition, kafka_offset FROM msg_event \
             WHERE state = 'SENT' AND target = $1 AND partition_key = $2 ORDER BY event_id",
        );
        let query = query.bind(target.as_str()).bind(flid.to_string());
        query.fetch_all(&mut beside).await.expect("receipts")
    }
}

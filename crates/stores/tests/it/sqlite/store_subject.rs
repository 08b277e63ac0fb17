//! A store under test.

use contract::{Harness, StoreHarness};
use domain::event::Target;
use domain::{Flid, MsgId};
use sqlx::SqliteConnection;
use stores::sqlite::SqliteStore;
use tempfile::TempDir;

use super::beside;

pub(super) struct StoreSubject {
    directory: TempDir,
    store: SqliteStore,
}

impl StoreSubject {
    pub(super) async fn beside(&self) -> SqliteConnection {
        beside(&self.directory.path().join("store.db")).await
    }
}

impl Harness for StoreSubject {
    async fn fresh() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let store = SqliteStore::open(&directory.path().join("store.db")).await.expect("a new store");
        Self { directory, store }
    }

    async fn close(self) {
        self.store.close().await;
    }
}

impl StoreHarness for StoreSubject {
    type Store = SqliteStore;

    fn store(&self) -> &SqliteStore {
        &self.store
    }

    async fn archive(&self, msg_id: MsgId) {
        let archived = sqlx::query(
            "UPDATE proc_state SET state = 'ARCHIVED', attempts = 0, backfill_attempts = 0,
                 updated_at = ?2, enqueued_at = ?2, archived_at = ?2,
                 next_attempt_at = NULL, error_class = NULL, last_error = NULL, received_at = NULL,
                 backfill_at = NULL, backfill_next_at = NULL, backfill_error = NULL,
                 backfill_abandoned_at = NULL, backfill_abandoned_reason = NULL, msg_type = NULL,
                 msg_styp = NULL, sender = NULL, seqn = NULL, dttm = NULL, content_hash = NULL,
                 reconciled_at = NULL, reconciled_by = NULL, reconcile_note = NULL
             WHERE msg_id = ?1 AND state IN ('SUCCEEDED', 'SKIPPED', 'DEAD')",
        )
        .bind(msg_id.0)
        .bind(contract::sample::at(100_000).as_microsecond())
        .execute(&mut self.beside().await)
        .await
        .expect("valid SQL");
        assert_eq!(archived.rows_affected(), 1, "{msg_id} is a terminal row");
    }

    async fn receipts(&self, target: Target, flid: Flid) -> Vec<(String, i32, i64)> {
        sqlx::query_as(
            "SELECT topic, kafka_partition, kafka_offset FROM msg_event
             WHERE target = ?1 AND partition_key = ?2 AND state = 'SENT' ORDER BY event_id",
        )
        .bind(target.as_str())
        .bind(flid.to_string())
        .fetch_all(&mut self.beside().await)
        .await
        .expect("rows")
    }
}

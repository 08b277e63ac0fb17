//! Own store and mailbox in SQLite files, each case in a directory of its own.

use std::path::PathBuf;

use contract::{Harness, MailboxHarness, Mark, StoreHarness};
use domain::event::Target;
use domain::{Flid, MsgId};
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use stores::sqlite::{SqliteMailbox, SqliteMailboxOptions, SqliteStore};
use tempfile::TempDir;

mod store {
    contract::store_suite!(super::StoreSubject);
}

mod mailbox {
    contract::mailbox_suite!(super::MailboxSubject, without open_transactions);
}

/// A connection beside the adapter's own, which sees what others see.
async fn beside(file: &PathBuf) -> SqliteConnection {
    SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(file)).await.expect("the file opens")
}

struct StoreSubject {
    directory: TempDir,
    store: SqliteStore,
}

impl StoreSubject {
    async fn beside(&self) -> SqliteConnection {
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

struct MailboxSubject {
    directory: TempDir,
    mailbox: SqliteMailbox,
    zone: TimeZone,
}

impl MailboxSubject {
    async fn beside(&self) -> SqliteConnection {
        beside(&self.directory.path().join("mailbox.db")).await
    }
}

impl Harness for MailboxSubject {
    async fn fresh() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let zone = TimeZone::get("Asia/Shanghai").expect("a known zone");
        let options = SqliteMailboxOptions { zone: zone.clone(), processed_value: "PROCESSED".to_owned() };
        let mailbox = SqliteMailbox::open(&directory.path().join("mailbox.db"), options).await;
        Self { directory, mailbox: mailbox.expect("a new mailbox"), zone }
    }

    async fn close(self) {
        self.mailbox.close().await;
    }
}

impl MailboxHarness for MailboxSubject {
    type Mailbox = SqliteMailbox;

    fn mailbox(&self) -> &SqliteMailbox {
        &self.mailbox
    }

    async fn mark_of(&self, id: MsgId) -> Option<Mark> {
        let row: Option<(Option<String>, Option<String>)> = sqlx::query_as(
            "SELECT CMINMSGS_STATUS, CMINMSGS_DATE_PROCESSED FROM CMINMSGS WHERE CMINMSGS_ID = ?1",
        )
        .bind(id.0)
        .fetch_optional(&mut self.beside().await)
        .await
        .expect("an answer");
        row.map(|(status, wall)| Mark { status, processed_at: wall.map(|wall| self.time(&wall)) })
    }

    async fn mark_by_other(&self, id: MsgId, mark: Mark) {
        let wall = mark.processed_at.map(|time| self.zone.to_datetime(time).to_string().replace('T', " "));
        sqlx::query(
            "UPDATE CMINMSGS SET CMINMSGS_STATUS = ?2, CMINMSGS_DATE_PROCESSED = ?3 WHERE CMINMSGS_ID = ?1",
        )
        .bind(id.0)
        .bind(mark.status)
        .bind(wall)
        .execute(&mut self.beside().await)
        .await
        .expect("a mark");
    }

    async fn delete(&self, id: MsgId) {
        sqlx::query("DELETE FROM CMINMSGS WHERE CMINMSGS_ID = ?1")
            .bind(id.0)
            .execute(&mut self.beside().await)
            .await
            .expect("a deletion");
    }
}

impl MailboxSubject {
    fn time(&self, wall: &str) -> Timestamp {
        let wall: DateTime = wall.parse().expect("wall time");
        self.zone.to_timestamp(wall).expect("a time of this zone")
    }
}

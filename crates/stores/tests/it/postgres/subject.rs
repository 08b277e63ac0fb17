//! A store in a schema of its own, and a connection beside it that sees what others see.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use contract::{Harness, StoreHarness};
use domain::event::Target;
use domain::message::{Conclusion, Labels, Settled, StoredBody};
use domain::{Epoch, Flid, MsgId};
use engine::ports::{Enqueue, Landed, Store};
use jiff::Timestamp;
use sqlx::postgres::PgConnectOptions;
use sqlx::{AssertSqlSafe, Connection, PgConnection};
use stores::postgres::PostgresStore;

/// Longer than any test takes.
pub(super) const LONG: Duration = Duration::from_secs(3600);

static SCHEMAS: AtomicU32 = AtomicU32::new(0);

/// A store under test.
pub(super) struct Subject {
    pub(super) store: PostgresStore,
    pub(super) schema: String,
}

pub(super) fn server() -> String {
    std::env::var("MSGX_TEST_POSTGRES_URL")
        .expect("MSGX_TEST_POSTGRES_URL is not set: run `cargo xtask test`, which starts a PostgreSQL server")
}

impl Subject {
    /// A schema with no tables yet.
    pub(super) async fn bare() -> Self {
        let schema = format!("t{}_{}", std::process::id(), SCHEMAS.fetch_add(1, Ordering::Relaxed));
        let store = PostgresStore::connect(&server(), &schema).await.expect("the server answers");
        Self { store, schema }
    }

    /// A migrated, empty store.
    pub(super) async fn new() -> Self {
        let subject = Self::bare().await;
        subject.store.migrate().await.expect("the migrations apply");
        subject
    }

    /// A connection beside the store's own, with the schema in its path.
    pub(super) async fn beside(&self) -> PgConnection {
        let options: PgConnectOptions = server().parse().expect("a URL");
        let options = options.options([("search_path", &self.schema)]);
        PgConnection::connect_with(&options).await.expect("the server answers")
    }

    /// Runs plain SQL beside the store.
    pub(super) async fn run(&self, sql: &str) {
        let mut beside = self.beside().await;
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut beside).await.expect("the SQL is accepted");
    }

    /// One number by plain SQL.
    pub(super) async fn number(&self, sql: &str) -> i64 {
        let mut beside = self.beside().await;
        sqlx::query_scalar(AssertSqlSafe(sql.to_owned())).fetch_one(&mut beside).await.expect("a number")
    }

    /// Waits until a session of the store waits for a lock of another's.
    pub(super) async fn is_waiting(&self) {
        let mut beside = self.beside().await;
        let waiting =
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = $1 AND wait_event_type = 'Lock'";
        loop {
            let name = format!("msgx/{}", self.schema);
            let query = sqlx::query_scalar(waiting).bind(name);
            let sessions: i64 = query.fetch_one(&mut beside).await.expect("the server answers");
            if sessions > 0 {
                return;
            }
        }
    }

    /// Leads, starts at 0 and enqueues the messages 1 to `last`.
    pub(super) async fn lead_with(&self, last: i64) -> Epoch {
        let epoch = self.store.acquire_lease("leader", LONG).await.expect("answers").expect("is free");
        self.store.start_at(epoch, MsgId(0), at(0)).await.expect("starts");
        let rows = (1..=last).map(row).collect();
        let enqueue = Enqueue { from: MsgId(0), to: MsgId(last), rows, ledger: None, at: at(1) };
        assert_eq!(self.store.enqueue(epoch, &enqueue).await, Ok(vec![]));
        epoch
    }

    /// Takes the schema away.
    pub(super) async fn close(self) {
        self.run(&format!("DROP SCHEMA IF EXISTS {} CASCADE", self.schema)).await;
        self.store.close().await;
    }
}

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

pub(super) fn at(second: i64) -> Timestamp {
    Timestamp::new(1_777_593_600 + second, 123_456_000).expect("a time in range")
}

fn row(id: i64) -> Landed {
    let body = StoredBody::Bytes(format!("<MSG>{id}</MSG>").into_bytes());
    Landed { id: MsgId(id), received_at: Some(at(-id)), body }
}

/// A message that succeeded at once.
pub(super) fn succeeded(id: i64) -> Settled {
    Settled {
        msg_id: MsgId(id),
        attempts_seen: 0,
        attempts: 0,
        conclusion: Conclusion::Succeeded,
        attempt_failure: None,
        labels: Labels::default(),
        identity: None,
        content_hash: None,
        yields: None,
    }
}

//! A store in a schema of its own, and a connection beside it that sees what others see.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use domain::message::{Conclusion, Labels, Settled, StoredBody};
use domain::{Epoch, MsgId};
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
        self.store.start_at(epoch, MsgId(0), &[], at(0)).await.expect("starts");
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

//! The store the bench works on, and its pump.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use domain::decide::Policy;
use domain::message::StoredBody;
use domain::{Epoch, MsgId};
use engine::ports::{Cursor, Enqueue, Landed, Store};
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use stores::postgres::PostgresStore;
use tokio::sync::Notify;

use crate::figures::Steps;
use crate::jobs::Swept;
use crate::{letter, pump};

/// Six messages every 20 ms.
const TICK: (i64, Duration) = (6, Duration::from_millis(20));

/// Every message's mark is written, every event acknowledged, as marks and delivery do.
const SETTLE: &str = "
    UPDATE proc_state SET backfill_at = now()
    WHERE backfill_next_at IS NOT NULL AND backfill_at IS NULL AND backfill_abandoned_at IS NULL;
    UPDATE msg_event SET state = 'SENT', sent_at = now(), topic = 'bench', kafka_partition = 0, kafka_offset = event_id
    WHERE state = 'PENDING'";

const TABLES: [&str; 4] = ["proc_state", "proc_state_hst", "msg_raw", "msg_event"];

pub(crate) struct Place {
    pub(crate) store: PostgresStore,
    pub(crate) epoch: Epoch,
    policy: Policy,
    /// A step of the pump has ended.
    pub(crate) stepped: Notify,
}

impl Place {
    pub(crate) async fn fresh() -> Self {
        let (store, epoch) = pump::store().await;
        Self { store, epoch, policy: pump::policy(), stepped: Notify::new() }
    }

    /// Finished messages with their bodies, and sent events, all of them old.
    pub(crate) async fn fill(&self, rows: u64) {
        let sql = format!(
            "INSERT INTO proc_state (msg_id, state, identity_key, updated_at, enqueued_at, backfill_next_at, backfill_at)
             SELECT id, 'SUCCEEDED', 'AODB|SCHD|ADFT|' || id, now() - interval '10 d', now() - interval '10 d', now(), now()
             FROM generate_series(1, {rows}) AS id;
             INSERT INTO msg_raw (msg_id, length, body, enqueued_at)
             SELECT id, 300, convert_to(repeat('x', 200), 'UTF8'), now() - interval '10 d'
             FROM generate_series(1, {rows}) AS id;
             INSERT INTO msg_event (target, partition_key, state_version, payload_json, state, created_at, sent_at, msg_id,
                                    topic, kafka_partition, kafka_offset)
             SELECT 'KAFKA:msg', id % 500, 1, repeat('x', 400), 'SENT', now(), now() - interval '10 d', id, 'msgx.msg', 0, id
             FROM generate_series(1, {rows}) AS id;
             VACUUM ANALYZE proc_state; VACUUM ANALYZE msg_raw; VACUUM ANALYZE msg_event"
        );
        self.each(&sql).await;
        let start = MsgId(i64::try_from(rows).expect("fits"));
        self.store.start_at(self.epoch, start, &[], pump::at()).await.expect("starts");
    }

    /// Nothing of what was filled in stays.
    pub(crate) async fn empty(&self) {
        self.each(&format!("TRUNCATE {}", TABLES.join(", "))).await;
    }

    /// Steps of the pump at 300 messages a second.
    #[expect(clippy::disallowed_methods, reason = "the load comes in real time")]
    pub(crate) async fn pump(&self, length: Duration) -> Steps {
        let (begun, mut times) = (pump::now(), Vec::new());
        let mut beside = self.connect().await;
        let mut ticks = tokio::time::interval(TICK.1);
        while begun.elapsed() < length {
            ticks.tick().await;
            self.land().await;
            let step = pump::now();
            pump::step(&self.store, self.epoch, &self.policy).await;
            times.push(step.elapsed());
            beside.execute(SETTLE).await.expect("settled");
            self.stepped.notify_waiters();
        }
        Steps::of(times)
    }

    /// The same while the jobs run.
    pub(crate) async fn pump_beside(&self, swept: &Swept, length: Duration) -> Steps {
        let over = AtomicBool::new(false);
        let pump = async {
            let steps = self.pump(length).await;
            over.store(true, Ordering::Relaxed);
            steps
        };
        futures::future::join(pump, swept.run(self, &over)).await.0
    }

    async fn land(&self) {
        let Cursor { watermark } = self.store.cursor().await.expect("answers").expect("started");
        let row = |id| Landed {
            id: MsgId(id),
            received_at: None,
            body: StoredBody::Bytes(letter::moved(id).into_bytes()),
        };
        let rows: Vec<Landed> = (watermark.0 + 1..=watermark.0 + TICK.0).map(row).collect();
        let to = MsgId(watermark.0 + TICK.0);
        let enqueue = Enqueue { from: watermark, to, rows, ledger: None, at: pump::at() };
        self.store.enqueue(self.epoch, &enqueue).await.expect("enqueued");
    }

    /// What autovacuum does every minute, now.
    pub(crate) async fn vacuum(&self) {
        self.each(&TABLES.map(|table| format!("VACUUM {table}")).join(";")).await;
    }

    /// Each table with its indexes.
    pub(crate) async fn sizes(&self) -> String {
        let mut beside = self.connect().await;
        let mut sizes = Vec::new();
        for table in TABLES {
            let size = AssertSqlSafe(format!("SELECT pg_total_relation_size('{table}') / 1024"));
            let kilobytes: i64 = sqlx::query_scalar(size).fetch_one(&mut beside).await.expect("answers");
            sizes.push(format!("{table} {kilobytes}"));
        }
        sizes.join(", ")
    }

    pub(crate) async fn deadlocks(&self) -> i64 {
        let sql = "SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()";
        sqlx::query_scalar(sql).fetch_one(&mut self.connect().await).await.expect("answers")
    }

    /// Statement by statement: VACUUM can't be one of several.
    async fn each(&self, statements: &str) {
        let mut beside = self.connect().await;
        for statement in statements.split(';') {
            beside.execute(AssertSqlSafe(statement.to_owned())).await.expect("done");
        }
    }

    async fn connect(&self) -> PgConnection {
        let mut beside = PgConnection::connect(&pump::server()).await.expect("the server answers");
        let path = AssertSqlSafe(format!("SET search_path = {}", pump::schema()));
        beside.execute(path).await.expect("set");
        beside
    }

    pub(crate) async fn close(self) {
        self.store.drop_schema().await.expect("dropped");
        self.store.close().await;
    }
}

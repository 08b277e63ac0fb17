//! Does clean-up slow the pump down? 300 messages a second go through the pump on PostgreSQL, first
//! alone and then beside the archive and the retention of events, over tables of size (FC-34).
//!
//! `MSGX_BENCH_ROWS=2000000 cargo xtask servers -- cargo bench -p stores --bench retention`
//!
//! `MSGX_BENCH_ROWS`: finished messages, and sent events (200,000). `MSGX_BENCH_SECONDS`: length of each
//! half (20).

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use domain::backoff::Backoff;
use domain::decide::{FlightPolicy, Policy, Reading, decide_run, read};
use domain::message::{IdentityPolicy, IgnoreRules, StoredBody};
use domain::{Epoch, MsgId};
use engine::ports::{Archive, Cursor, Enqueue, Landed, Retention, Store, StoreError};
use jiff::Timestamp;
use sqlx::{AssertSqlSafe, Connection, Executor, PgConnection};
use stores::postgres::PostgresStore;

/// Six messages every 20 ms.
const TICK: Duration = Duration::from_millis(20);
const MESSAGES: i64 = 6;
const FLIGHTS: i64 = 300;

fn main() {
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    runtime.block_on(async {
        let place = Place::fresh().await;
        let rows = number("MSGX_BENCH_ROWS", 200_000);
        place.fill(rows).await;
        let length = Duration::from_secs(number("MSGX_BENCH_SECONDS", 20));
        place.pump(length / 4).await;
        let alone = place.pump(length).await;
        let (beside, swept) = place.pump_beside_jobs(length).await;
        println!("rows                    {rows}");
        println!("pump alone              {alone}");
        println!("pump beside the jobs    {beside}");
        println!("p99 beside / alone      {:.2}", beside.p99.as_secs_f64() / alone.p99.as_secs_f64());
        println!("{swept}");
        place.close().await;
    });
}

struct Place {
    store: PostgresStore,
    schema: String,
    server: String,
    epoch: Epoch,
    policy: Policy,
}

/// Times of pump steps.
struct Steps {
    count: usize,
    p50: Duration,
    p99: Duration,
    longest: Duration,
}

impl std::fmt::Display for Steps {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { count, p50, p99, longest } = self;
        write!(f, "{count} steps, p50 {p50:.2?}, p99 {p99:.2?}, longest {longest:.2?}")
    }
}

impl Steps {
    fn of(mut times: Vec<Duration>) -> Self {
        times.sort_unstable();
        let at = |part: usize| times[times.len() * part / 100];
        Self { count: times.len(), p50: at(50), p99: at(99), longest: times[times.len() - 1] }
    }
}

/// What the jobs did.
#[derive(Default)]
struct Swept {
    archived: AtomicU64,
    events: AtomicU64,
    longest_micros: AtomicU64,
    failures: AtomicU64,
}

impl std::fmt::Display for Swept {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        writeln!(f, "archived                {}", read(&self.archived))?;
        writeln!(f, "events forgotten        {}", read(&self.events))?;
        writeln!(f, "longest batch           {:?}", Duration::from_micros(read(&self.longest_micros)))?;
        write!(f, "failures                {}", read(&self.failures))
    }
}

impl Swept {
    /// One batch, and a rest of nine times its length, as the engine's jobs do.
    async fn batch(&self, rows: &AtomicU64, batch: impl Future<Output = Result<u64, StoreError>>) {
        let begun = now();
        match batch.await {
            Ok(done) => rows.fetch_add(done, Ordering::Relaxed),
            Err(_) => self.failures.fetch_add(1, Ordering::Relaxed),
        };
        let took = begun.elapsed();
        let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
        self.longest_micros.fetch_max(micros, Ordering::Relaxed);
        tokio::time::sleep((took * 9).min(Duration::from_secs(1))).await;
    }
}

impl Place {
    async fn fresh() -> Self {
        let server = std::env::var("MSGX_TEST_POSTGRES_URL")
            .expect("MSGX_TEST_POSTGRES_URL is not set: run `cargo xtask servers -- cargo bench -p stores`");
        let schema = format!("bench{}", std::process::id());
        let store = PostgresStore::connect(&server, &schema).await.expect("the server answers");
        store.migrate().await.expect("the migrations apply");
        let lease = store.acquire_lease("bench", Duration::from_secs(86_400)).await.expect("answers");
        Self { store, schema, server, epoch: lease.expect("is free"), policy: policy() }
    }

    /// Finished messages and sent events, all of them old.
    async fn fill(&self, rows: u64) {
        let mut beside = PgConnection::connect(&self.server).await.expect("the server answers");
        let schema = &self.schema;
        let sql = format!(
            "SET search_path = {schema};
             INSERT INTO proc_state (msg_id, state, identity_key, updated_at, enqueued_at, backfill_next_at, backfill_at)
             SELECT id, 'SUCCEEDED', 'AODB|SCHD|ADFT|' || id, now() - interval '10 d', now() - interval '10 d', now(), now()
             FROM generate_series(1, {rows}) AS id;
             INSERT INTO msg_event (target, partition_key, state_version, payload_json, state, created_at, sent_at, msg_id,
                                    topic, kafka_partition, kafka_offset)
             SELECT 'KAFKA:msg', id % 500, 1, repeat('x', 400), 'SENT', now(), now() - interval '10 d', id, 'msgx.msg', 0, id
             FROM generate_series(1, {rows}) AS id;
             ANALYZE"
        );
        beside.execute(AssertSqlSafe(sql)).await.expect("filled");
        let start = MsgId(i64::try_from(rows).expect("fits"));
        self.store.start_at(self.epoch, start, &[], at()).await.expect("starts");
    }

    /// Steps of the pump at 300 messages a second.
    async fn pump(&self, length: Duration) -> Steps {
        let (begun, mut times) = (now(), Vec::new());
        let mut ticks = tokio::time::interval(TICK);
        while begun.elapsed() < length {
            ticks.tick().await;
            self.land().await;
            let step = now();
            self.step().await;
            times.push(step.elapsed());
        }
        Steps::of(times)
    }

    async fn pump_beside_jobs(&self, length: Duration) -> (Steps, Swept) {
        let (swept, over) = (Swept::default(), AtomicBool::new(false));
        let archive = async {
            while !over.load(Ordering::Relaxed) {
                swept.batch(&swept.archived, self.archive()).await;
            }
        };
        let events = async {
            while !over.load(Ordering::Relaxed) {
                let batch = self.store.forget_events(self.epoch, old(), 1_000);
                swept.batch(&swept.events, batch).await;
            }
        };
        let pump = async {
            let steps = self.pump(length).await;
            over.store(true, Ordering::Relaxed);
            steps
        };
        let (steps, (), ()) = futures::future::join3(pump, archive, events).await;
        (steps, swept)
    }

    async fn archive(&self) -> Result<u64, StoreError> {
        let seen = self.store.archivable(old(), None, 500).await?;
        self.store.archive(self.epoch, &seen, wall()).await
    }

    async fn land(&self) {
        let Cursor { watermark } = self.store.cursor().await.expect("answers").expect("started");
        let row = |id| Landed {
            id: MsgId(id),
            received_at: None,
            body: StoredBody::Bytes(letter(id).into_bytes()),
        };
        let rows: Vec<Landed> = (watermark.0 + 1..=watermark.0 + MESSAGES).map(row).collect();
        let to = MsgId(watermark.0 + MESSAGES);
        let enqueue = Enqueue { from: watermark, to, rows, ledger: None, at: at() };
        self.store.enqueue(self.epoch, &enqueue).await.expect("enqueued");
    }

    async fn step(&self) {
        let rows = self.store.head(500, 16 << 20).await.expect("answers");
        let readings: Vec<Reading> = rows.into_iter().map(|row| read(row, &self.policy)).collect();
        let keys: Vec<_> = readings.iter().flat_map(Reading::keys).collect();
        let flids: Vec<_> = readings.iter().flat_map(Reading::flids).collect();
        let world = self.store.world(&keys, &flids).await.expect("answers");
        let effects = decide_run(readings, world, at(), &self.policy);
        self.store.commit_run(self.epoch, &effects, at()).await.expect("committed");
    }

    async fn close(self) {
        self.store.drop_schema().await.expect("dropped");
        self.store.close().await;
    }
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
fn now() -> Instant {
    Instant::now()
}

#[expect(clippy::disallowed_methods, reason = "what is filled in is as old as the server's clock says")]
fn wall() -> Timestamp {
    Timestamp::now()
}

fn at() -> Timestamp {
    Timestamp::constant(1_775_000_000, 0)
}

/// Later than what was filled in, and long before now.
fn old() -> Timestamp {
    wall() - Duration::from_secs(5 * 86_400)
}

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |text| text.parse().expect("a whole number"))
}

fn policy() -> Policy {
    Policy {
        dictionary: sis::Dictionary::baseline(),
        carrier: sis::Carrier::Text,
        limits: sis::Limits::default(),
        zone: jiff::tz::TimeZone::fixed(jiff::tz::offset(8)),
        ignore: IgnoreRules::baseline(),
        identity: IdentityPolicy::default(),
        max_attempts: 5,
        decode_max_attempts: 2,
        backoff: Backoff { first: Duration::from_secs(1), cap: Duration::from_secs(30) },
        flight: FlightPolicy::default(),
    }
}

/// One flight, with a stand that moves with every message.
fn letter(number: i64) -> String {
    let (flid, stand) = (1 + number % FLIGHTS, 100 + number / FLIGHTS % 97);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?><MSG><META><SNDR>AODB</SNDR><SEQN>n{number}</SEQN>\
         <DTTM>20260406221007</DTTM><TYPE>SCHD</TYPE><STYP>ADFT</STYP></META><SCHD><RECS>1</RECS>\
         <FLTR><FLID>{flid}</FLID><ALCD>ZZ</ALCD><FLNO>ZZ{flid}</FLNO><MVIN>D</MVIN><SODT>07APR260945</SODT>\
         <FLTY>J</FLTY><FLIN>D</FLIN><ACFT>32N</ACFT><TRML>T1</TRML><STND>{stand}</STND></FLTR></SCHD></MSG>"
    )
}

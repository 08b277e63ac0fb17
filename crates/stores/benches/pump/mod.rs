//! What the benches of the store share: the pump's step, and the policy it decides by.

use std::time::{Duration, Instant};

use domain::Epoch;
use domain::backoff::Backoff;
use domain::decide::{FlightPolicy, Policy, Reading, decide_run, read};
use domain::message::{IdentityPolicy, IgnoreRules};
use engine::ports::Store;
use jiff::Timestamp;
use stores::postgres::PostgresStore;

/// A store in a schema of its own, whose pump is the bench's.
pub(crate) async fn store() -> (PostgresStore, Epoch) {
    let store = PostgresStore::connect(&server(), &schema()).await.expect("the server answers");
    store.migrate().await.expect("the migrations apply");
    let lease = store.acquire_lease("bench", Duration::from_secs(86_400)).await.expect("answers");
    (store, lease.expect("is free"))
}

pub(crate) fn server() -> String {
    std::env::var("MSGX_TEST_POSTGRES_URL")
        .expect("MSGX_TEST_POSTGRES_URL is not set: run `cargo xtask servers -- cargo bench -p stores`")
}

pub(crate) fn schema() -> String {
    format!("bench{}", std::process::id())
}

/// What is at the head is read, decided and committed in one transaction. Returns how many flights
/// were written.
pub(crate) async fn step(store: &PostgresStore, epoch: Epoch, policy: &Policy) -> usize {
    let rows = store.head(1_000, 16 << 20).await.expect("answers");
    let readings: Vec<Reading> = rows.into_iter().map(|row| read(row, policy)).collect();
    let keys: Vec<_> = readings.iter().flat_map(Reading::keys).collect();
    let flids: Vec<_> = readings.iter().flat_map(Reading::flids).collect();
    let world = store.world(&keys, &flids).await.expect("answers");
    let effects = decide_run(readings, world, at(), policy);
    store.commit_run(epoch, &effects, at()).await.expect("committed");
    effects.written().count()
}

#[expect(clippy::disallowed_methods, reason = "a bench measures time")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// When everything happens: long ago, so that every age has passed.
pub(crate) fn at() -> Timestamp {
    Timestamp::constant(1_775_000_000, 0)
}

pub(crate) fn policy() -> Policy {
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

//! What only this adapter can know: its statements fit its schema, and its files survive.

mod jobs;
mod messages;
mod statements;

use std::path::Path;
use std::time::Duration;

use domain::decide::Effects;
use domain::mailbox::{ClosedGap, GapVerdict, IdRange};
use domain::{Epoch, MsgId};
use engine::ports::{Cursor, Store, StoreError};
use jiff::Timestamp;

use super::errors::Failure;
use super::{SqliteStore, database};

async fn store() -> (tempfile::TempDir, SqliteStore) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let store = open(directory.path()).await;
    (directory, store)
}

async fn open(directory: &Path) -> SqliteStore {
    SqliteStore::open(&directory.join("store.db")).await.expect("a store")
}

async fn by_hand(store: &SqliteStore, sql: &'static str) -> Result<(), StoreError> {
    let mut transaction = store.database.write().await?;
    let done = sqlx::raw_sql(sql).execute(&mut *transaction).await.map_err(StoreError::of);
    database::finish(transaction, done.map(|_| ())).await
}

#[tokio::test]
async fn a_bad_cell_is_reported_with_its_place() {
    let (_directory, store) = store().await;
    by_hand(
        &store,
        "INSERT INTO inbox_cursor VALUES ('pipeline', 9, 0);
         INSERT INTO proc_state (msg_id, state, enqueued_at, updated_at) VALUES (7, 'PENDING', 0, 0);
         INSERT INTO msg_raw (msg_id, length, absence) VALUES (7, 0, 'LOST');",
    )
    .await
    .expect("rows as nobody should write them");
    let error = store.head(1, 1).await.expect_err("a corrupt row");
    let text = "\"LOST\" is unknown".to_owned();
    assert_eq!(error, StoreError::Corrupt { table: "msg_raw", column: "absence", row: "7".to_owned(), text });
}

#[tokio::test]
async fn what_postgresql_refuses_is_refused_here_too() {
    let (_directory, store) = store().await;
    for sql in [
        "INSERT INTO proc_state (msg_id, state, enqueued_at, updated_at, last_error)
         VALUES (1, 'DEAD', 0, 0, printf('%.*c', 1001, 'x'))",
        "INSERT INTO proc_state (msg_id, state, enqueued_at, updated_at, last_error)
         VALUES (1, 'DEAD', 0, 0, 'a' || char(0) || 'b')",
        "INSERT INTO proc_state (msg_id, state, enqueued_at, updated_at) VALUES (1, 'DEAD', 0, 'soon')",
        "INSERT INTO msg_raw (msg_id, length, sha256) VALUES (1, 0, x'00')",
    ] {
        let refused = by_hand(&store, sql).await;
        assert!(matches!(refused, Err(StoreError::Data(_))), "{sql}\n{refused:?}");
    }
    let thousand = "INSERT INTO proc_state (msg_id, state, enqueued_at, updated_at, last_error)
                    VALUES (1, 'DEAD', 0, 0, replace(printf('%.*c', 1000, 'x'), 'x', '港'))";
    assert_eq!(by_hand(&store, thousand).await, Ok(()), "lengths are characters, not bytes");
}

#[tokio::test]
async fn a_store_survives_being_closed_and_opened() {
    let (directory, store) = store().await;
    let epoch = store.acquire_lease("one", Duration::from_secs(60)).await.expect("a lease").expect("free");
    let range = IdRange { first: MsgId(1), last: MsgId(41) };
    let (at, verdict) = (Timestamp::UNIX_EPOCH, GapVerdict::BeforeStart);
    let before = ClosedGap { range, first_seen: at, closed_at: at, verdict };
    store.start_at(epoch, MsgId(41), &[before], at).await.expect("a start");
    store.close().await;
    assert!(matches!(store.cursor().await, Err(StoreError::Unavailable(_))));
    let again = open(directory.path()).await;
    assert_eq!(again.cursor().await, Ok(Some(Cursor { watermark: MsgId(41) })));
    assert_eq!(again.lease().await.expect("a lease").expect("held").epoch, epoch);
    assert_eq!(again.closed_gaps(Timestamp::UNIX_EPOCH, 9).await.expect("gaps").len(), 1);
}

/// The pools of each store stand for a process: they share nothing but the file.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn many_may_open_a_new_file_at_once_and_one_gets_the_lease() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let opened = (0..8).map(|number| {
        let path = directory.path().join("store.db");
        tokio::spawn(async move {
            let store = SqliteStore::open(&path).await?;
            store.acquire_lease(&format!("process {number}"), Duration::from_secs(60)).await
        })
    });
    let mut leases = Vec::new();
    for opening in opened.collect::<Vec<_>>() {
        leases.extend(opening.await.expect("no panic").expect("an open store"));
    }
    assert_eq!(leases, [Epoch(1)]);
}

#[tokio::test]
async fn a_deposed_process_is_fenced_by_what_another_wrote() {
    let (directory, old) = store().await;
    let new = open(directory.path()).await;
    let epoch = old.acquire_lease("old", Duration::ZERO).await.expect("a lease").expect("free");
    assert_eq!(new.acquire_lease("new", Duration::from_secs(60)).await, Ok(Some(Epoch(epoch.0 + 1))));
    let write = old.commit_run(epoch, &Effects::default(), Timestamp::UNIX_EPOCH).await;
    assert_eq!(write, Err(StoreError::Fenced(epoch)));
    assert_eq!(old.release_lease(epoch).await, Ok(()), "letting go of nothing is no error");
    assert_eq!(old.acquire_lease("old", Duration::ZERO).await, Ok(None));
}

#[tokio::test]
async fn an_error_leaves_no_transaction_behind() {
    let (_directory, store) = store().await;
    assert!(by_hand(&store, "INSERT INTO msg_raw (msg_id, length) VALUES (1, 0), (1, 0)").await.is_err());
    assert!(
        by_hand(&store, "INSERT INTO msg_raw (msg_id, length) VALUES (1, 0); ROLLBACK; SELECT nonsense")
            .await
            .is_err()
    );
    assert_eq!(by_hand(&store, "INSERT INTO msg_raw (msg_id, length) VALUES (1, 0)").await, Ok(()));
}

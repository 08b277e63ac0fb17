//! Commits whose answer is lost, sessions that end, cells that can't be read.

use domain::decide::Effects;
use domain::message::Conclusion;
use engine::ports::{Store, StoreError};

use super::subject::{Subject, at, succeeded};

/// Ends the session that updates a message: at COMMIT when deferred, at once otherwise.
fn fatal_trigger(when: &str) -> String {
    format!(
        "CREATE FUNCTION end_session() RETURNS trigger LANGUAGE plpgsql AS \
         $$ BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$; \
         CREATE CONSTRAINT TRIGGER fatal AFTER UPDATE ON proc_state DEFERRABLE INITIALLY {when} \
         FOR EACH ROW EXECUTE FUNCTION end_session()"
    )
}

#[tokio::test]
async fn a_session_that_ends_in_commit_leaves_doubt_that_can_be_settled() {
    let subject = Subject::new().await;
    let epoch = subject.lead_with(1).await;
    subject.run(&fatal_trigger("DEFERRED")).await;
    let run = Effects { settled: vec![succeeded(1)], ..Effects::default() };
    let outcome = subject.store.commit_run(epoch, &run, at(2)).await;
    assert!(matches!(outcome, Err(StoreError::InDoubt(_))), "{outcome:?}");

    assert_eq!(subject.store.settle_doubt().await, Ok(()));
    let head = subject.store.head(10, 1 << 20).await.expect("reads the head");
    assert_eq!(head.len(), 1, "looked at, the run turns out not to have happened");
    subject.close().await;
}

#[tokio::test]
async fn a_session_that_ends_before_commit_blames_nobody() {
    let subject = Subject::new().await;
    let epoch = subject.lead_with(1).await;
    subject.run(&fatal_trigger("IMMEDIATE")).await;
    let run = Effects { settled: vec![succeeded(1)], ..Effects::default() };
    let outcome = subject.store.commit_run(epoch, &run, at(2)).await;
    assert!(matches!(outcome, Err(StoreError::Unavailable(_))), "{outcome:?}");

    subject.run("DROP TRIGGER fatal ON proc_state").await;
    assert_eq!(subject.store.commit_run(epoch, &run, at(3)).await, Ok(()));
    subject.close().await;
}

#[tokio::test]
async fn a_bad_cell_is_named_and_never_replaced() {
    let subject = Subject::new().await;
    let _ = subject.lead_with(2).await;
    let cells = [
        ("UPDATE msg_raw SET absence = 'LOST' WHERE msg_id = 2", "msg_raw", "absence"),
        ("UPDATE msg_raw SET absence = NULL, body = '\\x00' WHERE msg_id = 2", "msg_raw", "body"),
        ("UPDATE msg_raw SET body = NULL WHERE msg_id = 2", "msg_raw", "body"),
        ("DELETE FROM msg_raw WHERE msg_id = 2", "msg_raw", "msg_id"),
        ("UPDATE proc_state SET attempts = -1 WHERE msg_id = 2", "proc_state", "attempts"),
    ];
    for (sql, bad_table, bad_column) in cells {
        subject.run(sql).await;
        let outcome = subject.store.head(10, 1 << 20).await;
        let Err(StoreError::Corrupt { table, column, row, .. }) = outcome else {
            panic!("{sql}: {outcome:?}")
        };
        assert_eq!((table, column, row.as_str()), (bad_table, bad_column, "2"), "{sql}");
    }
    subject.close().await;
}

#[tokio::test]
async fn a_run_writes_nothing_when_one_message_is_not_as_it_was_read() {
    let subject = Subject::new().await;
    let epoch = subject.lead_with(2).await;
    let late = domain::message::Settled { attempts_seen: 1, attempts: 1, ..succeeded(2) };
    let run = Effects { settled: vec![succeeded(1), late], ..Effects::default() };
    let outcome = subject.store.commit_run(epoch, &run, at(2)).await;
    assert!(matches!(outcome, Err(StoreError::Conflict(_))), "{outcome:?}");
    assert_eq!(subject.number("SELECT count(*) FROM proc_state WHERE state = 'PENDING'").await, 2);
    subject.close().await;
}

#[tokio::test]
async fn a_key_given_up_and_taken_within_one_run_ends_with_the_newcomer() {
    let subject = Subject::new().await;
    let epoch = subject.lead_with(2).await;
    let key = domain::message::IdentityKey("A|B|C|1".into());
    let class = domain::message::ErrorClass::Protocol;
    let dead = domain::message::Settled {
        identity: Some(key.clone()),
        conclusion: Conclusion::Dead { class, error: "RECS".into() },
        ..succeeded(1)
    };
    let newcomer =
        domain::message::Settled { identity: Some(key.clone()), yields: Some(dead.msg_id), ..succeeded(2) };
    let run = Effects { settled: vec![dead, newcomer], ..Effects::default() };
    assert_eq!(subject.store.commit_run(epoch, &run, at(2)).await, Ok(()));
    let world = subject.store.world(&[key], &[]).await.expect("answers");
    assert_eq!(world.holders.iter().map(|holder| holder.msg_id.0).collect::<Vec<_>>(), [2]);
    subject.close().await;
}

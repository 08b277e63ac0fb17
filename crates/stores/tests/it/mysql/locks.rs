//! Marks while others hold locks: never overwritten, never lost, and nobody waits for long.

use contract::Harness;
use contract::sample::{ids, letter, whole};
use domain::MsgId;
use engine::ports::{Mailbox, MarkOutcome};

use super::subject::{Subject, run};

async fn with_rows(count: usize) -> Subject {
    let subject = Subject::fresh().await;
    subject.mailbox.insert(&vec![letter("x"); count]).await.expect("letters are taken");
    subject
}

/// The outcomes without what the server said.
fn outcomes(outcomes: &[(MsgId, MarkOutcome)]) -> Vec<&'static str> {
    outcomes
        .iter()
        .map(|(_, outcome)| match outcome {
            MarkOutcome::Written => "written",
            MarkOutcome::AlreadyMarked => "already marked",
            MarkOutcome::Missing => "missing",
            MarkOutcome::Failed { needs_operator: false, .. } => "failed",
            MarkOutcome::Failed { needs_operator: true, .. } => "needs operator",
        })
        .collect()
}

#[tokio::test]
async fn inv_07_the_owner_who_is_faster_keeps_the_mark() {
    for (owners, expected, status) in [
        (
            "UPDATE CMINMSGS SET CMINMSGS_DATE_PROCESSED = '2020-01-01', CMINMSGS_STATUS = 'OWNER'
           WHERE CMINMSGS_ID = 2",
            "already marked",
            Some("OWNER"),
        ),
        ("DELETE FROM CMINMSGS WHERE CMINMSGS_ID = 2", "missing", None),
    ] {
        let subject = with_rows(3).await;
        let mut owner = subject.beside().await;
        run(&mut owner, "START TRANSACTION").await;
        run(&mut owner, owners).await;
        let mailbox = subject.mailbox.clone();
        let marking = tokio::spawn(async move { mailbox.mark(&ids([1, 2, 3]), whole(90)).await });
        subject.is_waiting().await;
        run(&mut owner, "COMMIT").await;
        let marked = marking.await.expect("no panic").expect("the server answers");
        assert_eq!(outcomes(&marked), ["written", expected, "written"]);
        let found = subject.text("SELECT MAX(CMINMSGS_STATUS) FROM CMINMSGS WHERE CMINMSGS_ID = 2").await;
        assert_eq!(found.as_deref(), status);
        subject.close().await;
    }
}

#[tokio::test]
async fn a_deadlocks_victim_tries_again() {
    let subject = with_rows(50).await;
    let mut owner = subject.beside().await;
    run(&mut owner, "START TRANSACTION").await;
    // Many changed rows: the server chooses the lighter transaction, ours, as the victim.
    run(&mut owner, "UPDATE CMINMSGS SET CMINMSGS_STATUS = 'SEEN' WHERE CMINMSGS_ID > 1").await;
    let mailbox = subject.mailbox.clone();
    let marking = tokio::spawn(async move { mailbox.mark(&ids([1, 2]), whole(90)).await });
    subject.is_waiting().await;
    run(&mut owner, "UPDATE CMINMSGS SET CMINMSGS_STATUS = 'SEEN' WHERE CMINMSGS_ID = 1").await;
    run(&mut owner, "COMMIT").await;
    let marked = marking.await.expect("no panic").expect("the server answers");
    assert_eq!(outcomes(&marked), ["written", "written"]);
    subject.close().await;
}

#[tokio::test]
async fn a_row_held_for_long_fails_alone() {
    let subject = with_rows(5).await;
    let mut owner = subject.beside().await;
    run(&mut owner, "START TRANSACTION").await;
    run(&mut owner, "SELECT * FROM CMINMSGS WHERE CMINMSGS_ID = 3 FOR UPDATE").await;
    let marked = subject.mailbox.mark(&ids([1, 2, 3, 4, 5]), whole(90)).await.expect("the server answers");
    assert_eq!(outcomes(&marked), ["written", "written", "failed", "written", "written"]);
    run(&mut owner, "ROLLBACK").await;
    let again = subject.mailbox.mark(&ids([3]), whole(91)).await.expect("the server answers");
    assert_eq!(outcomes(&again), ["written"]);
    subject.close().await;
}

#[tokio::test]
async fn a_refusal_of_the_table_needs_an_operator_at_once() {
    for sql in [
        "ALTER TABLE CMINMSGS MODIFY CMINMSGS_STATUS VARCHAR(3) NULL",
        "ALTER TABLE CMINMSGS ADD CHECK (CMINMSGS_STATUS <> 'PROCESSED')",
        "CREATE TRIGGER refuse BEFORE UPDATE ON CMINMSGS FOR EACH ROW SIGNAL SQLSTATE '45000'",
    ] {
        let subject = with_rows(2).await;
        subject.run(sql).await;
        let marked = subject.mailbox.mark(&ids([1, 2]), whole(90)).await.expect("the server answers");
        assert_eq!(outcomes(&marked), ["needs operator", "needs operator"], "{sql}");
        subject.close().await;
    }
}

#[tokio::test]
async fn a_row_that_is_refused_does_not_hold_up_the_others() {
    let subject = with_rows(4).await;
    subject
        .run(
            "CREATE TRIGGER refuse BEFORE UPDATE ON CMINMSGS FOR EACH ROW
              IF NEW.CMINMSGS_ID = 2 THEN SIGNAL SQLSTATE '45000'; END IF",
        )
        .await;
    let marked = subject.mailbox.mark(&ids([1, 2, 3, 4]), whole(90)).await.expect("the server answers");
    assert_eq!(outcomes(&marked), ["written", "needs operator", "written", "written"]);
    subject.close().await;
}

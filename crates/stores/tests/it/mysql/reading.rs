//! What a poll leaves behind: nothing.

use contract::Harness;
use contract::sample::letter;
use domain::MsgId;
use engine::ports::{BodyLimits, Mailbox, PollRequest};

use super::subject::{Subject, run};

fn request(body_max: u64) -> PollRequest {
    let bodies = BodyLimits { poll_max: 16 << 20, body_max };
    PollRequest { after: MsgId(0), dead: vec![], step: 1, ids_max: 100, rows_max: 100, bodies }
}

#[tokio::test]
async fn c_13_a_poll_waits_for_no_lock_and_leaves_no_transaction() {
    let subject = Subject::fresh().await;
    subject.mailbox.insert(&[letter("a"), letter("b")]).await.expect("letters are taken");
    let mut owner = subject.beside().await;
    run(&mut owner, "START TRANSACTION; SELECT * FROM CMINMSGS FOR UPDATE").await;
    let poll = subject.mailbox.poll(&request(1 << 20)).await.expect("the server answers");
    assert_eq!(poll.landed.len(), 2);
    assert_eq!(subject.transactions(", ACTIVE").await, 1, "the owner's");
    run(&mut owner, "ROLLBACK").await;
    assert_eq!(subject.transactions(", ACTIVE").await, 0);
    subject.close().await;
}

#[tokio::test]
async fn a_poll_names_its_server() {
    let subject = Subject::fresh().await;
    let poll = subject.mailbox.poll(&request(1 << 20)).await.expect("the server answers");
    let expected = subject.text("SELECT CONCAT(@@server_id, '/', @@hostname, '/', @@port)").await;
    assert_eq!(Some(poll.server), expected);
    subject.close().await;
}

#[tokio::test]
async fn eleven_megabytes_pass_in_and_are_fetched_only_within_the_limit() {
    let subject = Subject::fresh().await;
    let long = "x".repeat(11 << 20);
    subject.mailbox.insert(&[letter("a"), letter(&long), letter("c")]).await.expect("letters are taken");
    for (body_max, whole) in [(10 << 20, false), (11 << 20, true)] {
        let poll = subject.mailbox.poll(&request(body_max)).await.expect("the server answers");
        let bodies: Vec<_> = poll.landed.into_iter().map(|row| row.body).collect();
        assert_eq!(bodies.len(), 3);
        let fetched =
            matches!(&bodies[1], domain::message::StoredBody::Bytes(body) if body.len() == long.len());
        assert_eq!(fetched, whole);
    }
    subject.close().await;
}

//! What only this mailbox can know: its file, its identity, rows put in by hand.

use super::*;

async fn mailbox() -> (tempfile::TempDir, SqliteMailbox) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let mailbox = open(directory.path()).await;
    (directory, mailbox)
}

async fn open(directory: &Path) -> SqliteMailbox {
    let zone = TimeZone::get("Asia/Shanghai").expect("a known zone");
    let options = SqliteMailboxOptions { zone, processed_value: "PROCESSED".to_owned() };
    SqliteMailbox::open(&directory.join("mailbox.db"), options).await.expect("a mailbox")
}

async fn by_hand(mailbox: &SqliteMailbox, sql: &'static str) {
    let mut transaction = mailbox.database.write::<MailboxError>().await.expect("a transaction");
    let done = sqlx::raw_sql(sql).execute(&mut *transaction).await.map_err(MailboxError::of);
    finish(transaction, done).await.expect("valid SQL");
}

async fn cells(mailbox: &SqliteMailbox) -> Vec<(i64, Option<String>, Option<String>)> {
    sqlx::query_as("SELECT CMINMSGS_ID, CMINMSGS_DATE_PROCESSED, CMINMSGS_STATUS FROM CMINMSGS ORDER BY 1")
        .fetch_all(mailbox.database.readers())
        .await
        .expect("rows")
}

#[tokio::test]
async fn inv_07_emptiness_is_judged_by_the_time_column_alone() {
    let (_directory, mailbox) = mailbox().await;
    by_hand(
        &mailbox,
        "INSERT INTO CMINMSGS (CMINMSGS_ID, CMINMSGS_DATE_PROCESSED, CMINMSGS_STATUS)
         VALUES (1, NULL, 'NEW'), (2, '2020-01-01 00:00:00', NULL), (3, '', NULL);",
    )
    .await;
    let at: Timestamp = "2026-03-01T16:30:00Z".parse().expect("a time");
    let ids = [MsgId(4), MsgId(3), MsgId(2), MsgId(1)];
    let outcomes = mailbox.mark(&ids, at).await.expect("outcomes");
    let expected =
        [MarkOutcome::Missing, MarkOutcome::AlreadyMarked, MarkOutcome::AlreadyMarked, MarkOutcome::Written];
    assert_eq!(outcomes, ids.into_iter().zip(expected).collect::<Vec<_>>());
    let text = |text: &str| Some(text.to_owned());
    assert_eq!(
        cells(&mailbox).await,
        [
            (1, text("2026-03-02 00:30:00"), text("PROCESSED")),
            (2, text("2020-01-01 00:00:00"), None),
            (3, text(""), None),
        ]
    );
}

#[tokio::test]
async fn inv_07_a_row_that_is_refused_does_not_take_others_with_it() {
    let (_directory, mailbox) = mailbox().await;
    by_hand(
        &mailbox,
        "INSERT INTO CMINMSGS (CMINMSGS_ID) VALUES (1), (2), (3);
         CREATE TRIGGER refuse BEFORE UPDATE ON CMINMSGS WHEN old.CMINMSGS_ID = 2
         BEGIN SELECT raise(ABORT, 'not this one'); END;",
    )
    .await;
    let outcomes =
        mailbox.mark(&[MsgId(1), MsgId(2), MsgId(3)], Timestamp::UNIX_EPOCH).await.expect("outcomes");
    let written: Vec<_> = outcomes.iter().map(|(_, outcome)| *outcome == MarkOutcome::Written).collect();
    assert_eq!(written, [true, false, true]);
    assert!(matches!(&outcomes[1].1, MarkOutcome::Failed { needs_operator: true, .. }), "{outcomes:?}");
}

#[tokio::test]
async fn a_server_keeps_its_identity_and_another_file_is_another_server() {
    let request = PollRequest {
        after: MsgId(0),
        dead: Vec::new(),
        step: 1,
        ids_max: 1,
        rows_max: 1,
        bodies: engine::ports::BodyLimits { poll_max: 1, body_max: 1 },
    };
    let (directory, first) = mailbox().await;
    let (_elsewhere, other) = mailbox().await;
    let server = first.poll(&request).await.expect("a poll").server;
    first.close().await;
    let again = open(directory.path()).await;
    assert_eq!(again.poll(&request).await.expect("a poll").server, server);
    assert_ne!(other.poll(&request).await.expect("a poll").server, server);
}

#[tokio::test]
async fn text_put_in_by_hand_is_read_as_its_bytes() {
    let (_directory, mailbox) = mailbox().await;
    by_hand(&mailbox, "INSERT INTO CMINMSGS (CMINMSGS_CLOB_MSG) VALUES ('登机口'), (x'ff00'), (NULL);").await;
    let (_, lengths): (Vec<i64>, Vec<Option<i64>>) =
        sqlx::query_as::<_, (i64, Option<i64>)>(named(FILE, "lengths"))
            .bind(0)
            .bind(9)
            .fetch_all(mailbox.database.readers())
            .await
            .expect("rows")
            .into_iter()
            .unzip();
    assert_eq!(lengths, [Some(9), Some(2), None]);
}

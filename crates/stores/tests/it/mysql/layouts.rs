//! Tables as sites have them: other names, types and charsets, and what `check` says of them.

use contract::Harness;
use contract::sample::{ids, letter, whole};
use domain::message::StoredBody;
use engine::ports::{BodyLimits, Landed, Mailbox, MailboxError, MarkOutcome, NewLetter, PollRequest};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use stores::mysql::{MailboxTable, MysqlMailbox, MysqlMailboxConfig};

use super::subject::Subject;

fn names() -> MailboxTable {
    MailboxTable {
        table: "letters".into(),
        id: "nr".into(),
        received: "came".into(),
        mark: "done".into(),
        status: None,
        body: "text".into(),
        ..MailboxTable::default()
    }
}

async fn rows(mailbox: &MysqlMailbox) -> Vec<Landed> {
    let bodies = BodyLimits { poll_max: 1 << 20, body_max: 1 << 20 };
    let after = domain::MsgId(0);
    let request = PollRequest { after, dead: vec![], step: 1, ids_max: 100, rows_max: 100, bodies };
    mailbox.poll(&request).await.expect("the server answers").landed
}

#[tokio::test]
async fn timestamps_are_exact_and_columns_of_others_stay_as_they_are() {
    let subject = Subject::with_table(
        names(),
        "CREATE TABLE letters (nr BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
            came TIMESTAMP(6) NULL, done TIMESTAMP(3) NULL,
            touched TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6),
            text MEDIUMTEXT NULL)",
    )
    .await;
    let mailbox = &subject.mailbox;
    assert_eq!(mailbox.check().await, Vec::<String>::new());
    let came = whole(0) + SignedDuration::from_micros(123_456);
    mailbox.insert(&[NewLetter { received_at: came, ..letter("x") }]).await.expect("the letter is taken");
    assert_eq!(rows(mailbox).await[0].received_at, Some(came));
    let touched = subject.text("SELECT CAST(touched AS CHAR) FROM letters").await;
    let at = whole(90) + SignedDuration::from_micros(123_999);
    let marked = mailbox.mark(&ids([1]), at).await;
    assert_eq!(marked.expect("answers")[0].1, MarkOutcome::Written);
    let done = subject.text("SELECT CAST(UNIX_TIMESTAMP(done) AS CHAR) FROM letters").await;
    assert_eq!(done.as_deref(), Some("1777593690.123"), "cut to the column's digits, not rounded");
    assert_eq!(subject.text("SELECT CAST(touched AS CHAR) FROM letters").await, touched);
    subject.close().await;
}

#[tokio::test]
async fn text_comes_as_utf_8_from_any_charset_and_binary_as_it_is() {
    let noise = vec![0, 0xff, 0xfe, b'<', 0x80];
    for (column, body) in [
        ("LONGTEXT CHARACTER SET gbk", "延误 CA1234".as_bytes().to_vec()),
        ("LONGTEXT CHARACTER SET utf8mb3", "延误".as_bytes().to_vec()),
        ("LONGTEXT CHARACTER SET latin1", "naïve".as_bytes().to_vec()),
        ("VARCHAR(200) CHARACTER SET utf16", "延误 𠮷".as_bytes().to_vec()),
        ("LONGBLOB", "延误 𠮷".as_bytes().to_vec()),
        ("LONGBLOB", noise),
    ] {
        let subject = Subject::with_table(
            names(),
            &format!("CREATE TABLE letters (nr INT PRIMARY KEY AUTO_INCREMENT, came DATE, done DATETIME, text {column})"),
        )
        .await;
        let letter = NewLetter { body: Some(body.clone()), ..letter("") };
        subject.mailbox.insert(&[letter]).await.expect("the letter is taken");
        assert_eq!(rows(&subject.mailbox).await[0].body, StoredBody::Bytes(body), "{column}");
        subject.close().await;
    }
}

#[tokio::test]
async fn text_that_does_not_fit_the_column_is_refused_and_not_maimed() {
    let subject = Subject::with_table(
        names(),
        "CREATE TABLE letters (nr INT PRIMARY KEY AUTO_INCREMENT, came DATETIME, done DATETIME,
            text VARCHAR(4) CHARACTER SET latin1)",
    )
    .await;
    for body in ["延误", "too long"] {
        let refused = subject.mailbox.insert(&[letter(body)]).await;
        assert!(matches!(refused, Err(MailboxError::Refused(_))), "{refused:?}");
    }
    assert_eq!(rows(&subject.mailbox).await, []);
    subject.close().await;
}

#[tokio::test]
async fn a_date_that_is_none_is_none() {
    let subject = Subject::fresh().await;
    subject
        .run(
            "SET sql_mode = ''; INSERT INTO CMINMSGS (CMINMSGS_DATE_RECEIVED, CMINMSGS_CLOB_MSG) VALUES
             ('0000-00-00 00:00:00', 'a'), ('2026-00-00 10:00:00', 'b'), (NULL, 'c'), ('2026-05-01 08:00:00', 'd')",
        )
        .await;
    let times: Vec<Option<Timestamp>> =
        rows(&subject.mailbox).await.into_iter().map(|row| row.received_at).collect();
    assert_eq!(times, [None, None, None, Some(whole(0))]);
    subject.close().await;
}

#[tokio::test]
async fn check_says_what_is_not_as_declared() {
    for (sql, expected) in [
        ("", "table letters does not exist"),
        ("CREATE TABLE letters (nr INT PRIMARY KEY, came DATETIME, text TEXT)", "no column done"),
        ("CREATE TABLE letters (nr INT, came DATETIME, done DATETIME, text TEXT)", "not the primary key"),
        (
            "CREATE TABLE letters (nr VARCHAR(9) PRIMARY KEY, came DATETIME, done DATETIME, text TEXT)",
            "an integer",
        ),
        (
            "CREATE TABLE letters (nr INT PRIMARY KEY, came DATETIME, done DATETIME NOT NULL, text TEXT)",
            "NOT NULL",
        ),
        (
            "CREATE TABLE letters (nr INT PRIMARY KEY, came DATETIME, done DATETIME, text TEXT) ENGINE=MyISAM",
            "InnoDB",
        ),
    ] {
        let subject = Subject::bare(names()).await;
        if !sql.is_empty() {
            subject.run(sql).await;
        }
        let lines = subject.mailbox.check().await;
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].contains(expected), "{lines:?}");
        subject.close().await;
    }
}

#[tokio::test]
async fn a_missing_right_needs_an_operator() {
    let subject = Subject::fresh().await;
    subject.mailbox.insert(&[letter("x")]).await.expect("the letter is taken");
    let (database, user) = (&subject.database, format!("u_{}", subject.database));
    subject
        .run(&format!(
            "CREATE USER '{user}'@'127.0.0.1' IDENTIFIED BY 'secret';
             GRANT SELECT ON {database}.* TO '{user}'@'127.0.0.1'"
        ))
        .await;
    let own = super::subject::config(database, MailboxTable::default()).url;
    let (_, address) = own.split_once('@').expect("a URL with a user");
    let url = format!("mysql://{user}:secret@{address}");
    let reader = MysqlMailbox::open(MysqlMailboxConfig::new(url, TimeZone::UTC)).expect("is good");
    let marked = reader.mark(&ids([1]), whole(1)).await.expect("the server answers");
    assert!(matches!(marked[0].1, MarkOutcome::Failed { needs_operator: true, .. }), "{marked:?}");
    let lines = reader.check().await;
    assert!(lines.len() == 1 && lines[0].contains("can't mark"), "{lines:?}");
    subject.run(&format!("DROP USER '{user}'@'127.0.0.1'")).await;
    subject.close().await;
}

#[tokio::test]
async fn a_server_that_is_not_there_is_unavailable() {
    let nobody =
        std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let config = MysqlMailboxConfig::new(format!("mysql://a:b@{nobody}/c"), TimeZone::UTC);
    let mailbox = MysqlMailbox::open(config).expect("is good");
    assert!(matches!(mailbox.extent().await, Err(MailboxError::Unavailable(_))));
}

//! Open transactions as the server lists them, and the poller as a good guest (DEC-5, FC-08, FC-15).

use contract::Harness;
use contract::sample::letter;
use domain::MsgId;
use domain::mailbox::OpenTransaction;
use engine::ports::{BodyLimits, Mailbox, MailboxPast, PollRequest, Transactions};
use sqlx::MySqlConnection;
use stores::mysql::{MailboxTable, MysqlMailbox, MysqlMailboxConfig};
use tokio::sync::Mutex;

use super::subject::{Subject, config, run};

/// The server keeps its list for a tenth of a second after each look, for ever if asked more often:
/// looks of different tests are kept apart, by a pause that the server makes.
async fn open(subject: &Subject) -> Vec<OpenTransaction> {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::const_new(());
    loop {
        let _alone = ONE_AT_A_TIME.lock().await;
        subject.run("DO SLEEP(0.2)").await;
        match subject.mailbox.transactions().await.expect("the server answers").1 {
            Transactions::Open(open) => return open,
            Transactions::Unusable(why) => assert!(why.contains("out of date"), "{why}"),
        }
    }
}

async fn number(connection: &mut MySqlConnection) -> u64 {
    let number: (i64,) = sqlx::query_as("SELECT CAST(CONNECTION_ID() AS SIGNED)")
        .fetch_one(connection)
        .await
        .expect("the server answers");
    number.0.unsigned_abs()
}

const INSERT: &str = "INSERT INTO CMINMSGS (CMINMSGS_CLOB_MSG) VALUES ('x')";

#[tokio::test]
async fn dec_05_a_transaction_is_listed_from_its_insert_to_its_end() {
    let subject = Subject::fresh().await;
    let mut owner = subject.beside().await;
    let thread = number(&mut owner).await;
    for end in ["COMMIT", "ROLLBACK"] {
        run(&mut owner, "START TRANSACTION").await;
        let listed = async || open(&subject).await.iter().any(|one| one.thread == thread);
        assert!(!listed().await, "it has touched nothing");
        run(&mut owner, INSERT).await;
        assert!(listed().await);
        run(&mut owner, end).await;
        assert!(!listed().await, "{end}: and the list is as new as the call");
    }
    subject.close().await;
}

/// Prepared, and its connection gone: it may commit at any time.
#[tokio::test]
async fn dec_05_a_prepared_transaction_keeps_its_beginning_when_it_loses_its_connection() {
    let subject = Subject::fresh().await;
    let mut owner = subject.beside().await;
    let thread = number(&mut owner).await;
    let name = &subject.database;
    run(&mut owner, &format!("XA START '{name}'; {INSERT}; XA END '{name}'; XA PREPARE '{name}'")).await;
    let before = open(&subject).await;
    let started = &before.iter().find(|one| one.thread == thread).expect("listed").started;
    sqlx::Connection::close(owner).await.expect("the connection closes");
    let is_detached = |one: &OpenTransaction| one.thread == 0 && one.started == *started;
    while !open(&subject).await.iter().any(is_detached) {}
    subject.run(&format!("XA ROLLBACK '{name}'")).await;
    subject.close().await;
}

#[tokio::test]
async fn dec_05_without_the_right_or_the_engine_transactions_prove_nothing() {
    let subject = Subject::fresh().await;
    let (database, user) = (&subject.database, format!("u_{}", subject.database));
    subject
        .run(&format!(
            "CREATE USER '{user}'@'127.0.0.1' IDENTIFIED BY 'secret';
             GRANT SELECT ON {database}.* TO '{user}'@'127.0.0.1'"
        ))
        .await;
    let own = config(database, MailboxTable::default());
    let (_, address) = own.url.split_once('@').expect("a user");
    let url = format!("mysql://{user}:secret@{address}");
    let reader = MysqlMailbox::open(MysqlMailboxConfig { url, ..own.clone() }).expect("is good");
    let why = |answer| match answer {
        Transactions::Unusable(why) => why,
        Transactions::Open(open) => panic!("{open:?}"),
    };
    let told = why(reader.transactions().await.expect("the server answers").1);
    assert!(told.contains("PROCESS"), "{told}");
    subject.run(&format!("DROP USER '{user}'@'127.0.0.1'; ALTER TABLE CMINMSGS ENGINE=Aria")).await;
    let other = MysqlMailbox::open(own).expect("is good");
    let told = why(other.transactions().await.expect("the server answers").1);
    assert!(told.contains("InnoDB"), "{told}");
    subject.close().await;
}

/// Polls leave no snapshot and no lock behind, even where the server begins transactions by itself.
#[tokio::test]
async fn fc_15_the_owner_changes_the_table_between_polls_and_new_rows_are_seen() {
    let subject = Subject::fresh().await;
    let bodies = BodyLimits { poll_max: 1 << 20, body_max: 1 << 20 };
    let after = MsgId(0);
    let request = PollRequest { after, dead: vec![], step: 1, ids_max: 100, rows_max: 100, bodies };
    for round in 1..=5 {
        subject.mailbox.insert(&[letter("a")]).await.expect("the letter is taken");
        let poll = subject.mailbox.poll(&request).await.expect("the server answers");
        assert_eq!(poll.landed.len(), round);
        subject.mailbox.shown(&[MsgId(1)]).await.expect("the server answers");
        subject.mailbox.transactions().await.expect("the server answers");
        // Fails at once instead of waiting where a lock was left behind.
        subject
            .run(&format!(
                "SET lock_wait_timeout = 1; ALTER TABLE CMINMSGS ADD COLUMN extra_{round} INT NULL"
            ))
            .await;
    }
    assert_eq!(subject.transactions(", ACTIVE").await, 0);
    subject.close().await;
}

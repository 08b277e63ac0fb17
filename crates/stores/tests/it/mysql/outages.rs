//! Connections that are cut, hung, revoked and restored: each call ends by itself, and the next one
//! that can succeed does (FC-13, FC-19).

use std::time::Duration;

use contract::Harness;
use contract::sample::letter;
use domain::MsgId;
use engine::ports::{BodyLimits, Mailbox, MailboxError, MailboxPast, Poll, PollRequest};
use stores::mysql::{MailboxTable, MysqlMailbox, MysqlMailboxConfig};

use super::network::Network;
use super::subject::{Subject, config, run};

/// A connection that is silent for so long is cut.
const SILENCE_MAX: Duration = Duration::from_secs(1);

fn request() -> PollRequest {
    let bodies = BodyLimits { poll_max: 16 << 20, body_max: 1 << 20 };
    PollRequest { after: MsgId(0), dead: vec![], step: 1, ids_max: 100, rows_max: 100, bodies }
}

async fn poll(mailbox: &MysqlMailbox) -> Result<Poll, MailboxError> {
    mailbox.poll(&request()).await
}

/// The subject's mailbox behind a network.
async fn behind(network: &Network, subject: &Subject) -> MysqlMailbox {
    let direct = config(&subject.database, MailboxTable::default());
    let (before, path) = direct.url.rsplit_once('/').expect("a URL with a path");
    let (user, _) = before.rsplit_once(':').expect("a URL with a port");
    let url = format!("{user}:{}/{path}", network.port);
    MysqlMailbox::open(MysqlMailboxConfig { url, silence_max: SILENCE_MAX, ..direct }).expect("is good")
}

fn server_port(subject: &Subject) -> u16 {
    let url = config(&subject.database, MailboxTable::default()).url;
    let (_, address) = url.rsplit_once('@').expect("a user");
    let (address, _) = address.split_once('/').expect("a path");
    address.rsplit_once(':').expect("a port").1.parse().expect("a number")
}

/// The numbers of the mailbox's own sessions.
async fn sessions(subject: &Subject) -> Vec<i64> {
    let sql = "SELECT CAST(ID AS SIGNED) FROM information_schema.PROCESSLIST
                WHERE DB = ? AND ID <> CONNECTION_ID()";
    let query = sqlx::query_scalar(sql).bind(&subject.database);
    query.fetch_all(&mut subject.beside().await).await.expect("the server answers")
}

async fn kill_sessions(subject: &Subject) {
    for session in sessions(subject).await {
        subject.run(&format!("KILL CONNECTION {session}")).await;
    }
}

#[tokio::test]
async fn fc_19_a_session_that_was_killed_between_polls_is_not_noticed_by_the_next() {
    let subject = Subject::fresh().await;
    subject.mailbox.insert(&[letter("a")]).await.expect("the letter is taken");
    let before = poll(&subject.mailbox).await.expect("the server answers");
    kill_sessions(&subject).await;
    let after = poll(&subject.mailbox).await.expect("over a new connection");
    assert_eq!(after.landed, before.landed);
    assert_ne!(after.connection, before.connection, "and it says that it is another");
    assert_eq!(after.server, before.server);
    subject.close().await;
}

/// A table lock makes the poll stand still in the middle; then its session is killed.
#[tokio::test]
async fn fc_19_a_session_that_is_killed_during_a_poll_is_a_trouble_that_passes() {
    let subject = Subject::fresh().await;
    subject.mailbox.insert(&[letter("a")]).await.expect("the letter is taken");
    poll(&subject.mailbox).await.expect("the server answers");
    let mut owner = subject.beside().await;
    run(&mut owner, "LOCK TABLES CMINMSGS WRITE").await;
    let mailbox = subject.mailbox.clone();
    let standing = tokio::spawn(async move { poll(&mailbox).await });
    let waiting = "SELECT CAST(COALESCE(MAX(ID), 0) AS CHAR) FROM information_schema.PROCESSLIST
                    WHERE STATE LIKE 'Waiting for table%' AND DB = DATABASE()";
    let session = loop {
        let session = subject.text(waiting).await.expect("a number");
        if session != "0" {
            break session;
        }
    };
    subject.run(&format!("KILL CONNECTION {session}")).await;
    let cut = standing.await.expect("no panic");
    assert!(matches!(cut, Err(MailboxError::Unavailable(_))), "{cut:?}");
    run(&mut owner, "UNLOCK TABLES").await;
    assert_eq!(poll(&subject.mailbox).await.expect("over a new connection").landed.len(), 1);
    subject.close().await;
}

#[tokio::test]
async fn fc_13_a_right_that_is_revoked_and_granted_again_needs_no_restart() {
    let subject = Subject::fresh().await;
    subject.mailbox.insert(&[letter("a")]).await.expect("the letter is taken");
    let (database, user) = (&subject.database, format!("u_{}", subject.database));
    let grant = format!("GRANT SELECT ON {database}.CMINMSGS TO '{user}'@'127.0.0.1'");
    subject.run(&format!("CREATE USER '{user}'@'127.0.0.1' IDENTIFIED BY 'secret'; {grant}")).await;
    let own = config(database, MailboxTable::default());
    let (_, address) = own.url.split_once('@').expect("a user");
    let url = format!("mysql://{user}:secret@{address}");
    let reader = MysqlMailbox::open(MysqlMailboxConfig { url, ..own }).expect("is good");
    poll(&reader).await.expect("may read");
    subject.run(&format!("REVOKE SELECT ON {database}.CMINMSGS FROM '{user}'@'127.0.0.1'")).await;
    for _ in 0..3 {
        let refused = poll(&reader).await;
        assert!(matches!(refused, Err(MailboxError::Refused(_))), "{refused:?}");
    }
    subject.run(&grant).await;
    assert_eq!(poll(&reader).await.expect("may read again").landed.len(), 1);
    // The same for its password: sessions that are there go on, a new one is refused, then let in.
    subject.run(&format!("SET PASSWORD FOR '{user}'@'127.0.0.1' = PASSWORD('other')")).await;
    kill_sessions(&subject).await;
    let refused = poll(&reader).await;
    assert!(matches!(refused, Err(MailboxError::Refused(_))), "{refused:?}");
    subject.run(&format!("SET PASSWORD FOR '{user}'@'127.0.0.1' = PASSWORD('secret')")).await;
    assert_eq!(poll(&reader).await.expect("is let in again").landed.len(), 1);
    subject.run(&format!("DROP USER '{user}'@'127.0.0.1'")).await;
    subject.close().await;
}

#[tokio::test]
async fn fc_13_connections_that_are_cut_are_made_anew() {
    let subject = Subject::fresh().await;
    subject.mailbox.insert(&[letter("a")]).await.expect("the letter is taken");
    let network = Network::to(server_port(&subject)).await;
    let mailbox = behind(&network, &subject).await;
    for _ in 0..3 {
        assert_eq!(poll(&mailbox).await.expect("the server answers").landed.len(), 1);
        network.cut();
    }
    subject.close().await;
}

/// Bytes are swallowed and no connection is closed: without a limit of ours the call waits for ever.
#[tokio::test]
async fn fc_13_a_network_that_hangs_ends_the_call_and_is_used_again_when_it_recovers() {
    let subject = Subject::fresh().await;
    subject.mailbox.insert(&[letter("a")]).await.expect("the letter is taken");
    let network = Network::to(server_port(&subject)).await;
    let mailbox = behind(&network, &subject).await;
    poll(&mailbox).await.expect("the server answers");
    network.hang();
    for _ in 0..2 {
        let cut = poll(&mailbox).await;
        assert!(matches!(cut, Err(MailboxError::Unavailable(_))), "{cut:?}");
    }
    let marked = mailbox.mark(&[MsgId(1)], contract::sample::whole(1)).await;
    assert!(marked.is_err(), "{marked:?}");
    network.recover();
    assert_eq!(poll(&mailbox).await.expect("over a new connection").landed.len(), 1);
    mailbox.shown(&[MsgId(1)]).await.expect("answers");
    subject.close().await;
}

/// The server is there and says nothing: the table is locked.
#[tokio::test]
async fn a_connection_that_is_cut_says_who_was_silent() {
    let subject = Subject::fresh().await;
    let network = Network::to(server_port(&subject)).await;
    let mailbox = behind(&network, &subject).await;
    poll(&mailbox).await.expect("the server answers");
    let mut owner = subject.beside().await;
    run(&mut owner, "LOCK TABLES CMINMSGS WRITE").await;
    let Err(MailboxError::Unavailable(words)) = poll(&mailbox).await else { panic!("locked") };
    let expected = format!("127.0.0.1:{} has not answered for 1s", network.port);
    assert!(words.contains(&expected), "{words}");
    run(&mut owner, "UNLOCK TABLES").await;
    subject.close().await;
}

#[tokio::test]
async fn a_server_that_refuses_connections_is_told_by_address_and_reason() {
    let port =
        std::net::TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("bound").port();
    let url = format!("mysql://a:b@127.0.0.1:{port}/c");
    let mailbox = MysqlMailbox::open(MysqlMailboxConfig::new(url, super::subject::zone())).expect("is good");
    let Err(MailboxError::Unavailable(words)) = poll(&mailbox).await else { panic!("nobody is there") };
    assert!(words.contains(&format!("127.0.0.1:{port}: Connection refused")), "{words}");
}

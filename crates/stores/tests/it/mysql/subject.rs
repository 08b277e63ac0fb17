//! A mailbox in a database of its own, and connections beside it that do what others do.

use std::sync::atomic::{AtomicU32, Ordering};

use contract::{Harness, MailboxHarness, Mark, OpenTransactions};
use domain::MsgId;
use engine::ports::NewLetter;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use sqlx::mysql::MySqlConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, MySqlConnection, Row};
use stores::mysql::{MailboxTable, MysqlMailbox, MysqlMailboxConfig};

static DATABASES: AtomicU32 = AtomicU32::new(0);

/// A mailbox under test.
pub(super) struct Subject {
    pub(super) mailbox: MysqlMailbox,
    pub(super) database: String,
}

fn server() -> String {
    std::env::var("MSGX_TEST_MYSQL_URL")
        .expect("MSGX_TEST_MYSQL_URL is not set: run `cargo xtask test`, which starts a MariaDB server")
}

/// Zone of the tests' mailboxes; the server's own is another.
pub(super) fn zone() -> TimeZone {
    TimeZone::get("Asia/Shanghai").expect("a zone")
}

/// A wall time of the tests' zone.
pub(super) fn wall(text: &str) -> Timestamp {
    zone().to_timestamp(text.parse::<DateTime>().expect("a time")).expect("in range")
}

impl Subject {
    /// A database with no table yet.
    pub(super) async fn bare(table: MailboxTable) -> Self {
        let database = format!("t{}_{}", std::process::id(), DATABASES.fetch_add(1, Ordering::Relaxed));
        let mut connection = connect(None).await;
        run(&mut connection, &format!("CREATE DATABASE {database} CHARACTER SET utf8mb4")).await;
        let mailbox = MysqlMailbox::open(config(&database, table)).expect("the configuration is good");
        Self { mailbox, database }
    }

    /// The default table made by `sql`, which may name its columns as it likes.
    pub(super) async fn with_table(table: MailboxTable, sql: &str) -> Self {
        let subject = Self::bare(table).await;
        run(&mut subject.beside().await, sql).await;
        subject
    }

    /// A connection beside the mailbox's own, without its session settings.
    pub(super) async fn beside(&self) -> MySqlConnection {
        connect(Some(&self.database)).await
    }

    /// Runs plain SQL beside the mailbox.
    pub(super) async fn run(&self, sql: &str) {
        run(&mut self.beside().await, sql).await;
    }

    /// One text by plain SQL.
    pub(super) async fn text(&self, sql: &str) -> Option<String> {
        let query = sqlx::query_scalar(AssertSqlSafe(sql.to_owned()));
        query.fetch_one(&mut self.beside().await).await.expect("one value")
    }

    /// Waits until a statement of the mailbox waits for a lock of another's.
    pub(super) async fn is_waiting(&self) {
        while self.transactions("LOCK WAIT").await == 0 {}
    }

    /// How many transactions in this database are in a state. Asks the engine itself: its table
    /// `INNODB_TRX` shows what it was up to a tenth of a second ago, for ever if asked more often.
    pub(super) async fn transactions(&self, state: &str) -> usize {
        let mut beside = self.beside().await;
        let sessions: Vec<i64> = sqlx::query_scalar(
            "SELECT CAST(ID AS SIGNED) FROM information_schema.PROCESSLIST WHERE DB = ? AND ID <> CONNECTION_ID()",
        )
        .bind(&self.database)
        .fetch_all(&mut beside)
        .await
        .expect("the server answers");
        let row = sqlx::query("SHOW ENGINE INNODB STATUS")
            .fetch_one(&mut beside)
            .await
            .expect("the server answers");
        let status: String = row.get(2);
        let ours = |block: &&str| sessions.iter().any(|id| block.contains(&format!("thread id {id},")));
        status.split("---TRANSACTION").skip(1).filter(ours).filter(|block| block.contains(state)).count()
    }
}

pub(super) fn config(database: &str, table: MailboxTable) -> MysqlMailboxConfig {
    let (server, _) =
        server().rsplit_once('/').map(|(a, b)| (a.to_owned(), b.to_owned())).expect("a URL with a path");
    MysqlMailboxConfig { table, ..MysqlMailboxConfig::new(format!("{server}/{database}"), zone()) }
}

async fn connect(database: Option<&str>) -> MySqlConnection {
    let options: MySqlConnectOptions = server().parse().expect("a URL");
    let options = match database {
        Some(database) => options.database(database),
        None => options,
    };
    options.connect().await.expect("the server answers")
}

/// Runs plain SQL on a connection.
pub(super) async fn run(connection: &mut MySqlConnection, sql: &str) {
    sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(connection).await.expect("the SQL is accepted");
}

impl Harness for Subject {
    async fn fresh() -> Self {
        let subject = Self::bare(MailboxTable::default()).await;
        subject.mailbox.create_table().await.expect("the table is made");
        subject
    }

    async fn close(self) {
        let mut connection = connect(None).await;
        run(&mut connection, &format!("DROP DATABASE {}", self.database)).await;
    }
}

impl MailboxHarness for Subject {
    type Mailbox = MysqlMailbox;

    fn mailbox(&self) -> &MysqlMailbox {
        &self.mailbox
    }

    async fn mark_of(&self, id: MsgId) -> Option<Mark> {
        let row: Option<(Option<String>, Option<String>)> = sqlx::query_as(
            "SELECT CMINMSGS_STATUS, CAST(CMINMSGS_DATE_PROCESSED AS CHAR) FROM CMINMSGS WHERE CMINMSGS_ID = ?",
        )
        .bind(id.0)
        .fetch_optional(&mut self.beside().await)
        .await
        .expect("the server answers");
        row.map(|(status, time)| Mark { status, processed_at: time.map(|text| wall(&text)) })
    }

    async fn mark_by_other(&self, id: MsgId, mark: Mark) {
        let time = mark.processed_at.map(|at| zone().to_datetime(at).to_string().replace('T', " "));
        sqlx::query(
            "UPDATE CMINMSGS SET CMINMSGS_STATUS = ?, CMINMSGS_DATE_PROCESSED = ? WHERE CMINMSGS_ID = ?",
        )
        .bind(mark.status)
        .bind(time)
        .bind(id.0)
        .execute(&mut self.beside().await)
        .await
        .expect("the server answers");
    }

    async fn delete(&self, id: MsgId) {
        self.run(&format!("DELETE FROM CMINMSGS WHERE CMINMSGS_ID = {id}")).await;
    }
}

impl OpenTransactions for Subject {
    type Open = MySqlConnection;

    async fn open(&self, letter: NewLetter) -> (MsgId, MySqlConnection) {
        let mut connection = self.beside().await;
        run(&mut connection, "START TRANSACTION").await;
        let done = sqlx::query("INSERT INTO CMINMSGS (CMINMSGS_CLOB_MSG) VALUES (?)")
            .bind(letter.body)
            .execute(&mut connection)
            .await
            .expect("the row is taken");
        (MsgId(done.last_insert_id().cast_signed()), connection)
    }

    async fn commit(&self, mut open: MySqlConnection) {
        run(&mut open, "COMMIT").await;
        open.close().await.expect("the connection closes");
    }

    async fn roll_back(&self, mut open: MySqlConnection) {
        run(&mut open, "ROLLBACK").await;
        open.close().await.expect("the connection closes");
    }
}

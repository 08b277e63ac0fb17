//! A place of its own for each test: database, schema, topics, directory.

use domain::MsgId;
use domain::flight::Flight;
use rdkafka::ClientConfig;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, TopicReplication};
use rdkafka::client::DefaultClientContext;
use sqlx::{AssertSqlSafe, Connection, MySqlConnection, MySqlPool, PgPool, Row};
use stores::mysql::{MysqlMailbox, MysqlMailboxConfig};
use tempfile::TempDir;

use super::server as named_server;

/// Partitions of a test's topics.
const PARTITIONS: i32 = 3;

/// The servers as one test sees them.
pub(crate) struct Place {
    pub(crate) name: String,
    pub(crate) mailbox_url: String,
    pub(crate) store_url: String,
    pub(crate) kafka: String,
    pub(crate) mailbox: MySqlPool,
    pub(crate) store: PgPool,
    directory: TempDir,
}

impl Place {
    /// A fresh database with an empty mailbox, a schema that doesn't exist yet, two empty topics.
    pub(crate) async fn fresh(test: &str) -> Self {
        let directory = tempfile::tempdir().expect("a directory");
        let name = format!("it_{test}_{}", std::process::id());
        let root = named_server("MSGX_TEST_MYSQL_URL");
        let mut connection = MySqlConnection::connect(&root).await.expect("the mailbox's server answers");
        sqlx::query(AssertSqlSafe(format!("CREATE DATABASE {name} CHARACTER SET utf8mb4")))
            .execute(&mut connection)
            .await
            .expect("a database");
        let (server, _) = root.rsplit_once('/').expect("mysql://user:password@host:port/database");
        let mailbox_url = format!("{server}/{name}");
        let config = MysqlMailboxConfig::new(&mailbox_url, jiff::tz::TimeZone::UTC);
        MysqlMailbox::open(config).expect("a URL").create_table().await.expect("a mailbox");
        let (store_url, kafka) = (named_server("MSGX_TEST_POSTGRES_URL"), named_server("MSGX_TEST_KAFKA"));
        let mailbox = MySqlPool::connect(&mailbox_url).await.expect("the mailbox answers");
        let store = PgPool::connect(&store_url).await.expect("the store answers");
        let place = Self { name, mailbox_url, store_url, kafka, mailbox, store, directory };
        place.create_topics().await;
        place
    }

    async fn create_topics(&self) {
        let admin: AdminClient<DefaultClientContext> =
            ClientConfig::new().set("bootstrap.servers", &self.kafka).create().expect("an admin client");
        let (msg, schd) = (self.topic("msg"), self.topic("schd"));
        let [msg, schd] =
            [&msg, &schd].map(|name| NewTopic::new(name, PARTITIONS, TopicReplication::Fixed(1)));
        let topics = [msg, schd.set("cleanup.policy", "compact")];
        for made in admin.create_topics(&topics, &AdminOptions::new()).await.expect("the broker answers") {
            made.expect("a topic");
        }
    }

    /// Full name of one of the two topics.
    pub(crate) fn topic(&self, short: &str) -> String {
        format!("{}.{short}", self.name)
    }

    /// The configuration, as command-line arguments.
    pub(crate) fn arguments(&self) -> Vec<String> {
        let values = [
            ("store.url", self.store_url.clone()),
            ("store.schema", self.name.clone()),
            ("mailbox.url", self.mailbox_url.clone()),
            ("kafka.bootstrap-servers", self.kafka.clone()),
            ("kafka.topics.msg", self.topic("msg")),
            ("kafka.topics.schd", self.topic("schd")),
            ("msgx.data-dir", self.directory.path().display().to_string()),
            ("msgx.lease-ttl", "2 s".into()),
            ("kafka.producers.default.message-timeout", "2 s".into()),
            ("mailbox.max-commit-delay", "3 s".into()),
            ("mailbox.poll-interval", "50 ms".into()),
            // The traffic's days are made up: by today's calendar all of them are history.
            ("flight.history-after", "3650 d".into()),
            ("msgx.pipeline.retry-backoff-ms", "50".into()),
            ("http.port", "0".into()),
        ];
        values.into_iter().map(|(key, value)| format!("--set={key}={value}")).collect()
    }

    /// One number from the own store; the statement names its tables with `{s}.` in front.
    pub(crate) async fn store_count(&self, sql: &str) -> i64 {
        let sql = AssertSqlSafe(sql.replace("{s}", &self.name));
        sqlx::query(sql).fetch_one(&self.store).await.expect("the statement fits the schema").get(0)
    }

    /// One number from the mailbox.
    pub(crate) async fn mailbox_count(&self, sql: &str) -> i64 {
        sqlx::query(AssertSqlSafe(sql.to_owned())).fetch_one(&self.mailbox).await.expect("an answer").get(0)
    }

    /// IDs with their marks in the mailbox: `(id, is marked)`.
    pub(crate) async fn marks(&self) -> Vec<(MsgId, bool)> {
        let sql = "SELECT CMINMSGS_ID, CMINMSGS_DATE_PROCESSED IS NOT NULL AND CMINMSGS_STATUS = 'PROCESSED' \
                   FROM CMINMSGS ORDER BY CMINMSGS_ID";
        let rows = sqlx::query(sql).fetch_all(&self.mailbox).await.expect("an answer");
        rows.iter().map(|row| (MsgId(row.get(0)), row.get::<i64, _>(1) == 1)).collect()
    }

    /// IDs with their states in the own store.
    pub(crate) async fn states(&self) -> Vec<(MsgId, String, Option<String>, Option<String>)> {
        let sql = format!(
            "SELECT msg_id, state, error_class, last_error FROM {}.proc_state ORDER BY msg_id",
            self.name
        );
        let rows = sqlx::query(AssertSqlSafe(sql)).fetch_all(&self.store).await.expect("an answer");
        rows.iter().map(|row| (MsgId(row.get(0)), row.get(1), row.get(2), row.get(3))).collect()
    }

    /// Every current flight.
    pub(crate) async fn flights(&self) -> Vec<Flight> {
        use engine::ports::Views as _;
        let store =
            stores::postgres::PostgresStore::connect(&self.store_url, &self.name).await.expect("the store");
        store.flights(1_000_000).await.expect("the flights")
    }
}

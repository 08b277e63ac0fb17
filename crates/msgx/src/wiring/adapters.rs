//! Configuration to the options of each adapter.

use stores::file::FileTopics;
use stores::kafka::KafkaConfig;
use stores::mysql::{MailboxTable, MysqlMailboxConfig};
use stores::sqlite::SqliteMailboxOptions;

use crate::config::Config;

/// The mailbox in MySQL or MariaDB.
pub(super) fn mysql_config(config: &Config, url: &str) -> MysqlMailboxConfig {
    let text = |key: &str| config.text(key).to_owned();
    MysqlMailboxConfig {
        table: MailboxTable {
            table: text("mailbox.table"),
            id: text("mailbox.id-column"),
            received: text("mailbox.received-column"),
            mark: text("mailbox.mark.column"),
            status: config.optional("mailbox.mark.status-column").map(str::to_owned),
            body: text("mailbox.body-column"),
            processed_value: text("mailbox.processed-value"),
        },
        silence_max: config.duration("mailbox.silence-max"),
        ..MysqlMailboxConfig::new(url, config.zone("mailbox.time-zone"))
    }
}

/// The embedded mailbox.
pub(super) fn sqlite_options(config: &Config) -> SqliteMailboxOptions {
    SqliteMailboxOptions {
        zone: config.zone("mailbox.time-zone"),
        processed_value: config.text("mailbox.processed-value").to_owned(),
    }
}

/// The file sink's topics.
pub(super) fn file_topics(config: &Config) -> FileTopics {
    FileTopics {
        msg: config.text("kafka.topics.msg").to_owned(),
        schd: config.text("kafka.topics.schd").to_owned(),
    }
}

/// The producer. Properties without `=` are kept as names without value, which librdkafka refuses
/// by name.
pub(crate) fn kafka_config(config: &Config) -> KafkaConfig {
    let producer = |key: &str| format!("kafka.producers.default.{key}");
    let property = |text: &str| {
        let (name, value) = text.split_once('=').unwrap_or((text, ""));
        (name.trim().to_owned(), value.trim().to_owned())
    };
    KafkaConfig {
        topic_msg: config.text("kafka.topics.msg").to_owned(),
        topic_schd: config.text("kafka.topics.schd").to_owned(),
        acks: config.text(&producer("acks")).to_owned(),
        enable_idempotence: config.flag(&producer("enable-idempotence")),
        max_in_flight: u32::try_from(config.integer(&producer("max-in-flight-requests-per-connection")))
            .unwrap_or(u32::MAX),
        message_timeout: config.duration(&producer("message-timeout")),
        extra: config.list("kafka.properties").into_iter().map(property).collect(),
        ..KafkaConfig::new(config.text("kafka.bootstrap-servers"))
    }
}

//! Where a benchmark works: made for it and removed after it.

use std::path::PathBuf;

use stores::kafka::KafkaSink;
use stores::mysql::MysqlMailbox;
use stores::postgres::PostgresStore;

use super::adapters::{kafka_config, mysql_config};
use crate::config::Config;

/// Partitions of a benchmark's topics.
const PARTITIONS: i32 = 6;

/// Names and directory of one benchmark run.
#[derive(Debug)]
pub(crate) struct BenchPlace {
    directory: PathBuf,
}

impl BenchPlace {
    /// Points the configuration at a place called `name`.
    pub(crate) fn choose(config: &mut Config, name: &str) -> anyhow::Result<Self> {
        let directory = PathBuf::from(config.text("msgx.data-dir")).join(name);
        let values = [
            ("msgx.data-dir", directory.display().to_string()),
            ("store.schema", format!("msgx_{name}")),
            ("mailbox.table", format!("MSGX_{}", name.to_uppercase())),
            ("kafka.topics.msg", format!("msgx.{name}.msg")),
            ("kafka.topics.schd", format!("msgx.{name}.schd")),
        ];
        for (key, value) in values {
            config.set(key, &value)?;
        }
        Ok(Self { directory })
    }

    /// Makes what the adapters don't make themselves.
    pub(crate) async fn make(&self, config: &Config) -> anyhow::Result<()> {
        if let Some(url) = config.optional("mailbox.url") {
            MysqlMailbox::open(mysql_config(config, url))?.create_table().await?;
        }
        if config.optional("kafka.bootstrap-servers").is_some() {
            let sink = KafkaSink::new(kafka_config(config));
            sink.create_topics(PARTITIONS, 1).await.map_err(|words| anyhow::anyhow!("kafka: {words}"))?;
        }
        Ok(())
    }

    /// Removes everything again.
    pub(crate) async fn remove(&self, config: &Config) -> anyhow::Result<()> {
        if let Some(url) = config.optional("mailbox.url") {
            MysqlMailbox::open(mysql_config(config, url))?.drop_table().await?;
        }
        if let Some(url) = config.optional("store.url") {
            PostgresStore::connect(url, config.text("store.schema")).await?.drop_schema().await?;
        }
        if config.optional("kafka.bootstrap-servers").is_some() {
            let sink = KafkaSink::new(kafka_config(config));
            sink.delete_topics().await.map_err(|words| anyhow::anyhow!("kafka: {words}"))?;
        }
        if self.directory.exists() {
            std::fs::remove_dir_all(&self.directory)?;
        }
        Ok(())
    }
}

//! The only place that names adapters: the configuration decides once, and everything behind it is
//! generic over the ports.

use std::sync::Arc;

use anyhow::Context as _;
use engine::ports::{Mailbox, Sink, Store, Views};
use stores::file::FileSink;
use stores::kafka::KafkaSink;
use stores::mysql::MysqlMailbox;
use stores::postgres::PostgresStore;
use stores::sqlite::{SqliteMailbox, SqliteStore};

use crate::config::Config;

mod adapters;
mod awaited;
mod bench;
mod presence;
mod reach;

pub(crate) use adapters::kafka_config;
use adapters::{file_topics, mysql_config, sqlite_options};
pub(crate) use awaited::with_awaited_stack;
pub(crate) use bench::BenchPlace;
pub(crate) use presence::{data_dir, not_there_yet, places};
pub(crate) use reach::{Findings, reach_mailbox, reach_sink, reach_store};

/// The three adapters in use.
#[derive(Debug)]
pub(crate) struct Stack<M, S, K> {
    /// The mailbox.
    pub(crate) mailbox: Arc<M>,
    /// The own store.
    pub(crate) store: Arc<S>,
    /// Where events go.
    pub(crate) sink: Arc<K>,
}

/// Work that needs the adapters, whichever they are.
pub(crate) trait Job: Sized {
    /// What it gives.
    type Output;

    /// Does it.
    async fn run<M: Mailbox, S: Store + Views, K: Sink>(
        self,
        stack: Stack<M, S, K>,
    ) -> anyhow::Result<Self::Output>;
}

/// What of a configuration is embedded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Embedded {
    pub(crate) store: bool,
    pub(crate) mailbox: bool,
    pub(crate) sink: bool,
}

impl Embedded {
    /// Reads it from a configuration.
    pub(crate) fn of(config: &Config) -> Self {
        Self {
            store: config.optional("store.url").is_none(),
            mailbox: config.optional("mailbox.url").is_none(),
            sink: config.optional("kafka.bootstrap-servers").is_none(),
        }
    }

    /// All three.
    pub(crate) fn all(self) -> bool {
        self.store && self.mailbox && self.sink
    }

    /// Any of them.
    pub(crate) fn any(self) -> bool {
        self.store || self.mailbox || self.sink
    }
}

/// Opens store, mailbox and sink and hands them to `job`; creates or updates the store's tables first.
pub(crate) async fn with_migrated_stack<J: Job>(config: &Config, job: J) -> anyhow::Result<J::Output> {
    if let Some(url) = config.optional("store.url") {
        let store = connect(config, url).await?;
        store.migrate().await.context("store.url: can't migrate")?;
        store.close().await;
    }
    with_stack(config, job).await
}

/// Opens store, mailbox and sink and hands them to `job`. Each step is boxed: eight stacks of adapters
/// for every command, one inside the other, are more than the compiler lays out.
///
/// The store's tables must be as this program knows them. The embedded store is ours alone and is kept up to date by opening it.
pub(crate) async fn with_stack<J: Job>(config: &Config, job: J) -> anyhow::Result<J::Output> {
    match config.optional("store.url") {
        Some(url) => {
            let store = connect(config, url).await?;
            store.check_version().await.context("store.url")?;
            Box::pin(with_store(config, Arc::new(store), job)).await
        }
        None => {
            let store = open_embedded_store(config).await?;
            Box::pin(with_store(config, Arc::new(store), job)).await
        }
    }
}

/// [`with_stack`] for commands that only look: embedded files that aren't there are not created.
pub(crate) async fn with_present_stack<J: Job>(config: &Config, job: J) -> anyhow::Result<J::Output> {
    if let Some(missing) = not_there_yet(config).first() {
        let directory = config.text("msgx.data-dir");
        anyhow::bail!(
            "no data yet in {directory}: {} is not there; was it `msgx run` elsewhere? set msgx.data-dir",
            missing.display()
        );
    }
    with_stack(config, job).await
}

async fn connect(config: &Config, url: &str) -> anyhow::Result<PostgresStore> {
    PostgresStore::connect(url, config.text("store.schema")).await.context("store.url")
}

async fn open_embedded_store(config: &Config) -> anyhow::Result<SqliteStore> {
    let path = data_dir(config)?.join("store.db");
    SqliteStore::open(&path).await.with_context(|| path.display().to_string())
}

/// Work that needs the mailbox alone.
pub(crate) trait MailboxJob: Sized {
    /// What it gives.
    type Output;

    /// Does it.
    async fn run<M: Mailbox>(self, mailbox: &M) -> anyhow::Result<Self::Output>;
}

/// Opens the mailbox and hands it to `job`.
pub(crate) async fn with_mailbox_alone<J: MailboxJob>(config: &Config, job: J) -> anyhow::Result<J::Output> {
    match config.optional("mailbox.url") {
        Some(url) => job.run(&open_mailbox(config, url)?).await,
        None => job.run(&open_embedded_mailbox(config).await?).await,
    }
}

fn open_mailbox(config: &Config, url: &str) -> anyhow::Result<MysqlMailbox> {
    MysqlMailbox::open(mysql_config(config, url)).context("mailbox.*")
}

async fn with_store<J: Job, S: Store + Views>(
    config: &Config,
    store: Arc<S>,
    job: J,
) -> anyhow::Result<J::Output> {
    match config.optional("mailbox.url") {
        Some(url) => {
            let mailbox = open_mailbox(config, url)?;
            Box::pin(with_mailbox(config, store, Arc::new(mailbox), job)).await
        }
        None => {
            let mailbox = open_embedded_mailbox(config).await?;
            Box::pin(with_mailbox(config, store, Arc::new(mailbox), job)).await
        }
    }
}

/// The embedded mailbox, created if it isn't there.
async fn open_embedded_mailbox(config: &Config) -> anyhow::Result<SqliteMailbox> {
    let path = data_dir(config)?.join("mailbox.db");
    SqliteMailbox::open(&path, sqlite_options(config)).await.with_context(|| path.display().to_string())
}

async fn with_mailbox<J: Job, S: Store + Views, M: Mailbox>(
    config: &Config,
    store: Arc<S>,
    mailbox: Arc<M>,
    job: J,
) -> anyhow::Result<J::Output> {
    if config.optional("kafka.bootstrap-servers").is_some() {
        let sink = Arc::new(KafkaSink::new(kafka_config(config)));
        return Box::pin(job.run(Stack { mailbox, store, sink })).await;
    }
    let sink = Arc::new(open_file_sink(config)?);
    Box::pin(job.run(Stack { mailbox, store, sink })).await
}

fn open_file_sink(config: &Config) -> anyhow::Result<FileSink> {
    let directory = data_dir(config)?.join("sink");
    FileSink::open(&directory, file_topics(config)).with_context(|| directory.display().to_string())
}

//! Is each dependency there and as it must be? For `msgx check`: nothing is created or changed, and
//! one that is missing hides none of the others.

use std::path::Path;

use engine::ports::{Mailbox, Sink as _, Transactions};
use stores::kafka::KafkaSink;

use super::{
    MailboxJob, connect, kafka_config, open_embedded_store, open_file_sink, presence, with_mailbox_alone,
};
use crate::config::Config;

/// What a look has found.
#[derive(Debug, Default)]
pub(crate) struct Findings {
    /// What is wrong.
    pub(crate) problems: Vec<String>,
    /// What is worth saying and isn't wrong.
    pub(crate) notes: Vec<String>,
}

impl From<Vec<String>> for Findings {
    fn from(problems: Vec<String>) -> Self {
        Self { problems, notes: Vec::new() }
    }
}

/// The own store.
pub(crate) async fn reach_store(config: &Config) -> Findings {
    let Some(url) = config.optional("store.url") else {
        return embedded(&presence::store(config), async {
            open_embedded_store(config).await?;
            Ok(Vec::new())
        })
        .await;
    };
    problems(async {
        let store = connect(config, url).await?;
        store.check_version().await?;
        store.check_statements().await?;
        Ok(Vec::new())
    })
    .await
    .into()
}

/// The mailbox: table, columns, rights.
pub(crate) async fn reach_mailbox(config: &Config) -> Findings {
    let evidence = config.text("mailbox.gap-evidence") == "transactions";
    let look = with_mailbox_alone(config, Look);
    match config.optional("mailbox.url") {
        Some(_) => {
            let mut findings = Findings::from(problems(look).await);
            if evidence && findings.problems.is_empty() {
                findings.notes = problems(with_mailbox_alone(config, LookAtTransactions)).await;
            }
            findings
        }
        None => embedded(&presence::mailbox(config), look).await,
    }
}

struct Look;

impl MailboxJob for Look {
    type Output = Vec<String>;

    async fn run<M: Mailbox>(self, mailbox: &M) -> anyhow::Result<Vec<String>> {
        Ok(mailbox.check().await)
    }
}

/// Why `mailbox.gap-evidence = transactions` would fall back to age; nothing when it wouldn't.
struct LookAtTransactions;

impl MailboxJob for LookAtTransactions {
    type Output = Vec<String>;

    async fn run<M: Mailbox>(self, mailbox: &M) -> anyhow::Result<Vec<String>> {
        Ok(match mailbox.transactions().await?.1 {
            Transactions::Open(_) => Vec::new(),
            Transactions::Unusable(why) => {
                vec![format!("mailbox.gap-evidence: transactions can't be used, age decides: {why}")]
            }
        })
    }
}

/// The sink: broker, topics.
pub(crate) async fn reach_sink(config: &Config) -> Findings {
    if config.optional("kafka.bootstrap-servers").is_some() {
        return KafkaSink::new(kafka_config(config)).check().await.into();
    }
    embedded(&presence::sink(config), async { Ok(open_file_sink(config)?.check().await) }).await
}

/// Looks at what is there; of what isn't, says that it would be made.
async fn embedded(path: &Path, look: impl Future<Output = anyhow::Result<Vec<String>>>) -> Findings {
    if path.exists() {
        return problems(look).await.into();
    }
    match presence::obstacle(path) {
        Some(obstacle) => vec![obstacle].into(),
        None => Findings {
            problems: Vec::new(),
            notes: vec![format!("not there yet: {} would be created", path.display())],
        },
    }
}

async fn problems(look: impl Future<Output = anyhow::Result<Vec<String>>>) -> Vec<String> {
    look.await.unwrap_or_else(|error| vec![format!("{error:#}")])
}

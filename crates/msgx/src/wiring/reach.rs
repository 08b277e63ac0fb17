//! Is each dependency there and as it must be? For `msgx check`: nothing is created or changed at a
//! server, and one that is missing hides none of the others.

use engine::ports::{Mailbox, Sink as _};
use stores::kafka::KafkaSink;

use super::{MailboxJob, connect, kafka_config, open_embedded_store, open_file_sink, with_mailbox_alone};
use crate::config::Config;

/// What is wrong with the own store.
pub(crate) async fn reach_store(config: &Config) -> Vec<String> {
    problems(async {
        let Some(url) = config.optional("store.url") else {
            open_embedded_store(config).await?;
            return Ok(Vec::new());
        };
        let store = connect(config, url).await?;
        store.check_version().await?;
        store.check_statements().await?;
        Ok(Vec::new())
    })
    .await
}

/// What is wrong with the mailbox: table, columns, rights.
pub(crate) async fn reach_mailbox(config: &Config) -> Vec<String> {
    problems(with_mailbox_alone(config, Look)).await
}

struct Look;

impl MailboxJob for Look {
    type Output = Vec<String>;

    async fn run<M: Mailbox>(self, mailbox: &M) -> anyhow::Result<Vec<String>> {
        Ok(mailbox.check().await)
    }
}

/// What is wrong with the sink: broker, topics.
pub(crate) async fn reach_sink(config: &Config) -> Vec<String> {
    if config.optional("kafka.bootstrap-servers").is_some() {
        return KafkaSink::new(kafka_config(config)).check().await;
    }
    problems(async { Ok(open_file_sink(config)?.check().await) }).await
}

async fn problems(look: impl Future<Output = anyhow::Result<Vec<String>>>) -> Vec<String> {
    look.await.unwrap_or_else(|error| vec![format!("{error:#}")])
}

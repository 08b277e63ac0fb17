//! The topics: are they there and of the right kind? And making them, for demos and tests.

use std::sync::Arc;
use std::time::Duration;

use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, ResourceSpecifier, TopicReplication};
use rdkafka::client::DefaultClientContext;
use rdkafka::error::RDKafkaErrorCode;

use super::{KafkaConfig, KafkaSink};

type Admin = AdminClient<DefaultClientContext>;

/// Longest wait for the cluster's answer.
const ANSWER_MAX: Duration = Duration::from_secs(5);

/// One line per finding; empty when all is well.
pub(super) async fn findings(config: &KafkaConfig) -> Vec<String> {
    match look(config).await {
        Ok(lines) => lines,
        Err(line) => vec![line],
    }
}

async fn look(config: &KafkaConfig) -> Result<Vec<String>, String> {
    let admin = Arc::new(admin(config)?);
    let asked = Arc::clone(&admin);
    // All topics: asking for one by name may create it. The call blocks, on its own thread.
    let metadata = tokio::task::spawn_blocking(move || asked.inner().fetch_metadata(None, ANSWER_MAX))
        .await
        .map_err(|error| error.to_string())?
        .map_err(|error| format!("{} can't be reached: {error}", config.brokers))?;
    let missing = |name: &str| !metadata.topics().iter().any(|topic| topic.name() == name);
    let mut lines: Vec<String> =
        [("kafka.topics.msg", &config.topic_msg), ("kafka.topics.schd", &config.topic_schd)]
            .into_iter()
            .filter(|(_, name)| missing(name))
            .map(|(key, name)| format!("topic {name} ({key}) does not exist or may not be seen: create it"))
            .collect();
    if !missing(&config.topic_schd) {
        lines.extend(not_compacted(&admin, &config.topic_schd).await?);
    }
    Ok(lines)
}

/// Without compaction the topic would forget flights, or grow for ever.
async fn not_compacted(admin: &Admin, topic: &str) -> Result<Option<String>, String> {
    let described = admin
        .describe_configs(&[ResourceSpecifier::Topic(topic)], &options())
        .await
        .map_err(|error| format!("topic {topic}: {error}"))?;
    let resource = match described.into_iter().next() {
        Some(Ok(resource)) => resource,
        Some(Err(code)) => return Ok(Some(format!("topic {topic}: its settings may not be read: {code}"))),
        None => return Ok(Some(format!("topic {topic}: the broker tells nothing of its settings"))),
    };
    let policy = resource.get("cleanup.policy").and_then(|entry| entry.value.clone()).unwrap_or_default();
    let compacted = policy.split(',').any(|part| part.trim() == "compact");
    Ok((!compacted)
        .then(|| format!("topic {topic}: cleanup.policy is {policy}, set it to compact (kafka.topics.schd)")))
}

impl KafkaSink {
    /// Makes the topics that are missing: for demos and tests.
    ///
    /// # Errors
    /// One line, when the cluster can't be reached or refuses.
    pub async fn create_topics(&self, partitions: i32, replication: i32) -> Result<(), String> {
        let admin = admin(&self.config)?;
        let copies = || TopicReplication::Fixed(replication);
        let topics = [
            NewTopic::new(&self.config.topic_msg, partitions, copies()),
            NewTopic::new(&self.config.topic_schd, partitions, copies()).set("cleanup.policy", "compact"),
        ];
        let made = admin.create_topics(&topics, &options()).await.map_err(|error| error.to_string())?;
        for one in made {
            match one {
                Ok(_) | Err((_, RDKafkaErrorCode::TopicAlreadyExists)) => {}
                Err((topic, code)) => return Err(format!("topic {topic}: {code}")),
            }
        }
        Ok(())
    }

    /// Removes both topics: for benchmarks and tests, of topics they made.
    ///
    /// # Errors
    /// One line, when the cluster can't be reached or refuses.
    pub async fn delete_topics(&self) -> Result<(), String> {
        let admin = admin(&self.config)?;
        let names = [self.config.topic_msg.as_str(), self.config.topic_schd.as_str()];
        let gone = admin.delete_topics(&names, &options()).await.map_err(|error| error.to_string())?;
        for one in gone {
            match one {
                Ok(_) | Err((_, RDKafkaErrorCode::UnknownTopicOrPartition)) => {}
                Err((topic, code)) => return Err(format!("topic {topic}: {code}")),
            }
        }
        Ok(())
    }
}

fn admin(config: &KafkaConfig) -> Result<Admin, String> {
    config.client().create().map_err(|error| error.to_string())
}

fn options() -> AdminOptions {
    AdminOptions::new().request_timeout(Some(ANSWER_MAX)).operation_timeout(Some(ANSWER_MAX))
}

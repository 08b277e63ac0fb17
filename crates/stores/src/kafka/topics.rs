//! The topics: are they there and of the right kind? And making them, for demos and tests.

use std::sync::Arc;
use std::time::Duration;

use domain::event::Target;
use rdkafka::admin::{AdminClient, AdminOptions, NewTopic, ResourceSpecifier, TopicReplication};
use rdkafka::error::RDKafkaErrorCode;

use super::quiet::Quiet;
use super::{KafkaConfig, KafkaSink};

type Admin = AdminClient<Quiet>;

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
    let names = names(config, &admin).await?;
    let mut lines: Vec<String> =
        [Target::Msg, Target::Schd].into_iter().filter_map(|target| absent(config, &names, target)).collect();
    if names.contains(&config.topic_schd) {
        lines.extend(not_compacted(&admin, &config.topic_schd).await?);
    }
    Ok(lines)
}

/// Is the topic of one target there?
pub(super) async fn reach(config: &KafkaConfig, target: Target) -> Result<(), String> {
    let names = names(config, &Arc::new(admin(config)?)).await?;
    absent(config, &names, target).map_or(Ok(()), Err)
}

fn absent(config: &KafkaConfig, names: &[String], target: Target) -> Option<String> {
    let (key, name, kind) = match target {
        Target::Msg => ("kafka.topics.msg", &config.topic_msg, ""),
        Target::Schd => ("kafka.topics.schd", &config.topic_schd, " with cleanup.policy=compact"),
    };
    (!names.contains(name))
        .then(|| format!("topic {name} ({key}) does not exist or may not be seen: create it{kind}"))
}

/// The topics there are: asking for one by name may create it. The call blocks, on its own thread.
async fn names(config: &KafkaConfig, admin: &Arc<Admin>) -> Result<Vec<String>, String> {
    let asked = Arc::clone(admin);
    let metadata = tokio::task::spawn_blocking(move || asked.inner().fetch_metadata(None, ANSWER_MAX))
        .await
        .map_err(|error| error.to_string())?
        .map_err(|error| format!("{} can't be reached: {error}", config.brokers))?;
    Ok(metadata.topics().iter().map(|topic| topic.name().to_owned()).collect())
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
    config.client().create_with_context(Quiet::default()).map_err(|error| error.to_string())
}

fn options() -> AdminOptions {
    AdminOptions::new().request_timeout(Some(ANSWER_MAX)).operation_timeout(Some(ANSWER_MAX))
}

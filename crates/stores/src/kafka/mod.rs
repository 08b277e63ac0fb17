//! The sink in Kafka. What is acknowledged survives (D3): [`KafkaConfig::self_check`] refuses
//! any setting that would weaken it.

mod config;
mod quiet;
mod refusals;
mod topics;

use std::sync::{Mutex, PoisonError};

use domain::event::Target;
use engine::ports::{Published, Receipt, Record, Sink, SinkError};
use rdkafka::error::{KafkaError, RDKafkaErrorCode};
use rdkafka::message::{Header, OwnedHeaders};
use rdkafka::producer::{DeliveryFuture, FutureProducer, FutureRecord, Producer};

pub use self::config::KafkaConfig;
use self::quiet::Quiet;

/// The sink port on librdkafka. Connects when first used.
pub struct KafkaSink {
    config: KafkaConfig,
    quiet: Quiet,
    /// The producer in use, with its number; `None` before the first call and after a fatal
    /// state.
    producer: Mutex<Option<(u64, FutureProducer<Quiet>)>>,
}

impl KafkaSink {
    /// A sink; call [`KafkaConfig::self_check`] first.
    pub fn new(config: KafkaConfig) -> Self {
        Self { config, quiet: Quiet::default(), producer: Mutex::new(None) }
    }

    /// The producer in use, or a new one.
    fn producer(&self) -> Result<(u64, FutureProducer<Quiet>), KafkaError> {
        let mut slot = self.producer.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = slot.as_ref() {
            return Ok(found.clone());
        }
        let number = NUMBERS.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let made = (number, self.config.client().create_with_context(self.quiet.clone())?);
        Ok(slot.insert(made).clone())
    }

    /// Lets go of a producer in a fatal state, so that the next call makes a new one.
    fn discard(&self, number: u64) {
        let mut slot = self.producer.lock().unwrap_or_else(PoisonError::into_inner);
        if slot.as_ref().is_some_and(|(current, _)| *current == number) {
            *slot = None;
        }
    }
}

/// Numbers of producers of this process.
static NUMBERS: std::sync::atomic::AtomicU64 = std::sync::atomic::AtomicU64::new(0);

impl Sink for KafkaSink {
    async fn publish(&self, records: &[Record]) -> Vec<Published> {
        let (number, producer) = match self.producer() {
            Ok(producer) => producer,
            Err(error) => {
                let error = SinkError::Unavailable(format!("can't make a producer: {error}"));
                return vec![Err(error); records.len()];
            }
        };
        let mut answers = send(&producer, records).await;
        if records.len() > 1 {
            // The broker refuses whole batches: each refused record is asked about alone, so
            // that none is blamed for its neighbour.
            for (record, answer) in records.iter().zip(&mut answers) {
                if matches!(answer, Err(SinkError::Rejected(_))) {
                    *answer = send_one(&producer, record).await;
                }
            }
        }
        if answers.iter().any(Result::is_ok) {
            self.quiet.answered();
        }
        if let Some((code, reason)) = producer.client().fatal_error() {
            tracing::warn!(%code, reason, "Kafka producer in a fatal state: the next call makes a new one");
            self.discard(number);
        }
        answers
    }

    async fn reach(&self, target: Target) -> Result<(), String> {
        topics::reach(&self.config, target).await?;
        self.quiet.answered();
        Ok(())
    }

    async fn check(&self) -> Vec<String> {
        topics::findings(&self.config).await
    }

    fn topic(&self, target: Target) -> &str {
        match target {
            Target::Msg => &self.config.topic_msg,
            Target::Schd => &self.config.topic_schd,
        }
    }
}

/// Hands over all records, then waits for each one's answer.
async fn send(producer: &FutureProducer<Quiet>, records: &[Record]) -> Vec<Published> {
    let handed: Vec<_> = records.iter().map(|record| hand_over(producer, record)).collect();
    let mut answers = Vec::with_capacity(records.len());
    for handed in handed {
        answers.push(answer(handed).await);
    }
    answers
}

async fn send_one(producer: &FutureProducer<Quiet>, record: &Record) -> Published {
    answer(hand_over(producer, record)).await
}

/// Puts a record into the producer's queue; a full queue is an answer too, never a wait.
fn hand_over(producer: &FutureProducer<Quiet>, record: &Record) -> Result<DeliveryFuture, SinkError> {
    let headers = OwnedHeaders::new_with_capacity(record.headers.len());
    let headers = record
        .headers
        .iter()
        .fold(headers, |headers, (key, value)| headers.insert(Header { key, value: Some(value) }));
    let mut message = FutureRecord::<str, str>::to(&record.topic).key(&record.key).headers(headers);
    if let Some(value) = &record.value {
        message = message.payload(value);
    }
    producer.send_result(message).map_err(|(error, _)| refusal(&error))
}

async fn answer(handed: Result<DeliveryFuture, SinkError>) -> Published {
    match handed?.await {
        Ok(Ok(delivery)) => Ok(Receipt { partition: delivery.partition, offset: delivery.offset }),
        Ok(Err((error, _))) => Err(refusal(&error)),
        Err(_cancelled) => Err(SinkError::Unavailable("the producer was closed".to_owned())),
    }
}

/// Is an error the record's own fault? Only these count as attempts.
fn refusal(error: &KafkaError) -> SinkError {
    let own_fault = matches!(
        error.rdkafka_error_code(),
        Some(
            RDKafkaErrorCode::MessageSizeTooLarge
                | RDKafkaErrorCode::InvalidMessageSize
                | RDKafkaErrorCode::MessageBatchTooLarge
                | RDKafkaErrorCode::InvalidRecord
                | RDKafkaErrorCode::InvalidTimestamp
        )
    );
    if own_fault { SinkError::Rejected(error.to_string()) } else { SinkError::Unavailable(error.to_string()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_records_own_faults_are_rejections() {
        for (code, rejected) in [
            (RDKafkaErrorCode::MessageSizeTooLarge, true),
            (RDKafkaErrorCode::InvalidRecord, true),
            (RDKafkaErrorCode::MessageTimedOut, false),
            (RDKafkaErrorCode::UnknownTopicOrPartition, false),
            (RDKafkaErrorCode::TopicAuthorizationFailed, false),
            (RDKafkaErrorCode::QueueFull, false),
            (RDKafkaErrorCode::Fatal, false),
            (RDKafkaErrorCode::NotEnoughReplicas, false),
        ] {
            let error = refusal(&KafkaError::MessageProduction(code));
            assert_eq!(matches!(error, SinkError::Rejected(_)), rejected, "{code}");
        }
    }
}

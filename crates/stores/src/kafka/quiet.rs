//! What librdkafka says by itself. In one outage it complains once per connection and broker; here
//! that is one line when the cluster goes and one when it is first seen back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rdkafka::client::ClientContext;
use rdkafka::config::RDKafkaLogLevel;
use rdkafka::error::{KafkaError, RDKafkaErrorCode};

/// Keeps librdkafka's own lines for those who ask for them (`log.level=info,stores::kafka=debug`).
/// Clones share what is known of the cluster.
#[derive(Debug, Clone, Default)]
pub(super) struct Quiet {
    gone: Arc<AtomicBool>,
}

impl Quiet {
    /// The cluster has answered. Was that news?
    pub(super) fn answered(&self) -> bool {
        let news = self.gone.swap(false, Ordering::SeqCst);
        if news {
            tracing::info!("Kafka answers again");
        }
        news
    }

    /// No broker is left. Was that news?
    fn lost(&self, reason: &str) -> bool {
        let news = !self.gone.swap(true, Ordering::SeqCst);
        if news {
            tracing::warn!("Kafka can't be reached and is tried again: {reason}");
        }
        news
    }
}

impl ClientContext for Quiet {
    fn log(&self, level: RDKafkaLogLevel, facility: &str, message: &str) {
        tracing::debug!(?level, facility, "librdkafka: {message}");
    }

    fn error(&self, error: KafkaError, reason: &str) {
        tracing::debug!("librdkafka: {error}: {reason}");
        if error.rdkafka_error_code() == Some(RDKafkaErrorCode::AllBrokersDown) {
            self.lost(reason);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_outage_is_told_once_when_it_begins_and_once_when_it_ends() {
        let quiet = Quiet::default();
        assert!(!quiet.answered());
        let shared = quiet.clone();
        assert_eq!([quiet.lost("a"), shared.lost("b"), quiet.lost("c")], [true, false, false]);
        assert_eq!([shared.answered(), quiet.answered()], [true, false]);
        assert!(quiet.lost("again"));
    }
}

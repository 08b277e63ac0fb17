//! The stages of the floor that publish and confirm.

use std::sync::Arc;

use domain::MsgId;
use domain::event::{EventType, Target};
use engine::ports::{
    EventSettled, EventVerdict, Mailbox, OutboxEvent, Record, Sink, SinkError, Store, Views,
};
use tokio::sync::mpsc::UnboundedReceiver;

use super::{BULK, Bulks};

impl<M: Mailbox, S: Store + Views, K: Sink> Bulks<M, S, K> {
    /// Sends whatever is due, all at once: later versions of a flight don't wait for earlier ones.
    pub(super) async fn send(
        self: Arc<Self>,
        target: Target,
        mut ready: UnboundedReceiver<Arc<Vec<MsgId>>>,
    ) -> anyhow::Result<()> {
        while ready.recv().await.is_some() {
            loop {
                let events = self.stack.store.due_events(target, self.at, 2 * BULK).await?;
                if events.is_empty() {
                    break;
                }
                self.publish(target, &events).await?;
            }
        }
        Ok(())
    }

    async fn publish(&self, target: Target, events: &[OutboxEvent]) -> anyhow::Result<()> {
        let topic = self.stack.sink.topic(target).to_owned();
        let records: Vec<Record> = events.iter().map(|event| record(&topic, event)).collect();
        let mut settled = Vec::with_capacity(events.len());
        for (event, receipt) in events.iter().zip(self.stack.sink.publish(&records).await) {
            let receipt = match receipt {
                Ok(receipt) => receipt,
                // Still due: a topic that was just made has no leader for a moment.
                Err(SinkError::Unavailable(_)) => continue,
                Err(error @ SinkError::Rejected(_)) => return Err(error.into()),
            };
            let verdict = EventVerdict::Sent {
                topic: topic.clone(),
                partition: receipt.partition,
                offset: receipt.offset,
            };
            settled.push(EventSettled {
                event_id: event.event_id,
                state_version: event.state_version,
                verdict,
            });
        }
        self.stack.store.settle_events(self.epoch, &settled, self.at).await?;
        Ok(())
    }
}

fn record(topic: &str, event: &OutboxEvent) -> Record {
    let value = match event.event_type {
        EventType::Upsert => Some(event.payload.clone()),
        EventType::Delete => None,
    };
    let headers = vec![("msgx-state-version", event.state_version.to_string())];
    Record { topic: topic.to_owned(), key: event.flid.to_string(), value, headers }
}

//! Events to send.

use std::collections::BTreeSet;

use domain::Flid;
use domain::event::Target;
use engine::ports::{EventSettled, EventVerdict, OutboxEvent};
use jiff::Timestamp;

use super::tables::{Delivery, Tables};

impl Tables {
    pub(super) fn due_events(&self, target: Target, now: Timestamp, limit: usize) -> Vec<OutboxEvent> {
        let mut waiting = BTreeSet::new();
        let mut due_events = Vec::new();
        for (event_id, row) in self.events.iter().filter(|(_, row)| row.event.target == target) {
            let Delivery::Pending { due } = row.delivery else { continue };
            if due.is_some_and(|due| due > now) {
                waiting.insert(row.event.flid);
            } else if !waiting.contains(&row.event.flid) && due_events.len() < limit {
                due_events.push(OutboxEvent {
                    event_id: *event_id,
                    target,
                    flid: row.event.flid,
                    event_type: row.event.event_type,
                    state_version: row.event.state_version,
                    payload: row.event.payload.clone(),
                    msg_id: row.event.msg_id,
                    attempts: row.attempts,
                    created_at: row.created_at,
                    is_late: row.is_late,
                });
            }
        }
        due_events
    }

    pub(super) fn settle_events(&mut self, settled: &[EventSettled], at: Timestamp) -> u64 {
        let mut applied = 0;
        for settled in settled {
            let Some(row) = self.events.get_mut(&settled.event_id) else { continue };
            if !row.is_pending() || row.event.state_version != settled.state_version {
                continue;
            }
            applied += 1;
            match settled.verdict.clone() {
                EventVerdict::Sent { topic, partition, offset } => {
                    row.delivery = Delivery::Sent { topic, partition, offset, at };
                }
                EventVerdict::Failed { error, attempts, due } => {
                    (row.error, row.attempts) = (Some(error), attempts);
                    row.delivery = Delivery::Pending { due: Some(due) };
                }
                EventVerdict::Dead { error, attempts } => {
                    (row.error, row.attempts) = (Some(error), attempts);
                    row.delivery = Delivery::Dead;
                }
            }
        }
        applied
    }

    pub(super) fn receipts(&self, target: Target, flid: Flid) -> Vec<(String, i32, i64)> {
        let rows = self.events.values().filter(|row| row.event.target == target && row.event.flid == flid);
        rows.filter_map(|row| match &row.delivery {
            Delivery::Sent { topic, partition, offset, .. } => Some((topic.clone(), *partition, *offset)),
            Delivery::Pending { .. } | Delivery::Dead => None,
        })
        .collect()
    }
}

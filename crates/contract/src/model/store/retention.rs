//! What is forgotten by age.

use domain::{EventId, MsgId};
use jiff::Timestamp;

use super::pump::is_unfinished;
use super::tables::{Delivery, EventRow, Tables};

impl Tables {
    pub(super) fn forget_events(&mut self, before: Timestamp, limit: usize) -> u64 {
        let gone: [Vec<EventId>; 2] = [sent_at, discarded_at].map(|time| {
            let old = self.events.iter().filter_map(|(id, row)| Some((time(row)?, *id)));
            oldest(old, before, limit)
        });
        gone.iter().flatten().filter(|id| self.events.remove(id).is_some()).count() as u64
    }

    pub(super) fn forget_bodies(&mut self, before: Timestamp, limit: usize) -> u64 {
        let unfinished = |id: &MsgId| self.rows.get(id).is_some_and(|row| is_unfinished(row.state));
        let old = self.raw.iter().filter(|(id, _)| !unfinished(id)).map(|(id, (_, at))| (*at, *id));
        let gone = oldest(old, before, limit);
        gone.iter().filter(|id| self.raw.remove(id).is_some()).count() as u64
    }
}

fn sent_at(row: &EventRow) -> Option<Timestamp> {
    match row.delivery {
        Delivery::Sent { at, .. } => Some(at),
        Delivery::Pending { .. } | Delivery::Dead => None,
    }
}

fn discarded_at(row: &EventRow) -> Option<Timestamp> {
    match row.delivery {
        Delivery::Dead => row.discarded_at,
        Delivery::Pending { .. } | Delivery::Sent { .. } => None,
    }
}

fn oldest<K: Copy + Ord>(
    rows: impl Iterator<Item = (Timestamp, K)>,
    before: Timestamp,
    limit: usize,
) -> Vec<K> {
    let mut old: Vec<(Timestamp, K)> = rows.filter(|(at, _)| *at < before).collect();
    old.sort_unstable();
    old.truncate(limit);
    old.into_iter().map(|(_, key)| key).collect()
}

//! In which order a window of events is sent, and what each answer leads to.

use std::collections::{HashMap, HashSet};

use domain::Flid;
use domain::message::{ERROR_CHARS_MAX, text};
use jiff::Timestamp;

use crate::ports::{EventVerdict, OutboxEvent, Published, SinkError};
use crate::settings::DeliverySettings;

/// Events in waves: at most one per flight in each, a flight's events in their order.
pub(super) fn waves(events: Vec<OutboxEvent>) -> Vec<Vec<OutboxEvent>> {
    let mut waves: Vec<Vec<OutboxEvent>> = Vec::new();
    let mut next_wave: HashMap<Flid, usize> = HashMap::new();
    for event in events {
        let wave = next_wave.entry(event.flid).or_default();
        if *wave == waves.len() {
            waves.push(Vec::new());
        }
        waves[*wave].push(event);
        *wave += 1;
    }
    waves
}

/// What of a wave may be sent: nothing of a flight whose earlier event was not acknowledged.
pub(super) fn sendable(wave: Vec<OutboxEvent>, held: &HashSet<Flid>) -> Vec<OutboxEvent> {
    wave.into_iter().filter(|event| !held.contains(&event.flid)).collect()
}

/// What the sink's answer for one event leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Judgement {
    /// To be written.
    Settle(EventVerdict),
    /// The sink can't be used: nothing is counted, the event stays as it is.
    Wait(String),
}

/// Attempts count only for what the broker says of the record itself.
pub(super) fn judge(
    event: &OutboxEvent,
    topic: &str,
    answer: Published,
    now: Timestamp,
    settings: &DeliverySettings,
) -> Judgement {
    let attempts = event.attempts.saturating_add(1);
    Judgement::Settle(match answer {
        Ok(receipt) => EventVerdict::Sent {
            topic: topic.to_owned(),
            partition: receipt.partition,
            offset: receipt.offset,
        },
        Err(SinkError::Unavailable(words)) => return Judgement::Wait(words),
        Err(SinkError::Rejected(error)) if attempts >= settings.max_attempts => {
            EventVerdict::Dead { error: text(&error, ERROR_CHARS_MAX), attempts }
        }
        Err(SinkError::Rejected(error)) => {
            let due = now + settings.backoff.after(attempts);
            EventVerdict::Failed { error: text(&error, ERROR_CHARS_MAX), attempts, due }
        }
    })
}

/// Must later events of this flight wait? DEAD doesn't hold up its flight.
pub(super) fn holds(judgement: &Judgement) -> bool {
    match judgement {
        Judgement::Settle(EventVerdict::Sent { .. } | EventVerdict::Dead { .. }) => false,
        Judgement::Settle(EventVerdict::Failed { .. }) | Judgement::Wait(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use domain::event::{EventType, Target};
    use domain::{EventId, MsgId};

    use super::*;
    use crate::ports::Receipt;

    pub(super) fn event(event_id: i64, flid: i64) -> OutboxEvent {
        OutboxEvent {
            event_id: EventId(event_id),
            target: Target::Msg,
            flid: Flid(flid),
            event_type: EventType::Upsert,
            state_version: event_id,
            payload: "{}".to_owned(),
            msg_id: MsgId(event_id),
            attempts: 0,
            created_at: Timestamp::UNIX_EPOCH,
            is_late: false,
        }
    }

    fn ids(wave: &[OutboxEvent]) -> Vec<i64> {
        wave.iter().map(|event| event.event_id.0).collect()
    }

    #[test]
    fn clm_07_a_wave_has_one_event_per_flight_and_waves_keep_their_order() {
        let events = [(1, 7), (2, 8), (3, 7), (4, 9), (5, 7), (6, 8)];
        let waves = waves(events.into_iter().map(|(id, flid)| event(id, flid)).collect());
        assert_eq!(
            waves.iter().map(|wave| ids(wave)).collect::<Vec<_>>(),
            [vec![1, 2, 4], vec![3, 6], vec![5]]
        );
    }

    #[test]
    fn clm_07_a_flight_that_was_not_acknowledged_holds_up_itself_alone() {
        let wave = vec![event(3, 7), event(6, 8)];
        assert_eq!(ids(&sendable(wave, &HashSet::from([Flid(7)]))), [6]);
    }

    #[test]
    fn attempts_count_only_for_the_record_itself_and_the_last_one_is_dead() {
        let settings = DeliverySettings::default();
        let now = Timestamp::constant(100, 0);
        let judged = |attempts, answer| {
            judge(&OutboxEvent { attempts, ..event(1, 7) }, "topic", answer, now, &settings)
        };
        let rejected = || Err(SinkError::Rejected("too large".to_owned()));
        let error = "too large".to_owned();
        let sent = EventVerdict::Sent { topic: "topic".to_owned(), partition: 2, offset: 9 };
        assert_eq!(judged(0, Ok(Receipt { partition: 2, offset: 9 })), Judgement::Settle(sent));
        let due = now + Duration::from_secs(2);
        let failed = EventVerdict::Failed { error: error.clone(), attempts: 2, due };
        assert_eq!(judged(1, rejected()), Judgement::Settle(failed));
        assert_eq!(judged(4, rejected()), Judgement::Settle(EventVerdict::Dead { error, attempts: 5 }));
        let gone = Err(SinkError::Unavailable("gone".to_owned()));
        assert_eq!(judged(4, gone), Judgement::Wait("gone".to_owned()));
    }
}

//! Reads for people.

use std::collections::HashMap;

use domain::MsgId;
use domain::event::Target;
use domain::flight::Flight;
use domain::lifecycle::LateState;
use domain::mailbox::{GapVerdict, IdRange};
use domain::message::State;
use engine::ports::{FiveFacts, GapCount, HeadView, MessageView, OutboxCount, OutcomeCount, QueueView};

use super::pump::is_unfinished;
use super::tables::{Delivery, Row, Tables};

impl Tables {
    pub(super) fn five_facts(&self) -> FiveFacts {
        let sent = |target| {
            self.events.values().filter(|row| row.event.target == target && is_sent(&row.delivery)).count()
                as u64
        };
        let given_up = |id: &MsgId, past: &Row| {
            self.is_shadow(*id) && past.mark.abandoned_at.is_some() && past.mark.done_at.is_none()
        };
        let archived_abandoned =
            self.archive.iter().filter(|(id, (past, _))| given_up(id, past)).count() as u64;
        FiveFacts {
            enqueued: self.rows.len() as u64,
            processed: self.count(|row| !is_unfinished(row.state)),
            marked: self.count(|row| row.mark.done_at.is_some() || row.state == State::Archived)
                - archived_abandoned,
            abandoned: self.count(|row| row.mark.abandoned_at.is_some()) + archived_abandoned,
            delivered: Target::ALL.map(|target| (target, sent(target))).to_vec(),
        }
    }

    fn count(&self, what: impl Fn(&Row) -> bool) -> u64 {
        self.rows.values().filter(|row| what(row)).count() as u64
    }

    pub(super) fn outcomes(&self) -> Vec<OutcomeCount> {
        let mut counts: HashMap<_, u64> = HashMap::new();
        let archived = self.archive.values().map(|(past, _)| past);
        for row in self.rows.values().filter(|row| row.state.is_terminal()).chain(archived) {
            let labels = (row.labels.kind.clone(), row.labels.subtype.clone());
            *counts.entry((labels, row.state, row.class)).or_default() += 1;
        }
        let mut outcomes: Vec<_> = counts
            .into_iter()
            .map(|(((kind, subtype), state, class), count)| OutcomeCount {
                kind,
                subtype,
                state,
                class,
                count,
            })
            .collect();
        outcomes.sort_by_key(|outcome| std::cmp::Reverse(outcome.count));
        outcomes
    }

    pub(super) fn queue(&self) -> QueueView {
        let head = self
            .watermark
            .and_then(|watermark| self.rows.range(..=watermark).find(|(_, row)| is_unfinished(row.state)));
        let unmarked = || self.rows.values().filter(|row| row.owes_a_mark());
        QueueView {
            watermark: self.watermark,
            head: head.map(|(msg_id, row)| HeadView {
                msg_id: *msg_id,
                state: row.state,
                attempts: row.attempts,
                due: row.due,
                class: row.class,
                error: row.last_error.clone(),
                enqueued_at: row.enqueued_at,
            }),
            pending: self.count(|row| row.state == State::Pending),
            failed: self.count(|row| row.state == State::Failed),
            dead: self.count(|row| row.state == State::Dead),
            unmarked: unmarked().count() as u64,
            oldest_unmarked: unmarked().map(|row| row.updated_at).min(),
        }
    }

    pub(super) fn gaps(&self) -> GapCount {
        let released = self.closed.iter().filter(|gap| match gap.verdict {
            GapVerdict::ReleasedByAge | GapVerdict::ReleasedByTransactions => true,
            GapVerdict::BeforeStart | GapVerdict::MissingAtStart => false,
        });
        GapCount {
            open: self.open.len() as u64,
            open_ids: self.open.iter().map(|gap| length(gap.range)).sum(),
            oldest: self.open.iter().map(|gap| gap.first_seen).min(),
            released_ids: released.map(|gap| length(gap.range)).sum(),
            late: self.late.values().filter(|(_, state)| *state == LateState::Found).count() as u64,
        }
    }

    pub(super) fn outbox(&self) -> Vec<OutboxCount> {
        Target::ALL
            .map(|target| {
                let rows = || self.events.values().filter(move |row| row.event.target == target);
                OutboxCount {
                    target,
                    pending: rows().filter(|row| row.is_pending()).count() as u64,
                    dead: rows()
                        .filter(|row| row.delivery == Delivery::Dead && row.discarded_at.is_none())
                        .count() as u64,
                    oldest: rows().filter(|row| row.is_pending()).map(|row| row.created_at).min(),
                }
            })
            .to_vec()
    }

    pub(super) fn board(&self, limit: usize) -> Vec<Flight> {
        let mut flights: Vec<&Flight> = self.flights.values().map(|current| &current.flight).collect();
        flights.sort_by_key(|flight| std::cmp::Reverse(flight.last_by));
        flights.truncate(limit);
        flights.sort_by_key(|flight| (flight.operation_day.is_none(), flight.operation_day, flight.flid));
        flights.into_iter().cloned().collect()
    }

    pub(super) fn message(&self, msg_id: MsgId) -> Option<MessageView> {
        let live = self.rows.get(&msg_id).filter(|row| row.state != State::Archived);
        let archived = || self.archive.get(&msg_id).map(|(past, _)| past);
        let row = live.or_else(archived).or_else(|| self.rows.get(&msg_id))?;
        Some(MessageView {
            msg_id,
            state: row.state,
            labels: row.labels.clone(),
            attempts: row.attempts,
            class: row.class,
            last_error: row.last_error.clone(),
            received_at: row.received_at,
            enqueued_at: row.enqueued_at,
            updated_at: row.updated_at,
            marked_at: row.mark.done_at,
            abandoned_reason: row.mark.abandoned_reason.map(Into::into),
        })
    }
}

fn is_sent(delivery: &Delivery) -> bool {
    matches!(delivery, Delivery::Sent { .. })
}

fn length(range: IdRange) -> u64 {
    range.last.0.abs_diff(range.first.0) + 1
}

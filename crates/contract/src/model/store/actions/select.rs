//! What a selection means.

use domain::lifecycle::{
    Abandonment, Act, BodyFacts, EventFacts, EventState, Facts, MarkFacts, MessageFacts, Target,
};
use domain::message::{Candidate, StoredBody};
use domain::{EventId, MsgId};
use engine::ports::{Filter, Selected, Selection};

use super::super::tables::{Delivery, EventRow, Row, Tables};
use super::matching::{event_matches, in_range, in_time, message_matches};

impl Tables {
    pub(in super::super) fn select(
        &self,
        act: Act,
        selection: &Selection,
        after: i64,
        limit: usize,
    ) -> Vec<Selected> {
        let ids: Vec<i64> = match selection {
            Selection::Ids(ids) => {
                let mut ids = ids.clone();
                ids.sort_unstable();
                ids.dedup();
                ids
            }
            Selection::Filter(filter) => self.matching(act, filter),
        };
        let ids = ids.into_iter().filter(|id| *id > after).take(limit);
        ids.map(|id| self.selected(act, id)).collect()
    }

    fn matching(&self, act: Act, filter: &Filter) -> Vec<i64> {
        match act.target() {
            Target::Message => {
                let ids = self.rows.keys().map(|id| id.0);
                ids.filter(|id| {
                    self.message_of(act, *id).is_some_and(|row| message_matches(act, filter, *id, row))
                })
                .collect()
            }
            Target::LateRow => {
                let rows = self.late.iter().filter(|(id, (found, state))| {
                    *state == domain::lifecycle::LateState::Found
                        && in_range(filter, id.0)
                        && in_time(filter, *found)
                });
                rows.map(|(id, _)| id.0).collect()
            }
            Target::Event => {
                let rows = self.events.iter().filter(|(id, row)| event_matches(filter, id.0, row));
                rows.map(|(id, _)| id.0).collect()
            }
            Target::Room => Vec::new(),
        }
    }

    fn selected(&self, act: Act, id: i64) -> Selected {
        let facts = self.facts(act, id);
        let missing = Selected { facts, ..Selected::missing(id) };
        let row = self.message_of(act, id).filter(|_| act.target() == Target::Message);
        let event = self.events.get(&EventId(id)).filter(|_| act.target() == Target::Event);
        match (row, event) {
            (Some(row), _) => Selected {
                kind: row.labels.kind.clone(),
                subtype: row.labels.subtype.clone(),
                error: row.last_error.clone(),
                ..missing
            },
            (None, Some(row)) => Selected {
                kind: Some(row.event.target.as_str().to_owned()),
                subtype: Some(row.event.flid.to_string()),
                error: row.error.clone(),
                ..missing
            },
            (None, None) => missing,
        }
    }

    /// A message as an act meets it: a replay finds dead letters in the archive too.
    fn message_of(&self, act: Act, id: i64) -> Option<&Row> {
        let archived =
            (act == Act::Replay && self.archived_dead(MsgId(id))).then(|| self.archive.get(&MsgId(id)));
        archived.flatten().map(|(row, _)| row).or_else(|| self.rows.get(&MsgId(id)))
    }

    pub(super) fn facts(&self, act: Act, id: i64) -> Facts {
        let found = match act.target() {
            Target::Message => {
                self.message_of(act, id).map(|row| Facts::Message(self.message_facts(MsgId(id), row)))
            }
            Target::LateRow => self.late.get(&MsgId(id)).map(|(_, state)| Facts::Late(*state)),
            Target::Event => self
                .events
                .get(&EventId(id))
                .map(|row| Facts::Event(EventFacts { state: event_state(row), attempts: row.attempts })),
            Target::Room => None,
        };
        found.unwrap_or(Facts::Missing)
    }

    fn message_facts(&self, id: MsgId, row: &Row) -> MessageFacts {
        let mark = match (row.mark.done_at, row.mark.abandoned_at) {
            (Some(_), _) => MarkFacts::Done,
            (None, Some(_)) if row.mark.reconciled_at.is_some() => MarkFacts::Reconciled,
            (None, Some(at)) => {
                let reason = row.mark.abandoned_reason.unwrap_or_default().to_owned();
                MarkFacts::Abandoned(Abandonment { reason, at })
            }
            (None, None) => MarkFacts::Open,
        };
        let body = if self.raw.contains_key(&id) { BodyFacts::Kept } else { BodyFacts::Forgotten };
        MessageFacts { state: row.state, class: row.class, attempts: row.attempts, mark, body }
    }

    pub(in super::super) fn bodies(&self, ids: &[MsgId]) -> Vec<Candidate> {
        let rows =
            ids.iter().filter_map(|id| Some((id, self.message_of(Act::Replay, id.0)?, self.raw.get(id)?)));
        let candidates = rows.map(|(id, row, (body, _))| Candidate {
            msg_id: *id,
            state: row.state,
            attempts: row.attempts,
            due: row.due,
            enqueued_at: row.enqueued_at,
            body: StoredBody::clone(body),
        });
        let mut candidates: Vec<Candidate> = candidates.collect();
        candidates.sort_by_key(|candidate| candidate.msg_id);
        candidates
    }
}

pub(super) fn event_state(row: &EventRow) -> EventState {
    match &row.delivery {
        Delivery::Pending { .. } => EventState::Pending,
        Delivery::Sent { .. } => EventState::Sent,
        Delivery::Dead if row.discarded_at.is_some() => EventState::Discarded,
        Delivery::Dead => EventState::Dead,
    }
}

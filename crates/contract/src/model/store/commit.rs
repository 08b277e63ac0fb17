//! A run's effects, written in one step (INV-8, INV-17).

use domain::decide::Effects;
use domain::event::{NewEvent, Target};
use domain::flight::Flight;
use domain::message::{Conclusion, Settled, State};
use domain::{EventId, MsgId};
use engine::ports::{AttemptLog, StoreError};
use jiff::Timestamp;

use super::pump::is_unfinished;
use super::tables::{Current, EventRow, Row, Tables};

impl Tables {
    pub(super) fn commit_run(&mut self, effects: &Effects, at: Timestamp) -> Result<(), StoreError> {
        for settled in &effects.settled {
            self.settle(settled, at)?;
        }
        for flight in &effects.new_flights {
            self.add_flight(flight, at)?;
        }
        for flight in &effects.flights {
            self.update_flight(flight, at)?;
        }
        self.write_changes(&effects.changes, at);
        self.count_kinds(&effects.settled, at);
        for event in &effects.events {
            self.write_event(event, at);
        }
        Ok(())
    }

    fn settle(&mut self, settled: &Settled, at: Timestamp) -> Result<(), StoreError> {
        check_text(settled)?;
        if let Some(dead) = settled.yields {
            self.give_up_key(dead)?;
        }
        let holder = self.rows.iter().find(|(id, row)| {
            **id != settled.msg_id && settled.identity.is_some() && row.identity == settled.identity
        });
        if let Some((holder, _)) = holder {
            return Err(StoreError::Data(format!("uk_proc_identity: held by {holder}")));
        }
        let row = self.rows.get_mut(&settled.msg_id);
        let as_read = |row: &&mut Row| is_unfinished(row.state) && row.attempts == settled.attempts_seen;
        let Some(row) = row.filter(as_read) else {
            return Err(StoreError::Conflict(format!("message {} is not as it was read", settled.msg_id)));
        };
        let (class, error, due) = match settled.conclusion.clone() {
            Conclusion::Succeeded => (None, None, None),
            Conclusion::Skipped { reason } => (None, Some(reason), None),
            Conclusion::Dead { class, error } => (Some(class), Some(error), None),
            Conclusion::Failed { class, error, due } => (Some(class), Some(error), Some(due)),
        };
        (row.class, row.last_error, row.due) = (class, error, due);
        row.state = settled.conclusion.state();
        row.attempts = settled.attempts;
        row.labels = settled.labels.clone();
        row.identity.clone_from(&settled.identity);
        row.content_hash = settled.content_hash;
        row.updated_at = at;
        if row.state.is_terminal() && row.mark.due.is_none() {
            row.mark.due = Some(at);
        }
        if let Some((class, error)) = settled.attempt_failure.clone() {
            let log = AttemptLog { attempt: settled.attempts, at, class, error };
            self.attempts.entry(settled.msg_id).or_default().push(log);
        }
        Ok(())
    }

    fn add_flight(&mut self, flight: &Flight, at: Timestamp) -> Result<(), StoreError> {
        let current = Current { flight: flight.clone(), updated_at: at };
        match self.flights.insert(flight.flid, current) {
            None => Ok(()),
            Some(_) => Err(StoreError::Conflict(format!("flight {} is there already", flight.flid))),
        }
    }

    fn update_flight(&mut self, flight: &Flight, at: Timestamp) -> Result<(), StoreError> {
        let stored = self.flights.get_mut(&flight.flid).filter(|stored| {
            let stored = &stored.flight;
            stored.state_version <= flight.state_version && stored.incarnation <= flight.incarnation
        });
        let Some(stored) = stored else {
            return Err(StoreError::Conflict(format!(
                "flight {} is gone, or newer than the run",
                flight.flid
            )));
        };
        *stored = Current { flight: flight.clone(), updated_at: at };
        Ok(())
    }

    fn give_up_key(&mut self, dead: MsgId) -> Result<(), StoreError> {
        let archived_dead = self.archived_dead(dead);
        match self.rows.get_mut(&dead) {
            Some(row) if row.state == State::Dead || archived_dead => {
                row.identity = None;
                Ok(())
            }
            Some(_) | None => Err(StoreError::Conflict(format!("message {dead} is not DEAD any more"))),
        }
    }

    pub(super) fn write_event(&mut self, event: &NewEvent, at: Timestamp) {
        let row = EventRow::new(event, at);
        let same = |old: &&mut EventRow| old.event.target == Target::Schd && old.event.flid == event.flid;
        let replaced = match event.target {
            Target::Schd => self.events.values_mut().find(same),
            Target::Msg => None,
        };
        match replaced {
            Some(old) if old.event.state_version < event.state_version => *old = row,
            Some(_) => {}
            None => {
                self.events_numbered += 1;
                self.events.insert(EventId(self.events_numbered), row);
            }
        }
    }
}

/// What PostgreSQL would refuse: NUL, and texts longer than their column.
fn check_text(settled: &Settled) -> Result<(), StoreError> {
    let error = match &settled.conclusion {
        Conclusion::Succeeded => None,
        Conclusion::Skipped { reason } => Some(reason),
        Conclusion::Dead { error, .. } | Conclusion::Failed { error, .. } => Some(error),
    };
    let labels = &settled.labels;
    let columns = [
        ("last_error", error, 1_000),
        ("identity_key", settled.identity.as_ref().map(|key| &key.0), 200),
        ("msg_type", labels.kind.as_ref(), 16),
        ("msg_styp", labels.subtype.as_ref(), 32),
        ("sender", labels.sender.as_ref(), 32),
        ("seqn", labels.seqn.as_ref(), 32),
        ("dttm", labels.dttm.as_ref(), 32),
    ];
    for (column, text, longest) in columns {
        if text.is_some_and(|text| text.contains('\0') || text.chars().count() > longest) {
            return Err(StoreError::Data(format!("proc_state.{column}: too long, or has NUL")));
        }
    }
    Ok(())
}

//! What a schedule, an operational message and a deletion do to one flight: lives, floor,
//! operation day.

use std::collections::BTreeMap;

use jiff::civil::Date;

use super::update::Update;
use super::{Flight, Life};
use crate::{Flid, MsgId};

/// A SODT on another day than the flight's (INV-12).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "flight {flid} belongs to operation day {kept}, but SODT says {sent}: nothing of the message was applied; ask the sender which day is right (to accept such changes without moving the day, set flight.day-conflict = keep-day)"
)]
pub(crate) struct DayConflict {
    flid: Flid,
    kept: Date,
    sent: Date,
}

/// What a SODT of another day means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OnDayConflict {
    /// The message is refused whole (INV-19).
    Refuse,
    /// The new SODT is taken, the operation day stays.
    KeepDay,
}

impl Flight {
    /// A flight nothing is known of yet.
    pub(crate) fn unknown(flid: Flid, life: Life) -> Self {
        Self {
            flid,
            life,
            state_version: 0,
            incarnation: 1,
            floor: MsgId(0),
            schedule_by: MsgId(0),
            last_by: MsgId(0),
            operation_day: None,
            fields: BTreeMap::new(),
        }
    }

    /// A schedule's record: brings the flight to life, or back to life after an older FDEL; has
    /// no effect at or below the floor.
    pub(crate) fn scheduled(
        mut self,
        update: Update,
        by: MsgId,
        on_conflict: OnDayConflict,
    ) -> Result<Self, DayConflict> {
        if by <= self.floor {
            return Ok(self);
        }
        match self.life {
            Life::Active => {}
            Life::Partial => self.life = Life::Active,
            Life::Deleted => self = self.revived(by),
        }
        self.schedule_by = self.schedule_by.max(by);
        self.updated(update, by, on_conflict)
    }

    /// An operational record for a flight that is not deleted.
    pub(crate) fn operated(
        self,
        update: Update,
        by: MsgId,
        on_conflict: OnDayConflict,
    ) -> Result<Self, DayConflict> {
        if by <= self.floor { Ok(self) } else { self.updated(update, by, on_conflict) }
    }

    /// Would an FDEL have an effect? Not one older than the newest SCHD, nor a repeated one.
    pub(crate) fn can_be_deleted(&self, by: MsgId) -> bool {
        match self.life {
            Life::Partial | Life::Active => by > self.floor && by > self.schedule_by,
            Life::Deleted => false,
        }
    }

    /// An FDEL. The fields stay for people to look at; a later schedule empties them. On a
    /// deleted flight only the floor moves, so that no older schedule brings it back.
    pub(crate) fn deleted(mut self, by: MsgId) -> Self {
        let again = self.life == Life::Deleted && by > self.floor;
        if again || self.can_be_deleted(by) {
            self.life = Life::Deleted;
            self.floor = by;
            self.last_by = self.last_by.max(by);
        }
        self
    }

    /// A deletion of what isn't there: a row without version that only remembers the floor, so
    /// that an older schedule replayed later can't bring the flight back.
    pub(crate) fn never_seen(flid: Flid, deleted_by: MsgId) -> Self {
        Self { incarnation: 0, ..Self::unknown(flid, Life::Deleted) }.deleted(deleted_by)
    }

    fn revived(self, by: MsgId) -> Self {
        Self {
            life: Life::Active,
            incarnation: self.incarnation + 1,
            floor: by,
            operation_day: None,
            fields: BTreeMap::new(),
            ..self
        }
    }

    fn updated(mut self, update: Update, by: MsgId, on_conflict: OnDayConflict) -> Result<Self, DayConflict> {
        let kept = self.operation_day.or(update.day);
        let other = [update.day, update.other_day].into_iter().flatten().find(|sent| Some(*sent) != kept);
        if let (Some(kept), Some(sent), OnDayConflict::Refuse) = (kept, other, on_conflict) {
            return Err(DayConflict { flid: self.flid, kept, sent });
        }
        self.operation_day = kept;
        self.last_by = self.last_by.max(by);
        self.merge(update, by);
        Ok(self)
    }
}

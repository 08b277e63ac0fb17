//! When a flight is history (INV-18), and what is still known of one that is.

use std::time::Duration;

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::TimeZone;

use super::{Flight, Life};
use crate::event::{EventType, NewEvent, Target};
use crate::{Flid, MsgId};

/// What a sweep takes: flights of an operation day before `day`, and flights without one of which
/// no message has spoken since `silent_since`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryDue {
    /// First operation day that stays.
    pub day: Date,
    /// Store time.
    pub silent_since: Timestamp,
}

impl HistoryDue {
    /// What is due at `at`, `flight.history-after` being `after`: an operation day is over at its
    /// midnight in `zone`, and history when `after` has passed since.
    pub fn at(at: Timestamp, after: Duration, zone: &TimeZone) -> Self {
        let silent_since = at.checked_sub(after).unwrap_or(Timestamp::MIN);
        Self { day: zone.to_datetime(silent_since).date(), silent_since }
    }
}

/// A current flight that is to become history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueFlight {
    /// Key.
    pub flid: Flid,
    /// Its life until now.
    pub life: Life,
    /// Its version until now.
    pub state_version: i64,
    /// The newest message that had spoken of it.
    pub last_by: MsgId,
}

impl DueFlight {
    /// The tombstone, with the version after its last; `None` where consumers never saw the flight
    /// or know of its end already.
    pub fn tombstone(&self) -> Option<NewEvent> {
        (self.life == Life::Active).then(|| NewEvent {
            target: Target::Schd,
            flid: self.flid,
            event_type: EventType::Delete,
            state_version: self.state_version + 1,
            payload: "null".to_owned(),
            msg_id: self.last_by,
        })
    }
}

/// The newest life of a flight in history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PastFlight {
    /// Key.
    pub flid: Flid,
    /// Its last version, that of its tombstone.
    pub state_version: i64,
    /// Its last life.
    pub incarnation: i32,
    /// The newest message that had spoken of it.
    pub last_by: MsgId,
}

impl PastFlight {
    /// The flight for a schedule to revive; `None` if the schedule belongs to the past itself: it
    /// is no newer than what the flight knew, or its day is history already.
    pub(crate) fn for_revival(&self, by: MsgId, day: Option<Date>, due: &HistoryDue) -> Option<Flight> {
        let is_present = day.is_some_and(|day| day >= due.day);
        (by > self.last_by && is_present).then(|| Flight {
            state_version: self.state_version,
            incarnation: self.incarnation,
            floor: self.last_by,
            last_by: self.last_by,
            ..Flight::unknown(self.flid, Life::Deleted)
        })
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;
    use jiff::tz::Offset;

    use super::*;

    #[test]
    fn inv_18_a_day_is_history_when_the_time_has_passed_since_its_midnight() {
        let zone = TimeZone::fixed(Offset::constant(8));
        let three_days = Duration::from_secs(3 * 86_400);
        // 2026-04-10T23:59:59+08:00, and a second later.
        for (at, day) in
            [("2026-04-10T15:59:59Z", date(2026, 4, 7)), ("2026-04-10T16:00:00Z", date(2026, 4, 8))]
        {
            let at: Timestamp = at.parse().expect("a time");
            let due = HistoryDue::at(at, three_days, &zone);
            assert_eq!((due.day, due.silent_since), (day, at - three_days));
        }
    }
}

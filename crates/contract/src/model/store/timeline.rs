//! Timelines, kinds of messages, and flights by day, past and kin.

use std::cmp::Reverse;

use domain::Flid;
use domain::flight::{Flight, FlightChange};
use domain::message::Settled;
use engine::ports::{ChangeView, KindCount, PastView};
use jiff::Timestamp;
use jiff::civil::Date;

use super::tables::Tables;

impl Tables {
    pub(super) fn write_changes(&mut self, changes: &[FlightChange], at: Timestamp) {
        for change in changes {
            self.changes.insert((change.flid, change.state_version), (change.clone(), at));
        }
    }

    pub(super) fn count_kinds(&mut self, settled: &[Settled], at: Timestamp) {
        for kind in KindCount::of_run(settled, at) {
            self.kinds.entry(kind.key()).and_modify(|known| known.add(&kind)).or_insert(kind);
        }
    }

    pub(super) fn message_kinds(&self) -> Vec<KindCount> {
        let mut kinds: Vec<KindCount> = self.kinds.values().cloned().collect();
        kinds.sort_by_key(|kind| Reverse(kind.count));
        kinds.truncate(KindCount::SHOWN_MAX);
        kinds
    }

    pub(super) fn flight_changes(&self, flid: Flid, limit: usize) -> Vec<ChangeView> {
        let all = self.changes.range((flid, i64::MIN)..=(flid, i64::MAX));
        let mut changes: Vec<ChangeView> = all
            .rev()
            .take(limit)
            .map(|(_, (change, at))| ChangeView { change: change.clone(), at: *at })
            .collect();
        changes.reverse();
        changes
    }

    pub(super) fn past_flights(&self, flid: Flid) -> Vec<PastView> {
        let lives = self.past.range((flid, i32::MIN)..=(flid, i32::MAX));
        lives.rev().map(|(_, (flight, at))| past_view(flight, *at)).collect()
    }

    pub(super) fn past_flights_of(&self, day: Date, limit: usize) -> Vec<PastView> {
        let of_day = self.past.values().filter(|(flight, _)| flight.operation_day == Some(day));
        of_day.take(limit).map(|(flight, at)| past_view(flight, *at)).collect()
    }

    pub(super) fn flights_of(&self, day: Date, limit: usize) -> Vec<Flight> {
        let of_day = self.flights.values().filter(|current| current.flight.operation_day == Some(day));
        of_day.take(limit).map(|current| current.flight.clone()).collect()
    }

    pub(super) fn relatives(&self, flid: Flid) -> Vec<Flight> {
        let own = self.current(flid);
        let named = [own.and_then(Flight::main_flid), own.and_then(Flight::turn_flid)];
        let is_kin = |flight: &&Flight| {
            flight.flid != flid
                && (named.contains(&Some(flight.flid))
                    || [flight.main_flid(), flight.turn_flid()].contains(&Some(flid)))
        };
        self.flights.values().map(|current| &current.flight).filter(is_kin).cloned().collect()
    }
}

fn past_view(flight: &Flight, swept_at: Timestamp) -> PastView {
    PastView { flight: flight.clone(), swept_at }
}

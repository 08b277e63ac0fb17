//! The programme of one day: all its flights, and all that will be told about them.

use jiff::civil::{Date, DateTime};

use crate::{
    dice::Dice,
    event::{Event, What},
    flight::Flight,
    reference, story,
    times::{shift, shift_seconds},
    timetable::{Flids, Planner, Turnaround, visits, whole_visit},
};

/// Flights in one message of the download.
const RECORDS_MAX: usize = 50;

/// A planned day. Its events come in no order.
#[derive(Debug)]
pub(crate) struct Programme {
    pub(crate) flights: Vec<Flight>,
    pub(crate) events: Vec<Event>,
}

/// When a day's messages begin: on the evening before.
pub(crate) fn opening(day: Date) -> DateTime {
    shift(day.at(0, 0, 0, 0), -150)
}

/// Plans a day with so many operating flights.
pub(crate) fn programme(day: Date, flights: u32, flids: &mut Flids, dice: &mut Dice) -> Programme {
    let mut planner = Planner::new(flids);
    let regular: Vec<Turnaround> =
        visits(day, flights, dice).iter().map(|visit| planner.plan(visit, "J", dice)).collect();
    let mut programme = Programme { flights: Vec::new(), events: Vec::new() };
    for turnaround in &regular {
        programme.take_in(turnaround, dice);
    }
    programme.flights.sort_by_key(|flight| (flight.scheduled, flight.flid));
    programme.download(day);
    programme.answers(day, dice);
    for number in 0..flights.div_ceil(60) {
        programme.extra(day, number, &mut planner, dice);
    }
    for _ in 0..6 {
        let at = shift(day.at(0, 0, 30, 0), dice.between(60, 1380));
        programme.events.push(Event { at, label: "reference data", what: reference::change(dice) });
    }
    programme.events.retain(|event| event.at >= opening(day));
    programme
}

impl Programme {
    fn take_in(&mut self, turnaround: &Turnaround, dice: &mut Dice) {
        for leg in turnaround.legs() {
            self.flights.push(leg.flight.clone());
            self.flights.extend(leg.shares.iter().cloned());
        }
        self.events.extend(story::tell(turnaround, dice));
    }

    /// Reference lists first, then all flights in a few messages.
    fn download(&mut self, day: Date) {
        let mut at = opening(day);
        for what in reference::evening() {
            self.events.push(Event { at, label: "reference list", what });
            at = shift_seconds(at, 7);
        }
        for part in self.flights.chunks(RECORDS_MAX) {
            let flights = part.iter().map(|flight| flight.flid).collect();
            let what = What::Schedule { subtype: "DNLD", flights };
            self.events.push(Event { at, label: "schedule", what });
            at = shift_seconds(at, 4);
        }
    }

    /// Answers to somebody's requests for a part of the schedule.
    fn answers(&mut self, day: Date, dice: &mut Dice) {
        for _ in 0..4 {
            let at = shift(day.at(0, 0, 45, 0), dice.between(240, 1380));
            let asked = dice.between(3, 8) as usize;
            let first = dice.below(self.flights.len() as u32) as usize;
            let flights = self.flights.iter().skip(first).take(asked).map(|flight| flight.flid).collect();
            let what = What::Schedule { subtype: "RESP", flights };
            self.events.push(Event { at, label: "schedule on request", what });
        }
    }

    /// A charter that nobody knew of in the evening.
    fn extra(&mut self, day: Date, number: u32, planner: &mut Planner<'_>, dice: &mut Dice) {
        let turnaround = planner.plan(&whole_visit(day, dice), "C", dice);
        let first = turnaround.legs().map(|leg| leg.flight.scheduled).min().unwrap_or_default();
        let at = shift_seconds(shift(first, -dice.between(260, 420)), (number % 60) as i32);
        let legs = turnaround.legs().flat_map(|leg| [&leg.flight].into_iter().chain(&leg.shares));
        let flights = legs.map(|flight| flight.flid).collect();
        let what = What::Schedule { subtype: "ADFT", flights };
        self.events.push(Event { at: at.max(opening(day)), label: "extra flight", what });
        self.take_in(&turnaround, dice);
    }
}

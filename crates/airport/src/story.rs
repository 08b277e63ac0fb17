//! What happens to each turnaround, and when its aircraft really comes and goes.

use jiff::civil::DateTime;

use crate::{
    arrival, departure,
    dice::Dice,
    event::{Event, Script, What},
    flight::Movement,
    places::other_stand,
    times::{minutes_between, shift, shift_seconds},
    timetable::{Leg, Turnaround},
    turn::Turn,
    xml::text,
};

/// The truth, which the messages tell piece by piece.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Course {
    /// On blocks for an arrival, off blocks for a departure.
    pub(crate) blocks: DateTime,
    /// Landing or take-off.
    pub(crate) runway: DateTime,
    /// Late because the aircraft came late.
    pub(crate) reactionary: bool,
}

/// All that is told about one turnaround after its schedule.
pub(crate) fn tell(turnaround: &Turnaround, dice: &mut Dice) -> Vec<Event> {
    let turn = Turn::draw(dice);
    let mut moved = turnaround.clone();
    let together = move_stand(&mut moved, dice);
    let turnaround = &moved;
    let inbound = turnaround.arrival.as_ref().map(|leg| arrives(leg, dice));
    let outbound = turnaround.departure.as_ref().map(|leg| departs(leg, inbound, turn, dice));
    let mut story = Story {
        arrival: turnaround
            .arrival
            .as_ref()
            .zip(inbound)
            .map(|(leg, course)| arrival::script(leg, course, dice)),
        departure: turnaround
            .departure
            .as_ref()
            .zip(outbound)
            .map(|(leg, course)| departure::script(leg, course, dice)),
        together,
    };
    story.turn(turn, turnaround, [inbound, outbound], dice);
    story.events(dice)
}

/// Sometimes the aircraft gets another stand: one message for both legs' plans, one for where
/// they stand now.
fn move_stand(turnaround: &mut Turnaround, dice: &mut Dice) -> Vec<Event> {
    if !dice.chance(0.2) {
        return Vec::new();
    }
    let at = shift(first_scheduled(turnaround), -dice.between(30, 95));
    let mut plans = Vec::new();
    let mut stands = Vec::new();
    let mut stand = None;
    for leg in turnaround.arrival.iter_mut().chain(&mut turnaround.departure) {
        let places = &mut leg.flight.places;
        places.stand = stand.get_or_insert_with(|| other_stand(&places.stand, dice)).clone();
        stands.push((leg.flight.flid, vec![text("STND", &leg.flight.places.stand)]));
        plans.push((leg.flight.flid, vec![leg.flight.stand_plan()]));
    }
    vec![
        Event { at, label: "stand change", what: What::Change { subtype: "PSDT", records: plans } },
        Event { at: shift(at, 1), label: "stand", what: What::Change { subtype: "STND", records: stands } },
    ]
}

fn arrives(leg: &Leg, dice: &mut Dice) -> Course {
    let late = match dice.below(100) {
        0..58 => dice.between(-14, 6),
        58..86 => dice.between(5, 28),
        86..97 => dice.between(28, 85),
        _ => dice.between(85, 200),
    };
    let runway = shift(leg.flight.scheduled, late);
    Course { blocks: shift(runway, dice.between(5, 11)), runway, reactionary: false }
}

fn departs(leg: &Leg, inbound: Option<Course>, turn: Turn, dice: &mut Dice) -> Course {
    let late = match dice.below(100) {
        0..72 => dice.between(-4, 5),
        72..91 => dice.between(5, 30),
        91..98 => dice.between(30, 90),
        _ => dice.between(90, 190),
    };
    let own = shift(leg.flight.scheduled, late);
    let ready = inbound.map_or(own, |course| shift(course.blocks, leg.flight.aircraft.turnaround));
    let blocks = own.max(ready);
    let taxi = dice.between(9, 19) + if turn == Turn::BackToStand { 65 } else { 0 };
    Course { blocks, runway: shift(blocks, taxi), reactionary: ready > own }
}

/// The events of one turnaround while they are put together.
pub(crate) struct Story {
    pub(crate) arrival: Option<Script>,
    pub(crate) departure: Option<Script>,
    /// Messages that tell of both legs at once.
    pub(crate) together: Vec<Event>,
}

impl Story {
    /// In no order of time yet; a whole turnaround is told some seconds past the minute.
    fn events(self, dice: &mut Dice) -> Vec<Event> {
        let lag = dice.between(0, 39);
        let legs = self.arrival.into_iter().chain(self.departure).flat_map(|script| script.events);
        let told = legs.chain(self.together);
        told.map(|event| Event { at: shift_seconds(event.at, lag), ..event }).collect()
    }

    pub(crate) fn scripts(&mut self) -> impl Iterator<Item = &mut Script> {
        self.arrival.iter_mut().chain(&mut self.departure)
    }

    /// Forgets what would be told in between.
    pub(crate) fn cut(&mut self, from: DateTime, until: DateTime) {
        for script in self.scripts() {
            script.events.retain(|event| event.at < from || event.at > until);
        }
        self.together.retain(|event| event.at < from || event.at > until);
    }
}

fn first_scheduled(turnaround: &Turnaround) -> DateTime {
    turnaround.legs().map(|leg| leg.flight.scheduled).min().unwrap_or_default()
}

/// Minutes behind schedule, negative if early.
pub(crate) fn late(leg: &Leg, course: Course) -> i32 {
    let actual = match leg.flight.movement {
        Movement::Arrival => course.runway,
        Movement::Departure => course.blocks,
    };
    minutes_between(leg.flight.scheduled, actual)
}

//! What happens to each turnaround, and when its aircraft really comes and goes.

use jiff::civil::DateTime;

use crate::{
    arrival, departure,
    dice::Dice,
    event::{Event, Script, What},
    flight::Movement,
    places::other_stand,
    programme::opening,
    times::{minutes_between, shift, shift_seconds},
    timetable::{Leg, Turnaround, registration},
    world::{ALTERNATES, CANCELLED, DIVERTED, NARROW, OVERSHOT, RETURNED, TURNED_BACK, WIDE},
    xml::{Element, text, time},
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

/// What makes a turnaround unlike the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Turn {
    None,
    Cancelled,
    Reinstated,
    Deleted,
    Diverted,
    WentAround,
    BackToStand,
    BackInTheAir,
    OtherAircraft,
}

/// Of a thousand turnarounds.
const TURNS: [(u32, Turn); 8] = [
    (25, Turn::Cancelled),
    (10, Turn::Reinstated),
    (15, Turn::Deleted),
    (8, Turn::Diverted),
    (8, Turn::WentAround),
    (6, Turn::BackToStand),
    (3, Turn::BackInTheAir),
    (35, Turn::OtherAircraft),
];

/// All that is told about one turnaround after its schedule.
pub(crate) fn tell(turnaround: &Turnaround, dice: &mut Dice) -> Vec<Event> {
    let turn = draw(dice);
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
    match turn {
        Turn::None => {}
        Turn::Cancelled => story.cancel(turnaround, dice),
        Turn::Reinstated => story.reinstate(turnaround, dice),
        Turn::Deleted => story.delete(turnaround, dice),
        Turn::OtherAircraft => story.change_aircraft(turnaround, dice),
        Turn::Diverted => story.divert(turnaround, inbound, dice),
        Turn::WentAround => story.go_around(inbound, dice),
        Turn::BackToStand => story.return_to_stand(outbound, dice),
        Turn::BackInTheAir => story.turn_back(outbound, dice),
    }
    story.events(dice)
}

fn draw(dice: &mut Dice) -> Turn {
    let mut roll = dice.below(1000);
    for (share, turn) in TURNS {
        if roll < share {
            return turn;
        }
        roll -= share;
    }
    Turn::None
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
struct Story {
    arrival: Option<Script>,
    departure: Option<Script>,
    /// Messages that tell of both legs at once.
    together: Vec<Event>,
}

impl Story {
    /// In no order of time yet; a whole turnaround is told some seconds past the minute.
    fn events(self, dice: &mut Dice) -> Vec<Event> {
        let lag = dice.between(0, 39);
        let legs = self.arrival.into_iter().chain(self.departure).flat_map(|script| script.events);
        let told = legs.chain(self.together);
        told.map(|event| Event { at: shift_seconds(event.at, lag), ..event }).collect()
    }

    fn scripts(&mut self) -> impl Iterator<Item = &mut Script> {
        self.arrival.iter_mut().chain(&mut self.departure)
    }

    /// Forgets what would be told in between.
    fn cut(&mut self, from: DateTime, until: DateTime) {
        for script in self.scripts() {
            script.events.retain(|event| event.at < from || event.at > until);
        }
        self.together.retain(|event| event.at < from || event.at > until);
    }

    fn cancel(&mut self, turnaround: &Turnaround, dice: &mut Dice) {
        let at = before(turnaround, 20, 240, dice);
        self.cut(at, DateTime::MAX);
        self.announce(turnaround, at, "cancellation", &time("CNCL", at));
        let reason = *dice.pick(&CANCELLED);
        for script in self.scripts() {
            script.status(shift(at, 1), "CAN");
            script.tell(shift(at, 3), "remark", vec![text("REMC", reason)]);
        }
    }

    fn reinstate(&mut self, turnaround: &Turnaround, dice: &mut Dice) {
        let at = before(turnaround, 90, 240, dice);
        let back = shift(at, dice.between(20, 70));
        self.cut(at, back);
        self.announce(turnaround, at, "cancellation", &time("CNCL", at));
        self.announce(turnaround, back, "reinstatement", &Element::new("CNCL"));
        for script in self.scripts() {
            script.status(shift(at, 1), "CAN");
            script.status(shift(back, 1), "SCH");
        }
    }

    /// Both legs, or the departure alone; what is sold on a flight is deleted before it.
    fn delete(&mut self, turnaround: &Turnaround, dice: &mut Dice) {
        let at = before(turnaround, 60, 360, dice);
        let keeps_arrival =
            turnaround.arrival.is_some() && turnaround.departure.is_some() && dice.chance(0.5);
        let legs = turnaround.legs().skip(usize::from(keeps_arrival));
        let flights: Vec<i64> =
            legs.flat_map(|leg| leg.shares.iter().chain([&leg.flight])).map(|flight| flight.flid).collect();
        if keeps_arrival {
            self.departure = None;
            if let Some(script) = &mut self.arrival {
                let link = ["TAOP", "TAFL", "TAID"].map(Element::new);
                script.tell(shift(at, -1), "turnaround ends", link.to_vec());
            }
        } else {
            self.cut(at, DateTime::MAX);
        }
        if dice.chance(0.3) {
            let what = What::ScheduleDelete { flights };
            self.together.push(Event { at, label: "deletion by schedule", what });
        } else {
            let delete = |flight| Event { at, label: "deletion", what: What::Delete { flight } };
            self.together.extend(flights.into_iter().map(delete));
        }
    }

    fn change_aircraft(&mut self, turnaround: &Turnaround, dice: &mut Dice) {
        let at = before(turnaround, 15, 160, dice);
        let wide = turnaround.legs().any(|leg| leg.flight.aircraft.seats > 200);
        let aircraft = if wide { dice.pick(&WIDE) } else { dice.pick(&NARROW) };
        self.announce(turnaround, at, "aircraft type", &text("ACFT", aircraft.code));
        let operating: Vec<i64> = turnaround.legs().map(|leg| leg.flight.flid).collect();
        for (after, element) in [(1, text("RENO", registration(dice))), (2, text("MAXP", aircraft.seats))] {
            let label = if after == 1 { "registration" } else { "seats" };
            self.together.push(change(shift(at, after), label, &operating, &element));
        }
    }

    fn divert(&mut self, turnaround: &Turnaround, inbound: Option<Course>, dice: &mut Dice) {
        let Some(course) = inbound else { return };
        let at = shift(course.runway, -dice.between(10, 25));
        self.cut(at, DateTime::MAX);
        let reason = *dice.pick(&DIVERTED);
        let diversion =
            Element::new("FDIV").attribute("DDES", dice.pick(&ALTERNATES)).attribute("DDIR", "TO");
        if let Some(script) = &mut self.arrival {
            script.tell_all(at, "diversion", &diversion.with_text(reason));
            script.status(shift(at, 1), "DIV");
        }
        if let (Some(script), Some(leg)) = (&mut self.departure, &turnaround.departure) {
            let at = shift(at, dice.between(15, 40)).max(shift(leg.flight.scheduled, -60));
            script.events.retain(|event| event.at < at);
            script.tell_all(at, "cancellation", &time("CNCL", at));
            script.status(shift(at, 1), "CAN");
        }
    }

    fn go_around(&mut self, inbound: Option<Course>, dice: &mut Dice) {
        let Some((course, script)) = inbound.zip(self.arrival.as_mut()) else { return };
        let how = if dice.chance(0.7) { "G" } else { "O" };
        let abort = Element::new("FLAB").attribute("ARES", how).with_text(dice.pick(&OVERSHOT));
        script.tell(shift(course.runway, -11), "go-around", vec![abort]);
    }

    fn return_to_stand(&mut self, outbound: Option<Course>, dice: &mut Dice) {
        let Some((course, script)) = outbound.zip(self.departure.as_mut()) else { return };
        let reason = Element::new("FRET").attribute("REID", "G").with_text(dice.pick(&RETURNED));
        script.tell(shift(course.blocks, 8), "return to stand", vec![reason]);
        script.tell(shift(course.blocks, 52), "return to stand is over", vec![Element::new("FRET")]);
    }

    fn turn_back(&mut self, outbound: Option<Course>, dice: &mut Dice) {
        let Some((course, script)) = outbound.zip(self.departure.as_mut()) else { return };
        let at = shift(course.runway, dice.between(12, 30));
        script.events.retain(|event| event.at < at);
        let reason = Element::new("FRET").attribute("REID", "A").with_text(dice.pick(&TURNED_BACK));
        script.tell_all(at, "return in the air", &reason);
        script.status(shift(at, 1), "RTN");
    }

    /// One message for all flights of the turnaround, code-shares included.
    fn announce(&mut self, turnaround: &Turnaround, at: DateTime, label: &'static str, element: &Element) {
        let flights: Vec<i64> = turnaround
            .legs()
            .flat_map(|leg| [&leg.flight].into_iter().chain(&leg.shares))
            .map(|flight| flight.flid)
            .collect();
        self.together.push(change(at, label, &flights, element));
    }
}

fn change(at: DateTime, label: &'static str, flights: &[i64], element: &Element) -> Event {
    let records = flights.iter().map(|&flight| (flight, vec![element.clone()])).collect();
    Event { at, label, what: What::Change { subtype: element.tag, records } }
}

/// A time between `far` and `near` minutes before the aircraft moves, at home or far away, and
/// after the evening's download.
fn before(turnaround: &Turnaround, near: i32, far: i32, dice: &mut Dice) -> DateTime {
    let moves = |leg: &Leg| match leg.flight.movement {
        Movement::Arrival => shift(leg.flight.scheduled, -leg.flight.route.minutes()),
        Movement::Departure => leg.flight.scheduled,
    };
    let first = turnaround.legs().map(moves).min().unwrap_or_default();
    let day = turnaround.legs().map(|leg| leg.flight.scheduled.date()).min().unwrap_or_default();
    shift(first, -dice.between(near, far)).max(shift(opening(day), 20))
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

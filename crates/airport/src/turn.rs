//! What makes a turnaround unlike its plan: the story is told as planned first, then cut and
//! added to.

use jiff::civil::DateTime;

use crate::{
    dice::Dice,
    event::{Event, What},
    flight::Movement,
    programme::opening,
    story::{Course, Story},
    times::shift,
    timetable::{Leg, Turnaround, registration},
    world::{ALTERNATES, CANCELLED, DIVERTED, NARROW, OVERSHOT, RETURNED, TURNED_BACK, WIDE},
    xml::{Element, text, time},
};

/// What makes a turnaround unlike the plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Turn {
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

impl Turn {
    pub(crate) fn draw(dice: &mut Dice) -> Self {
        let mut roll = dice.below(1000);
        for (share, turn) in TURNS {
            if roll < share {
                return turn;
            }
            roll -= share;
        }
        Self::None
    }
}

impl Story {
    /// Gives the story its turn; `courses` are the arrival's and the departure's.
    pub(crate) fn turn(
        &mut self,
        turn: Turn,
        turnaround: &Turnaround,
        [inbound, outbound]: [Option<Course>; 2],
        dice: &mut Dice,
    ) {
        match turn {
            Turn::None => {}
            Turn::Cancelled => self.cancel(turnaround, dice),
            Turn::Reinstated => self.reinstate(turnaround, dice),
            Turn::Deleted => self.delete(turnaround, dice),
            Turn::OtherAircraft => self.change_aircraft(turnaround, dice),
            Turn::Diverted => self.divert(turnaround, inbound, dice),
            Turn::WentAround => self.go_around(inbound, dice),
            Turn::BackToStand => self.return_to_stand(outbound, dice),
            Turn::BackInTheAir => self.turn_back(outbound, dice),
        }
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
        let reason = *dice.pick(&DIVERTED);
        let diversion =
            Element::new("FDIV").attribute("DDES", dice.pick(&ALTERNATES)).attribute("DDIR", "TO");
        if let Some(script) = &mut self.arrival {
            script.events.retain(|event| event.at < at);
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

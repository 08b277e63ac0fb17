//! An arrival, from the previous station to the last bag.

use jiff::civil::DateTime;

use crate::{
    dice::Dice,
    event::Script,
    flight::Flight,
    occasions,
    places::{has_bridge, other_place},
    services,
    story::{Course, late},
    times::shift,
    timetable::Leg,
    world::RUNWAYS,
    xml::{Element, text, time},
};

pub(crate) fn script(leg: &Leg, course: Course, dice: &mut Dice) -> Script {
    let flight = &leg.flight;
    let mut places = flight.clone();
    let shares = leg.shares.iter().map(|share| share.flid).collect();
    let mut script = Script::new(flight.flid, shares);
    let left = shift(course.runway, -flight.route.minutes());
    en_route(&mut script, flight, course, left, dice);
    ground_plan(&mut script, &mut places, course, dice);
    landing(&mut script, &places, course, dice);
    baggage(&mut script, &places, course, dice);
    services::arriving(&mut script, flight, course, dice);
    if late(leg, course) > 15 {
        occasions::delay(&mut script, leg, course, shift(course.runway, -35), dice);
    }
    occasions::any(&mut script, leg, shift(course.runway, -120), dice);
    script
}

/// Left the previous station, and estimates that get better.
fn en_route(script: &mut Script, flight: &Flight, course: Course, left: DateTime, dice: &mut Dice) {
    let planned = shift(flight.scheduled, -flight.route.minutes());
    script.time(shift(planned, -95), "estimate of the previous station", "PEDT", shift(planned, 5));
    let told = shift(left, -dice.between(8, 40));
    script.time(told, "estimate of the previous station", "PEDT", shift(left, dice.between(-3, 3)));
    script.time(shift(left, 3), "departure of the previous station", "PADT", left);
    script.status(shift(left, 3), "ENR");
    for (before, error) in [(120, 12), (70, 8), (40, 4), (20, 1)] {
        let at = shift(course.runway, -before - dice.between(0, 9));
        if at > shift(left, 4) {
            let estimate = shift(course.runway, dice.between(-error, error));
            script.tell_all(at, "estimate of arrival", &time("ESTT", estimate));
        }
    }
    script.time(shift(left, 6), "internal estimate", "IEST", shift(course.runway, dice.between(-6, 6)));
    script.time(shift(course.runway, -15), "internal estimate", "IEST", shift(course.blocks, -1));
}

/// The stand's real times; the belt, which may change until late.
fn ground_plan(script: &mut Script, flight: &mut Flight, course: Course, dice: &mut Dice) {
    flight.places.stand_from = shift(course.blocks, -5);
    script.tell(shift(course.runway, -14), "stand plan", vec![flight.stand_plan()]);
    script.tell(shift(course.runway, -12), "stand", vec![text("STND", &flight.places.stand)]);
    if dice.chance(0.15) {
        flight.places.belt = other_place(&flight.places.belt, 14, dice);
        script.tell(shift(course.runway, -dice.between(5, 50)), "belt change", vec![flight.belt(None, None)]);
    }
    script.tell(shift(course.runway, -13), "runway", vec![text("RUNW", dice.pick(&RUNWAYS))]);
}

fn landing(script: &mut Script, flight: &Flight, course: Course, dice: &mut Dice) {
    let Course { runway, blocks, .. } = course;
    let stand = &flight.places.stand;
    script.status(shift(runway, -9), "APP");
    script.tell_all(shift(runway, 1), "landed", &time("ACTT", runway));
    script.status(shift(runway, 1), "LND");
    script.tell(shift(blocks, 1), "chocks on", vec![chocks("ON", blocks, stand)]);
    script.status(shift(blocks, 1), "ARR");
    if has_bridge(stand) {
        script.tell(shift(blocks, 4), "bridge attached", vec![bridge("A", shift(blocks, 3), stand)]);
    }
    script.tell(shift(blocks, 6), "door open", vec![door("O", shift(blocks, 5))]);
    let seats = flight.aircraft.seats;
    let passengers = seats * dice.between(55, 100) / 100;
    script.tell(shift(runway, -28), "passengers", vec![text("PAXC", passengers)]);
    let bags = passengers * dice.between(40, 80) / 100;
    let weight = format!("{}.{}", bags * 14, dice.below(10));
    script.tell(shift(runway, -26), "bags", vec![text("LBNO", bags), text("LBWT", weight)]);
}

fn baggage(script: &mut Script, flight: &Flight, course: Course, dice: &mut Dice) {
    let first = shift(course.blocks, dice.between(10, 19));
    let last = shift(first, dice.between(8, 25));
    script.tell(shift(first, 1), "first bag", vec![flight.belt(Some(first), None)]);
    script.status(shift(first, 1), "BAG");
    script.tell(shift(last, 1), "last bag", vec![flight.belt(Some(first), Some(last))]);
    script.status(shift(last, 4), "END");
}

pub(crate) fn chocks(which: &str, at: DateTime, stand: &str) -> Element {
    Element::new("CHOT")
        .attribute("CSNO", 1)
        .child(time("CHTM", at))
        .child(text("CHID", which))
        .child(text("CHST", stand))
}

pub(crate) fn bridge(how: &str, at: DateTime, stand: &str) -> Element {
    Element::new("ABTM")
        .attribute("ASNO", 1)
        .child(text("ABDG", format_args!("{stand}A")))
        .child(text("ABOP", how))
        .child(time("AOTM", at))
}

pub(crate) fn door(which: &str, at: DateTime) -> Element {
    Element::new("PORT").child(time("POTM", at)).child(text("POID", which))
}

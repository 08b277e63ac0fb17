//! A departure, from check-in to the arrival at the next station.

use crate::{
    arrival::{bridge, chocks, door},
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
    check_in(&mut script, &mut places, dice);
    targets(&mut script, leg, course, dice);
    boarding(&mut script, &mut places, course, dice);
    push_back(&mut script, flight, course, dice);
    under_way(&mut script, flight, course, dice);
    services::departing(&mut script, flight, course, dice);
    if late(leg, course) > 15 {
        occasions::delay(&mut script, leg, course, shift(flight.scheduled, -50), dice);
    }
    occasions::any(&mut script, leg, shift(flight.scheduled, -150), dice);
    script
}

/// Counters and chute.
fn check_in(script: &mut Script, flight: &mut Flight, dice: &mut Dice) {
    let opened = shift(flight.scheduled, -120 - dice.between(0, 8));
    if dice.chance(0.12)
        && let Some(counter) = flight.places.counters.last_mut()
    {
        *counter = other_place(counter, 24, dice);
        script.tell(shift(opened, -30), "check-in counters changed", flight.counters(None, None));
    }
    script.tell(shift(opened, 1), "check-in open", flight.counters(Some(opened), None));
    script.status(shift(opened, 1), "CKI");
    let closed = shift(flight.scheduled, -45 + dice.between(0, 4));
    script.tell(shift(closed, 1), "check-in closed", flight.counters(Some(opened), Some(closed)));
    script.tell(shift(opened, 3), "chute open", vec![flight.chute(Some(opened), None)]);
    let ended = shift(flight.scheduled, -22);
    script.tell(shift(ended, 1), "chute closed", vec![flight.chute(Some(opened), Some(ended))]);
}

/// What is aimed at: off-block and take-off times, as they become known.
fn targets(script: &mut Script, leg: &Leg, course: Course, dice: &mut Dice) {
    let flight = &leg.flight;
    let off = course.blocks;
    script.time(shift(flight.scheduled, -180), "estimated off-block", "EOBT", flight.scheduled);
    script.time(shift(flight.scheduled, -135), "internal estimate", "IEST", flight.scheduled);
    script.time(shift(off, -75), "target off-block", "TOBT", shift(off, dice.between(-10, 8)));
    script.time(shift(off, -48), "estimated off-block", "EOBT", shift(off, dice.between(-4, 4)));
    script.time(shift(off, -31), "target off-block", "TOBT", shift(off, dice.between(-2, 2)));
    script.time(shift(off, -29), "calculated off-block", "COBT", off);
    script.time(shift(off, -29), "calculated take-off", "CTOT", shift(course.runway, dice.between(-5, 2)));
    if dice.chance(0.3) {
        script.time(shift(off, -16), "calculated take-off", "CTOT", course.runway);
    }
    let first = if late(leg, course) > 10 { -62 } else { -44 };
    script.tell_all(
        shift(off, first),
        "estimate of departure",
        &time("ESTT", shift(off, dice.between(-3, 3))),
    );
    if dice.chance(0.5) {
        script.tell_all(shift(off, -18), "estimate of departure", &time("ESTT", off));
    }
}

/// Gate and passengers.
fn boarding(script: &mut Script, flight: &mut Flight, course: Course, dice: &mut Dice) {
    let off = course.blocks;
    if dice.chance(0.16) {
        let (last, before) = (24, dice.between(50, 110));
        flight.places.gate = other_place(&flight.places.gate, last, dice);
        script.tell(shift(off, -before), "gate change", vec![flight.gate(None, None)]);
    }
    let begun = shift(off, -dice.between(35, 42));
    script.tell(shift(begun, 1), "gate open", vec![flight.gate(Some(begun), None)]);
    script.time(shift(begun, 2), "boarding", "BOTM", begun);
    script.status(shift(begun, 2), "BOR");
    script.time(shift(off, -21), "last call", "LACL", shift(off, -21));
    script.time(shift(off, -14), "final call", "FINT", shift(off, -14));
    script.status(shift(off, -13), "LBD");
    let closed = shift(off, -9);
    script.tell(shift(closed, 1), "gate closed", vec![flight.gate(Some(begun), Some(closed))]);
    script.status(shift(closed, 1), "POK");
    let passengers = flight.aircraft.seats * dice.between(55, 100) / 100;
    script.tell(shift(off, -8), "passengers", vec![text("PAXC", passengers)]);
    let bags = passengers * dice.between(40, 80) / 100;
    let weight = format!("{}.{}", bags * 14, dice.below(10));
    script.tell(shift(off, -7), "bags", vec![text("LBNO", bags), text("LBWT", weight)]);
}

/// From the closed door to off blocks.
fn push_back(script: &mut Script, flight: &Flight, course: Course, dice: &mut Dice) {
    let off = course.blocks;
    let stand = &flight.places.stand;
    script.tell(shift(off, -6), "door closed", vec![door("C", shift(off, -7))]);
    if has_bridge(stand) {
        script.tell(shift(off, -5), "bridge detached", vec![bridge("D", shift(off, -5), stand)]);
        let tractor = [time("TRTM", shift(off, -10)), text("TRST", stand)];
        script.tell(shift(off, -9), "tractor in place", vec![Element::new("TIPT").children(&tractor)]);
    }
    script.time(shift(off, -6), "released", "APPT", shift(off, -6));
    script.time(shift(off, -4), "engine start requested", "EGSR", shift(off, -4));
    if has_bridge(stand) {
        let push = [time("PSTM", off), text("PSID", "IN"), text("PUST", stand)];
        let push = Element::new("PSHT").attribute("PSHN", 1).children(&push);
        script.tell(off, "push-back", vec![push]);
    }
    script.tell(shift(off, 1), "chocks off", vec![chocks("OFF", off, stand)]);
    script.status(shift(off, 1), "OUT");
    script.time(shift(off, 3), "engine started", "EGST", shift(off, 2));
    script.tell(shift(off, -15), "runway", vec![text("RUNW", dice.pick(&RUNWAYS))]);
}

/// Take-off and the next station.
fn under_way(script: &mut Script, flight: &Flight, course: Course, dice: &mut Dice) {
    script.tell_all(shift(course.runway, 1), "taken off", &time("ACTT", course.runway));
    script.status(shift(course.runway, 1), "AIR");
    let arrives = shift(course.runway, flight.route.minutes());
    let estimate = shift(arrives, dice.between(-6, 6));
    script.time(shift(course.runway, 6), "estimate of the next station", "NEAT", estimate);
    script.time(shift(arrives, 3), "arrival at the next station", "NAAT", arrives);
}

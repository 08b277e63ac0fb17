//! Ground services, each told when it begins and again when it ends.

use jiff::civil::DateTime;

use crate::{
    dice::Dice,
    event::Script,
    flight::Flight,
    places::has_bridge,
    story::Course,
    times::shift,
    xml::{Element, text, time},
};

pub(crate) fn arriving(script: &mut Script, flight: &Flight, course: Course, dice: &mut Dice) {
    if !has_bridge(&flight.places.stand) {
        one(script, flight, "BUS", shift(course.blocks, 6), dice);
    }
    one(script, flight, "GPU", shift(course.blocks, 3), dice);
    one(script, flight, "CLN", shift(course.blocks, 16), dice);
}

pub(crate) fn departing(script: &mut Script, flight: &Flight, course: Course, dice: &mut Dice) {
    one(script, flight, "CAT", shift(course.blocks, -38), dice);
    one(script, flight, "FUE", shift(course.blocks, -36), dice);
    if dice.chance(0.4) {
        one(script, flight, "WTR", shift(course.blocks, -33), dice);
    }
}

fn one(script: &mut Script, flight: &Flight, code: &str, begins: DateTime, dice: &mut Dice) {
    let ends = shift(begins, dice.between(6, 16));
    let quantity = dice.between(1, 2);
    let [agent, _] = flight.carrier.agents;
    let begun = Element::new("SRVT")
        .child(text("SRTC", code))
        .child(text("SRQT", quantity))
        .child(time("SRST", begins));
    let ended = begun.clone().child(time("SRET", ends)).child(text("SRPR", agent));
    script.tell(shift(begins, 1), "service begins", vec![begun]);
    script.tell(shift(ends, 1), "service ends", vec![ended]);
}

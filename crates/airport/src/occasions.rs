//! What happens to some flights only: delays, remarks, important guests, changed agents.

use jiff::civil::DateTime;

use crate::{
    dice::Dice,
    event::Script,
    story::{Course, late},
    times::{Minute, shift},
    timetable::Leg,
    world::{DELAYS, REMARKS, STATUS_REMARKS},
    xml::{Element, text, time},
};

/// A delay, told once or in two parts; some are taken back.
pub(crate) fn delay(script: &mut Script, leg: &Leg, course: Course, at: DateTime, dice: &mut Dice) {
    let minutes = late(leg, course);
    let (code, comment) = if course.reactionary { ("RL", "前序航班晚到") } else { *dice.pick(&DELAYS) };
    let starts = leg.flight.scheduled;
    script.tell(at, "delay", vec![entry(code, starts, minutes, comment)]);
    script.status(at, "DLY");
    if minutes > 40 && dice.chance(0.5) {
        let (second, comment) = *dice.pick(&DELAYS);
        if second != code {
            let half = shift(starts, minutes / 2);
            let entries = vec![
                entry(code, starts, minutes / 2, "等待通知"),
                entry(second, half, minutes - minutes / 2, comment),
            ];
            script.tell(shift(at, 12), "delay in two parts", entries);
        }
    } else if dice.chance(0.1) {
        script.tell(shift(at, 9), "delay taken back", vec![Element::new("DELY")]);
    }
}

fn entry(code: &str, starts: DateTime, minutes: i32, comment: &str) -> Element {
    Element::new("DELY")
        .attribute("CODE", code)
        .attribute("STRT", Minute(starts))
        .attribute("DURA", format_args!("{:02}{:02}", minutes / 60, minutes % 60))
        .with_text(comment)
}

/// Rare changes around a time before the flight.
pub(crate) fn any(script: &mut Script, leg: &Leg, around: DateTime, dice: &mut Dice) {
    for (rate, tell) in OCCASIONS {
        let at = shift(around, dice.between(-60, 60));
        if dice.chance(rate) {
            tell(script, leg, at, dice);
        }
    }
}

type Tell = fn(&mut Script, &Leg, DateTime, &mut Dice);

/// How often, of all flights, and what.
const OCCASIONS: [(f64, Tell); 8] = [
    (0.2, remark),
    (0.03, important_guest),
    (0.03, agents),
    (0.04, external_status),
    (0.01, terminal),
    (0.01, flight_type),
    (0.01, route),
    (0.01, code_share_ends),
];

fn remark(script: &mut Script, _: &Leg, at: DateTime, dice: &mut Dice) {
    script.tell(at, "remark", vec![text("REMC", dice.pick(&REMARKS))]);
    if dice.chance(0.1) {
        script.tell(shift(at, 25), "remark taken back", vec![Element::new("REMC")]);
    }
}

/// A party with what it is offered, then how many there are and of what rank.
fn important_guest(script: &mut Script, _: &Leg, at: DateTime, dice: &mut Dice) {
    let lounge = Element::new("VIPT")
        .child(text("VSCD", "LNG"))
        .child(text("VTQY", 1))
        .child(time("VTST", shift(at, 10)))
        .child(time("VTET", shift(at, 50)));
    let party = Element::new("VIPF")
        .child(text("VPCD", format_args!("V{:04}", dice.below(10_000))))
        .child(text("VFES", dice.between(0, 6)))
        .child(lounge);
    script.tell(at, "important guests", vec![party]);
    let rank = vec![text("VIPP", dice.between(1, 3)), text("VIPR", dice.between(1, 4))];
    script.tell(shift(at, 1), "important guests counted", rank);
}

fn agents(script: &mut Script, _: &Leg, at: DateTime, _: &mut Dice) {
    let agents = vec![text("PHAG", 310_471), text("FHAG", 310_471), Element::new("MHAG")];
    script.tell_as("HAGT", at, "handling agents", agents);
}

fn external_status(script: &mut Script, _: &Leg, at: DateTime, dice: &mut Dice) {
    let status = vec![text("EXSC", "ATT"), text("EXSR", dice.pick(&STATUS_REMARKS))];
    script.tell_as("EXSS", at, "external status", status);
    let ended = vec![Element::new("EXSC"), Element::new("EXSR")];
    script.tell_as("EXSS", shift(at, 30), "external status taken back", ended);
}

fn terminal(script: &mut Script, leg: &Leg, at: DateTime, _: &mut Dice) {
    script.tell(at, "terminal", vec![text("TRML", leg.flight.region.terminal())]);
}

fn flight_type(script: &mut Script, _: &Leg, at: DateTime, dice: &mut Dice) {
    let (label, element) = if dice.chance(0.5) {
        ("flight type", text("FLTY", "W"))
    } else {
        ("mixed flight", text("FLIN", "M"))
    };
    script.tell(at, label, vec![element]);
}

/// The whole route again, as it is sent from its first stop on.
fn route(script: &mut Script, leg: &Leg, at: DateTime, _: &mut Dice) {
    script.tell(at, "route", leg.flight.whole_route());
}

fn code_share_ends(script: &mut Script, leg: &Leg, at: DateTime, _: &mut Dice) {
    if let Some(share) = leg.shares.last() {
        let link = ["CSOP", "CSFT", "MAID"].map(Element::new).to_vec();
        script.tell_of(share.flid, "CSFT", at, "code-share ends", link);
    }
}

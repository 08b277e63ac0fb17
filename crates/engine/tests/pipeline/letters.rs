//! Letters by what becomes of them.

use contract::sample;
use engine::ports::NewLetter;

/// Schedules one extra flight: succeeds.
pub(crate) fn schedule(seqn: i64, flid: i64) -> NewLetter {
    flight(seqn, flid, "A01")
}

/// Schedules a flight whose day, 27 April, lies so far back that it is history.
pub(crate) fn schedule_of_the_past(seqn: i64, flid: i64) -> NewLetter {
    of_day(seqn, flid, "A01", "27APR26")
}

/// The same flight with a stand: a change of it.
pub(crate) fn flight(seqn: i64, flid: i64, stand: &str) -> NewLetter {
    of_day(seqn, flid, stand, "01MAY26")
}

/// An estimated time for a flight.
pub(crate) fn estimate(seqn: i64, flid: i64) -> NewLetter {
    message(seqn, "FLOP", "ESTT", &format!("<FLOP><FLID>{flid}</FLID><ESTT>27APR261010</ESTT></FLOP>"))
}

fn of_day(seqn: i64, flid: i64, stand: &str, day: &str) -> NewLetter {
    let flight = format!(
        "<FLID>{flid}</FLID><ALCD>ZZ</ALCD><FLNO>ZZ{number}</FLNO><MVIN>D</MVIN><SODT>{day}0945</SODT>\
         <FLTY>J</FLTY><FLIN>D</FLIN><ACFT>32N</ACFT><TRML>T1</TRML><STND>{stand}</STND>",
        number = 1000 + flid % 9000
    );
    message(seqn, "SCHD", "ADFT", &format!("<SCHD><RECS>1</RECS><FLTR>{flight}</FLTR></SCHD>"))
}

/// A type nobody knows: fails (UNSUPPORTED) and is tried again.
pub(crate) fn unknown(seqn: i64) -> NewLetter {
    message(seqn, "WHAT", "NONE", "<WHAT/>")
}

/// A type meant for others: skipped.
pub(crate) fn ignored(seqn: i64) -> NewLetter {
    message(seqn, "LDM", "NONE", "<LDM/>")
}

/// No body: dead at once.
pub(crate) fn empty() -> NewLetter {
    NewLetter { body: None, ..sample::letter("") }
}

/// The same letter under an ID of its own.
pub(crate) fn at(id: i64, letter: NewLetter) -> NewLetter {
    NewLetter { id: Some(domain::MsgId(id)), ..letter }
}

fn message(seqn: i64, kind: &str, subtype: &str, body: &str) -> NewLetter {
    sample::letter(&format!(
        "<MSG><META><SNDR>AODB</SNDR><SEQN>{seqn:06}</SEQN><DTTM>20260501080000</DTTM>\
         <TYPE>{kind}</TYPE><STYP>{subtype}</STYP></META>{body}</MSG>"
    ))
}

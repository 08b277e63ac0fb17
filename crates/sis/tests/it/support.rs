//! Shortcuts for tests: messages from their parts, fixtures, and problems.

use sis::{Body, Carrier, Dictionary, Limits, Message, Position, Problem, Record};

pub(crate) fn fixtures() -> Vec<(String, String)> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
    let entries = std::fs::read_dir(folder).expect("the fixtures' folder");
    let mut fixtures: Vec<_> = entries
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_stem().expect("a name").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("a readable fixture"))
        })
        .collect();
    fixtures.sort();
    assert!(fixtures.len() >= 19, "fixtures are missing");
    fixtures
}

pub(crate) fn xml(kind: &str, subtype: &str, body: &str) -> String {
    format!(
        "<MSG><META><SNDR>AODB</SNDR><SEQN>1</SEQN><DTTM>20260913091530</DTTM><TYPE>{kind}</TYPE>\
         <STYP>{subtype}</STYP></META>{body}</MSG>"
    )
}

pub(crate) fn flop(subtype: &str, elements: &str) -> String {
    xml("FLOP", subtype, &format!("<FLOP><FLID>7</FLID>{elements}</FLOP>"))
}

pub(crate) const FLIGHT: &str = "<FLID>7</FLID><ALCD>QY</ALCD><FLNO>QY3105</FLNO><MVIN>A</MVIN>\
    <SODT>13SEP261025</SODT><FLTY>J</FLTY><FLIN>D</FLIN><ACFT>320</ACFT>";

pub(crate) fn schedule(elements: &str) -> String {
    xml("SCHD", "DNLD", &format!("<SCHD><FLTR>{FLIGHT}{elements}</FLTR></SCHD>"))
}

pub(crate) fn decode(text: &str) -> Result<Message, Problem> {
    decode_bytes(text.as_bytes(), Carrier::Text)
}

pub(crate) fn decode_bytes(bytes: &[u8], carrier: Carrier) -> Result<Message, Problem> {
    sis::decode(bytes, carrier, &Limits::default(), Dictionary::baseline())
}

pub(crate) fn good(text: &str) -> Message {
    decode(text).unwrap_or_else(|problem| panic!("{problem}\n{text}"))
}

pub(crate) fn records(message: &Message) -> &[Record] {
    match &message.body {
        Body::Schedule(schedule) => &schedule.records,
        Body::Flop(records) | Body::Delete(records) => records,
        Body::Reference(_) | Body::Request(_) | Body::Unknown(_) => &[],
    }
}

/// Positions tell where a record stood, which is no part of what it says.
pub(crate) fn without_positions(mut message: Message) -> Message {
    match &mut message.body {
        Body::Schedule(schedule) => forget(&mut schedule.records),
        Body::Flop(records) | Body::Delete(records) => forget(records),
        Body::Reference(_) | Body::Request(_) | Body::Unknown(_) => {}
    }
    message
}

fn forget(records: &mut [Record]) {
    records.iter_mut().for_each(|record| record.position = Position::default());
}

/// What the fields of the only record became, as JSON.
pub(crate) fn fields(text: &str) -> serde_json::Value {
    let message = good(text);
    let zone = jiff::tz::TimeZone::fixed(jiff::tz::offset(8));
    sis::json::message(&message, &zone)["body"]["records"][0]["fields"].clone()
}

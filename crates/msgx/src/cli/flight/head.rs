//! The two lines that say which flight it is, and which of its lives.

use domain::flight::story::Language;
use domain::flight::{Flight, Life};
use jiff::Timestamp;
use jiff::tz::TimeZone;

pub(super) fn head(flight: &Flight, swept: Option<Timestamp>, zone: &TimeZone, language: Language) -> String {
    let movement = match flight.movement() {
        Some("A") => language.pick("到港", "arrival"),
        Some("D") => language.pick("离港", "departure"),
        Some(other) => other,
        None => language.pick("计划未到", "no schedule yet"),
    };
    let number = flight.flight_number().unwrap_or("?");
    let day = flight.operation_day.map_or_else(|| "-".to_owned(), |day| day.to_string());
    let state = match swept {
        None => life(flight.life, language).to_owned(),
        Some(at) => {
            let at = zone.to_datetime(at).strftime("%Y-%m-%d %H:%M");
            format!("{} {at}", language.pick("历史，移出于", "in history since"))
        }
    };
    let incarnation = match language {
        Language::Chinese => format!("第 {} 次建立", flight.incarnation),
        Language::English => format!("incarnation {}", flight.incarnation),
    };
    format!(
        "{number}  {movement}  {} {day}  FLID {}\n  {state}  {} {}  {incarnation}  {} {}\n",
        language.pick("运营日", "operation day"),
        flight.flid,
        language.pick("版本", "version"),
        flight.state_version,
        language.pick("最近报文", "last message"),
        flight.last_by,
    )
}

fn life(life: Life, language: Language) -> &'static str {
    match life {
        Life::Active => language.pick("有效", "ACTIVE"),
        Life::Partial => language.pick("计划未到", "PARTIAL"),
        Life::Deleted => language.pick("已删除", "DELETED"),
    }
}

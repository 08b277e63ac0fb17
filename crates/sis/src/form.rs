//! The text forms of values: what a text must look like to be a time, a number, a duration.
//!
//! Reading is wide (every form that was ever seen and can't be mistaken for another);
//! writing is narrow (the one form of the format's own notes).

use jiff::civil::{Date, DateTime, Time};

use crate::{Value, ValueKind};

const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/// Quotation marks that senders wrap a number in by mistake.
const STRAY_QUOTES: [char; 9] =
    ['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{2033}', '\u{ff02}', '"', '\''];

/// Reads a trimmed, non-empty text. `exact` refuses integers that 64 bits can't hold; without
/// it a count that is a decimal or too wide is kept as [`Value::Decimal`].
/// `Err` says which form was expected.
#[inline]
pub(crate) fn read(text: &str, kind: ValueKind, exact: bool) -> Result<Value, &'static str> {
    match kind {
        ValueKind::Text => Some(Value::Text(text.to_owned())).ok_or("text"),
        ValueKind::Integer => integer(text, exact).ok_or("a whole number"),
        ValueKind::Decimal => decimal(text).map(Value::Decimal).ok_or("a number"),
        ValueKind::Time => date_time(text).map(Value::Time).ok_or("a time as DDMONYYHHMM or DDMONYY"),
        ValueKind::Date => date(text).map(Value::Date).ok_or("a day as DDMONYY"),
        ValueKind::Clock => clock(text).map(Value::Clock).ok_or("a time of day as HHMM"),
        ValueKind::Minutes => minutes(text).map(Value::Minutes).ok_or("a duration as four digits HHMM"),
        ValueKind::List => Err("elements"),
    }
}

/// Writes a value; objects and lists have no text and give an empty one.
pub(crate) fn write(value: &Value) -> String {
    match value {
        Value::Text(text) | Value::Decimal(text) => text.clone(),
        Value::Integer(number) => number.to_string(),
        Value::Time(time) => write_time(*time),
        Value::Date(date) => write_date(*date),
        Value::Clock(time) => format!("{:02}{:02}", time.hour(), time.minute()),
        Value::Minutes(minutes) => {
            // Four digits hold 99 hours and up to 99 minutes.
            let hours = (minutes / 60).min(99);
            format!("{hours:02}{:02}", minutes - hours * 60)
        }
        Value::Object(_) | Value::List(_) => String::new(),
    }
}

/// DTTM: `yyyyMMddHHmmss` or `yyyy-MM-dd HH:mm:ss`.
pub(crate) fn sent_at(text: &str) -> Option<DateTime> {
    match text.len() {
        14 | 19 => date_time(text),
        _ => None,
    }
}

fn integer(text: &str, exact: bool) -> Option<Value> {
    if let Ok(number) = text.parse() {
        return Some(Value::Integer(number));
    }
    let text = text.trim_matches(STRAY_QUOTES).trim();
    if let Ok(number) = text.parse() {
        return Some(Value::Integer(number));
    }
    let text = decimal(text).filter(|_| !exact)?;
    let whole = text.split_once('.').filter(|(_, fraction)| fraction.bytes().all(|digit| digit == b'0'));
    match whole.and_then(|(whole, _)| whole.parse().ok()) {
        Some(number) => Some(Value::Integer(number)),
        None => Some(Value::Decimal(text)),
    }
}

fn decimal(text: &str) -> Option<String> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, "0"));
    let good = |part: &str| !part.is_empty() && part.bytes().all(|digit| digit.is_ascii_digit());
    (good(whole) && good(fraction)).then(|| text.to_owned())
}

/// Each form has a length of its own, so none can be taken for another.
fn date_time(text: &str) -> Option<DateTime> {
    let midnight = |date: Date| date.to_datetime(Time::midnight());
    if !text.is_ascii() {
        return None;
    }
    match text.len() {
        7 | 10 => date(text).map(midnight),
        8 => compact_date(text).map(midnight),
        11 => Some(date(&text[..7])?.to_datetime(clock(&text[7..])?)),
        14 => Some(compact_date(&text[..8])?.to_datetime(clock_with_seconds(&text[8..])?)),
        19 if matches!(text.as_bytes()[10], b' ' | b'T') => {
            let clock: String = text[11..].split(':').collect();
            let separated = text.as_bytes()[13] == b':' && text.as_bytes()[16] == b':';
            Some(date(&text[..10])?.to_datetime(clock_with_seconds(&clock).filter(|_| separated)?))
        }
        _ => None,
    }
}

fn date(text: &str) -> Option<Date> {
    if !text.is_ascii() {
        return None;
    }
    match text.len() {
        7 => {
            let month = MONTHS.iter().position(|month| month.eq_ignore_ascii_case(&text[2..5]))?;
            let year = 2000 + number(&text[5..])?;
            Date::new(year, i8::try_from(month).ok()? + 1, small(&text[..2])?).ok()
        }
        10 if text.as_bytes()[4] == b'-' && text.as_bytes()[7] == b'-' => {
            Date::new(number(&text[..4])?, small(&text[5..7])?, small(&text[8..])?).ok()
        }
        _ => None,
    }
}

fn compact_date(text: &str) -> Option<Date> {
    Date::new(number(&text[..4])?, small(&text[4..6])?, small(&text[6..])?).ok()
}

fn clock(text: &str) -> Option<Time> {
    if text.len() != 4 || !text.is_ascii() {
        return None;
    }
    Time::new(small(&text[..2])?, small(&text[2..])?, 0, 0).ok()
}

fn clock_with_seconds(text: &str) -> Option<Time> {
    if text.len() != 6 {
        return None;
    }
    Time::new(small(&text[..2])?, small(&text[2..4])?, small(&text[4..])?, 0).ok()
}

/// Hours then minutes; minutes above 59 are taken as they are.
fn minutes(text: &str) -> Option<u32> {
    let digits = Some(text).filter(|text| text.len() == 4 && text.is_ascii())?;
    Some(u32::try_from(number(&digits[..2])?).ok()? * 60 + u32::try_from(number(&digits[2..])?).ok()?)
}

/// Up to four digits and nothing else: the standard parser would take a sign.
fn number(text: &str) -> Option<i16> {
    let digit = |byte: u8| byte.is_ascii_digit().then(|| i16::from(byte - b'0'));
    text.bytes().try_fold(0, |number: i16, byte| number.checked_mul(10)?.checked_add(digit(byte)?))
}

fn small(text: &str) -> Option<i8> {
    number(text).and_then(|number| i8::try_from(number).ok())
}

fn write_time(time: DateTime) -> String {
    if time.second() != 0 || !(2000..2100).contains(&time.year()) {
        return format!("{} {:02}:{:02}:{:02}", time.date(), time.hour(), time.minute(), time.second());
    }
    format!("{}{:02}{:02}", write_date(time.date()), time.hour(), time.minute())
}

fn write_date(date: Date) -> String {
    if !(2000..2100).contains(&date.year()) {
        return date.to_string();
    }
    let month = usize::try_from(date.month() - 1).map_or("", |month| MONTHS[month]);
    format!("{:02}{month}{:02}", date.day(), date.year() % 100)
}

#[cfg(test)]
mod tests;

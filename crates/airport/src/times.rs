//! Times as SIS writes them, and steps between them.

use std::fmt;

use jiff::{SignedDuration, civil::DateTime};

const MONTHS: [&str; 12] =
    ["JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC"];

/// So many minutes later, or earlier if negative.
pub(crate) fn shift(time: DateTime, minutes: i32) -> DateTime {
    time.saturating_add(SignedDuration::from_mins(i64::from(minutes)))
}

/// So many seconds later.
pub(crate) fn shift_seconds(time: DateTime, seconds: i32) -> DateTime {
    time.saturating_add(SignedDuration::from_secs(i64::from(seconds)))
}

/// Whole minutes from one time to a later one, negative if it is earlier.
pub(crate) fn minutes_between(from: DateTime, to: DateTime) -> i32 {
    to.duration_since(from).as_mins() as i32
}

/// `DDMONYYHHMM`, the form of every time in a body.
pub(crate) struct Minute(pub(crate) DateTime);

impl fmt::Display for Minute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(time) = self;
        let month = MONTHS[time.month() as usize - 1];
        write!(f, "{:02}{month}{:02}{:02}{:02}", time.day(), time.year() % 100, time.hour(), time.minute())
    }
}

/// `yyyyMMddHHmmss`, the form of DTTM.
pub(crate) struct Second(pub(crate) DateTime);

impl fmt::Display for Second {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(time) = self;
        write!(f, "{:04}{:02}{:02}", time.year(), time.month(), time.day())?;
        write!(f, "{:02}{:02}{:02}", time.hour(), time.minute(), time.second())
    }
}

#[cfg(test)]
mod tests {
    use jiff::civil::date;

    use super::*;

    #[test]
    fn both_forms() {
        let time = date(2026, 4, 7).at(9, 5, 3, 0);
        assert_eq!(Minute(time).to_string(), "07APR260905");
        assert_eq!(Second(time).to_string(), "20260407090503");
        assert_eq!(Minute(shift(time, -600)).to_string(), "06APR262305");
        assert_eq!(minutes_between(time, shift(time, -90)), -90);
    }
}

//! Times and days between the domain and the driver: UTC, cut to microseconds.

use chrono::{DateTime, Datelike, NaiveDate, Utc};
use jiff::Timestamp;
use jiff::civil::Date;

/// The year 1: what lies before it is outside PostgreSQL's range, and before everything.
const EARLIEST: Timestamp = Timestamp::constant(-62_135_596_800, 0);

/// As PostgreSQL keeps it.
pub(super) fn stored(at: Timestamp) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(at.max(EARLIEST).as_microsecond())
        .expect("every jiff time lies within chrono's range")
}

/// As the domain reads it; the error says what is wrong with the value.
pub(super) fn read(at: DateTime<Utc>) -> Result<Timestamp, String> {
    Timestamp::from_microsecond(at.timestamp_micros()).map_err(|error| error.to_string())
}

/// A day as PostgreSQL keeps it.
pub(super) fn stored_day(day: Date) -> NaiveDate {
    NaiveDate::from_ymd_opt(
        day.year().into(),
        day.month().unsigned_abs().into(),
        day.day().unsigned_abs().into(),
    )
    .expect("every jiff day lies within chrono's range")
}

/// A day as the domain reads it; the error says what is wrong with the value.
pub(super) fn read_day(day: NaiveDate) -> Result<Date, String> {
    let out_of_range = || format!("{day} is out of range");
    let year = i16::try_from(day.year()).map_err(|_| out_of_range())?;
    let month = i8::try_from(day.month()).map_err(|_| out_of_range())?;
    let date = i8::try_from(day.day()).map_err(|_| out_of_range())?;
    Date::new(year, month, date).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_cut_to_microseconds() {
        let at: Timestamp = "2026-03-01T10:11:12.123456789Z".parse().expect("a time");
        assert_eq!(read(stored(at)), Ok("2026-03-01T10:11:12.123456Z".parse().expect("a time")));
    }

    #[test]
    fn days_come_back_as_they_were() {
        for day in [Date::constant(2024, 2, 29), Date::MIN, Date::MAX] {
            assert_eq!(read_day(stored_day(day)), Ok(day));
        }
        assert!(read_day(NaiveDate::MAX).is_err());
    }
}

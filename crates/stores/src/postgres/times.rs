//! Times and days between the domain and the driver: UTC, cut to microseconds.

use chrono::{DateTime, NaiveDate, Utc};
use jiff::Timestamp;
use jiff::civil::Date;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgTypeInfo, PgValueFormat, PgValueRef};
use sqlx::{Decode, Postgres, Type};

/// The year 1: what lies before it is outside PostgreSQL's range, and before everything.
const EARLIEST: Timestamp = Timestamp::constant(-62_135_596_800, 0);

/// PostgreSQL counts times and days from here.
const EPOCH: Timestamp = Timestamp::constant(946_684_800, 0);
const EPOCH_DAY: Date = Date::constant(2000, 1, 1);

/// A TIMESTAMPTZ as it came: microseconds since 2000. Read here and not by the driver's own types,
/// which panic at `infinity` and at other times that PostgreSQL can keep and they can't.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment(i64);

/// A DATE as it came: days since 2000.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Day(i32);

impl Type<Postgres> for Moment {
    fn type_info() -> PgTypeInfo {
        <DateTime<Utc> as Type<Postgres>>::type_info()
    }
}

impl Decode<'_, Postgres> for Moment {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        Ok(Self(i64::from_be_bytes(binary(&value)?.try_into()?)))
    }
}

impl Type<Postgres> for Day {
    fn type_info() -> PgTypeInfo {
        <NaiveDate as Type<Postgres>>::type_info()
    }
}

impl Decode<'_, Postgres> for Day {
    fn decode(value: PgValueRef<'_>) -> Result<Self, BoxDynError> {
        Ok(Self(i32::from_be_bytes(binary(&value)?.try_into()?)))
    }
}

/// Every statement of ours is prepared, and what is prepared answers in binary.
fn binary<'v>(value: &PgValueRef<'v>) -> Result<&'v [u8], BoxDynError> {
    match value.format() {
        PgValueFormat::Binary => value.as_bytes(),
        PgValueFormat::Text => Err("a time in text form".into()),
    }
}

/// As PostgreSQL keeps it.
pub(super) fn stored(at: Timestamp) -> DateTime<Utc> {
    DateTime::from_timestamp_micros(at.max(EARLIEST).as_microsecond())
        .expect("every jiff time lies within chrono's range")
}

/// As the domain reads it; the error says what is wrong with the value.
pub(super) fn read(at: Moment) -> Result<Timestamp, String> {
    match at.0 {
        i64::MAX => Err("infinity is no time of ours".to_owned()),
        i64::MIN => Err("-infinity is no time of ours".to_owned()),
        micros => micros
            .checked_add(EPOCH.as_microsecond())
            .ok_or_else(|| format!("{micros} microseconds after 2000 is out of range"))
            .and_then(|micros| Timestamp::from_microsecond(micros).map_err(|error| error.to_string())),
    }
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
pub(super) fn read_day(day: Day) -> Result<Date, String> {
    let after = jiff::Span::new().try_days(day.0).map_err(|error| error.to_string())?;
    EPOCH_DAY.checked_add(after).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As the server sends back what was stored.
    fn moment(at: Timestamp) -> Moment {
        Moment(stored(at).timestamp_micros() - EPOCH.as_microsecond())
    }

    #[test]
    fn times_are_cut_to_microseconds() {
        let at: Timestamp = "2026-03-01T10:11:12.123456789Z".parse().expect("a time");
        assert_eq!(read(moment(at)), Ok("2026-03-01T10:11:12.123456Z".parse().expect("a time")));
    }

    #[test]
    fn days_come_back_as_they_were() {
        let epoch = stored_day(EPOCH_DAY);
        for day in [Date::constant(2024, 2, 29), Date::MIN, Date::MAX, EPOCH_DAY] {
            let days = (stored_day(day) - epoch).num_days();
            assert_eq!(read_day(Day(days.try_into().expect("a day of ours"))), Ok(day));
        }
    }

    #[test]
    fn what_postgresql_can_keep_and_we_cannot_is_told_in_words() {
        let end_of_its_calendar = 9_223_371_331_200_000_000 - 1;
        for micros in [i64::MAX, i64::MIN, end_of_its_calendar, i64::MAX - 1, i64::MIN + 1] {
            assert!(read(Moment(micros)).is_err_and(|words| !words.is_empty()), "{micros}");
        }
        for days in [i32::MAX, i32::MIN, 2_145_031_948, 5_000_000] {
            assert!(read_day(Day(days)).is_err_and(|words| !words.is_empty()), "{days}");
        }
    }
}

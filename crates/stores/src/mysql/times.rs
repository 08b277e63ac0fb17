//! Times in the mailbox: local wall time without a zone, in columns of several types, some of
//! them with values that are no time at all.
//!
//! A DATETIME holds wall time of the site's zone, whatever the session's; a TIMESTAMP holds an
//! instant, which the server shows in the session's offset. The first is converted here by the
//! zone's rules, the second is exchanged as seconds since 1970: both are right on the nights
//! when clocks change. Values are read as text: a zero date is `None`, never an error.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;

/// How a column keeps time. `digits` of a second are kept; more are cut, not rounded, so that
/// what is read back is what was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum TimeColumn {
    /// DATETIME, DATE, or text.
    Wall {
        /// 0 to 6.
        digits: u32,
    },
    /// TIMESTAMP.
    Instant {
        /// 0 to 6.
        digits: u32,
    },
}

impl TimeColumn {
    /// SQL that reads the (quoted) column as bytes for [`parse`].
    pub(super) fn read(self, column: &str) -> String {
        match self {
            Self::Wall { .. } => format!("CAST(CAST({column} AS CHAR) AS BINARY)"),
            Self::Instant { .. } => format!("CAST(CAST(UNIX_TIMESTAMP({column}) AS CHAR) AS BINARY)"),
        }
    }

    /// SQL of a value bound as the text of [`text`].
    pub(super) fn write(self) -> &'static str {
        match self {
            Self::Wall { .. } => "?",
            Self::Instant { .. } => "FROM_UNIXTIME(CAST(? AS DECIMAL(20,6)))",
        }
    }
}

/// The time a column shows; `None` for what is no time.
pub(super) fn parse(column: TimeColumn, text: &str, zone: &TimeZone) -> Option<Timestamp> {
    match column {
        TimeColumn::Wall { .. } => {
            let wall: DateTime = text.trim().parse().ok()?;
            zone.to_timestamp(wall).ok()
        }
        TimeColumn::Instant { .. } => {
            let (seconds, fraction) = text.split_once('.').unwrap_or((text, ""));
            let nanoseconds = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
            // The zero date of a TIMESTAMP is shown as 0.
            let seconds = seconds.parse().ok().filter(|seconds| *seconds > 0)?;
            Timestamp::new(seconds, nanoseconds).ok()
        }
    }
}

/// The text that writes a time.
pub(super) fn text(column: TimeColumn, at: Timestamp, zone: &TimeZone) -> String {
    match column {
        TimeColumn::Wall { digits } => {
            let wall = zone.to_datetime(at);
            let whole = wall.strftime("%Y-%m-%d %H:%M:%S").to_string();
            with_fraction(whole, wall.subsec_nanosecond(), digits)
        }
        TimeColumn::Instant { digits } => {
            with_fraction(at.as_second().to_string(), at.subsec_nanosecond(), digits)
        }
    }
}

fn with_fraction(whole: String, nanoseconds: i32, digits: u32) -> String {
    let kept = digits.min(6) as usize;
    match kept {
        0 => whole,
        _ => format!("{whole}.{}", &format!("{nanoseconds:09}")[..kept]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn zone(name: &str) -> TimeZone {
        TimeZone::get(name).expect("zone")
    }

    #[test]
    fn wall_time_is_read_by_the_zones_rules_and_nonsense_is_none() {
        let wall = TimeColumn::Wall { digits: 6 };
        for (text, expected) in [
            ("2026-03-01 08:00:00", Some("2026-03-01T00:00:00Z")),
            ("2026-03-01 08:00:00.123456", Some("2026-03-01T00:00:00.123456Z")),
            ("2026-03-01", Some("2026-02-28T16:00:00Z")),
            ("0000-00-00 00:00:00", None),
            ("2026-00-10 00:00:00", None),
            ("2026-02-30 00:00:00", None),
            ("", None),
            ("yesterday", None),
        ] {
            let expected = expected.map(|text| text.parse().expect("time"));
            assert_eq!(parse(wall, text, &zone("Asia/Shanghai")), expected, "{text}");
        }
    }

    #[test]
    fn instants_are_read_as_seconds_and_zero_is_none() {
        let instant = TimeColumn::Instant { digits: 6 };
        for (text, expected) in [
            ("1772323200", Some("2026-03-01T00:00:00Z")),
            ("1772323200.250000", Some("2026-03-01T00:00:00.25Z")),
            ("0", None),
            ("0.000000", None),
            ("", None),
        ] {
            let expected = expected.map(|text| text.parse().expect("time"));
            assert_eq!(parse(instant, text, &TimeZone::UTC), expected, "{text}");
        }
    }

    #[test]
    fn digits_beyond_the_column_are_cut_and_not_rounded() {
        let at: Timestamp = "2026-03-01T00:00:59.999999999Z".parse().expect("time");
        let shanghai = zone("Asia/Shanghai");
        for (column, expected) in [
            (TimeColumn::Wall { digits: 0 }, "2026-03-01 08:00:59"),
            (TimeColumn::Wall { digits: 3 }, "2026-03-01 08:00:59.999"),
            (TimeColumn::Wall { digits: 6 }, "2026-03-01 08:00:59.999999"),
            (TimeColumn::Instant { digits: 0 }, "1772323259"),
            (TimeColumn::Instant { digits: 3 }, "1772323259.999"),
        ] {
            assert_eq!(text(column, at, &shanghai), expected);
        }
    }

    #[test]
    fn the_hour_that_happens_twice_is_exact_as_an_instant() {
        let berlin = zone("Europe/Berlin");
        let instant = TimeColumn::Instant { digits: 0 };
        for at in ["2026-10-25T00:30:00Z", "2026-10-25T01:30:00Z"] {
            let at: Timestamp = at.parse().expect("time");
            assert_eq!(parse(instant, &text(instant, at, &berlin), &berlin), Some(at));
        }
    }
}

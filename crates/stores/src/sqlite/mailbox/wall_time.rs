//! Date columns: local wall time as text, in the zone of the mailbox.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, TimeZone};

/// `YYYY-MM-DD HH:MM:SS`, with a fraction of up to six digits where there is one.
pub(super) fn write(time: Timestamp, zone: &TimeZone) -> String {
    let micros = Timestamp::from_microsecond(time.as_microsecond()).unwrap_or(time);
    zone.to_datetime(micros).strftime("%Y-%m-%d %H:%M:%S%.f").to_string()
}

/// `None` for what is no time, or none that ever was in this zone.
pub(super) fn read(text: &str, zone: &TimeZone) -> Option<Timestamp> {
    let wall: DateTime = text.parse().ok()?;
    let time = zone.to_ambiguous_timestamp(wall);
    let never_was = matches!(time.offset(), AmbiguousOffset::Gap { .. });
    if never_was { None } else { time.compatible().ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_time_is_written_and_read_in_the_zone_of_the_mailbox() {
        let zone = TimeZone::get("Asia/Shanghai").expect("a known zone");
        for (utc, wall) in [
            ("2026-03-01T16:30:00Z", "2026-03-02 00:30:00"),
            ("2026-03-01T16:30:00.5Z", "2026-03-02 00:30:00.5"),
            ("2026-03-01T16:30:00.000001Z", "2026-03-02 00:30:00.000001"),
        ] {
            let time: Timestamp = utc.parse().expect("a time");
            assert_eq!(write(time, &zone), wall);
            assert_eq!(read(wall, &zone), Some(time));
        }
    }

    #[test]
    fn what_is_no_time_is_none() {
        let zone = TimeZone::get("Europe/Berlin").expect("a known zone");
        for text in ["", "0000-00-00 00:00:00", "yesterday", "2026-02-30 12:00:00", "2026-03-29 02:30:00"] {
            assert_eq!(read(text, &zone), None, "{text}");
        }
    }
}

//! When a night's work is due.

use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};

/// The next beginning of `hour` (0 to 23) on the clocks of `zone`, after `now`. Where that hour is
/// skipped in spring, the one after it.
pub(super) fn next_night(now: Timestamp, hour: i8, zone: &TimeZone) -> Timestamp {
    let today = zone.to_datetime(now).date();
    let at = |days: i64| {
        let day = today.checked_add(days.days()).ok()?;
        zone.to_timestamp(day.at(hour.clamp(0, 23), 0, 0, 0)).ok()
    };
    [0, 1].into_iter().filter_map(at).find(|at| *at > now).unwrap_or(Timestamp::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_night_lies_ahead_and_never_further_than_a_day_and_an_hour() {
        let shanghai = TimeZone::get("Asia/Shanghai").expect("a zone");
        let berlin = TimeZone::get("Europe/Berlin").expect("a zone");
        for (now, zone, expected) in [
            ("2026-05-01T18:59:59Z", &shanghai, "2026-05-01T19:00:00Z"),
            ("2026-05-01T19:00:00Z", &shanghai, "2026-05-02T19:00:00Z"),
            ("2026-05-01T02:00:00Z", &shanghai, "2026-05-01T19:00:00Z"),
            ("2026-10-24T01:00:00Z", &berlin, "2026-10-25T02:00:00Z"),
            ("2026-03-28T02:00:00Z", &berlin, "2026-03-29T01:00:00Z"),
        ] {
            let [now, expected] = [now, expected].map(|at| at.parse::<Timestamp>().expect("a time"));
            assert_eq!(next_night(now, 3, zone), expected, "after {now}");
        }
    }
}

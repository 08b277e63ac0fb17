//! Every form that was seen is read, any other is refused, and writing loses nothing.

use jiff::civil::{date, time};

use super::*;

#[test]
fn every_seen_form_is_read() {
    for (text, kind, expected) in [
        ("07APR260915", ValueKind::Time, Value::Time(date(2026, 4, 7).at(9, 15, 0, 0))),
        ("07Apr260915", ValueKind::Time, Value::Time(date(2026, 4, 7).at(9, 15, 0, 0))),
        ("29FEB28", ValueKind::Time, Value::Time(date(2028, 2, 29).at(0, 0, 0, 0))),
        ("2026-04-07", ValueKind::Time, Value::Time(date(2026, 4, 7).at(0, 0, 0, 0))),
        ("20260407", ValueKind::Time, Value::Time(date(2026, 4, 7).at(0, 0, 0, 0))),
        ("2026-04-07 09:15:03", ValueKind::Time, Value::Time(date(2026, 4, 7).at(9, 15, 3, 0))),
        ("20260407091503", ValueKind::Time, Value::Time(date(2026, 4, 7).at(9, 15, 3, 0))),
        ("29MAR26", ValueKind::Date, Value::Date(date(2026, 3, 29))),
        ("0915", ValueKind::Clock, Value::Clock(time(9, 15, 0, 0))),
        ("0110", ValueKind::Minutes, Value::Minutes(70)),
        ("174", ValueKind::Integer, Value::Integer(174)),
        ("\u{201d}1\u{201d}", ValueKind::Integer, Value::Integer(1)),
        ("180.0", ValueKind::Integer, Value::Integer(180)),
        ("180.5", ValueKind::Integer, Value::Decimal("180.5".into())),
        ("99999999999999999999", ValueKind::Integer, Value::Decimal("99999999999999999999".into())),
        ("01234.50", ValueKind::Decimal, Value::Decimal("01234.50".into())),
    ] {
        assert_eq!(read(text, kind, false), Ok(expected), "{text}");
    }
}

#[test]
fn any_other_form_is_refused() {
    for (text, kind) in [
        ("31FEB260915", ValueKind::Time),
        ("07APR262460", ValueKind::Time),
        ("07APR26091", ValueKind::Time),
        ("+7APR260915", ValueKind::Time),
        ("07\u{56db}\u{6708}260", ValueKind::Time),
        ("2026-04-07 09-15-03", ValueKind::Time),
        ("2026/04/07", ValueKind::Date),
        ("2400", ValueKind::Clock),
        ("9:15", ValueKind::Clock),
        ("035", ValueKind::Minutes),
        ("12x", ValueKind::Integer),
        ("\u{ff11}\u{ff12}", ValueKind::Integer),
        ("1.", ValueKind::Decimal),
        ("1e3", ValueKind::Decimal),
    ] {
        assert!(read(text, kind, false).is_err(), "{text}");
    }
    assert!(read("12.0", ValueKind::Integer, true).is_err());
}

#[test]
fn writing_gives_the_narrow_form_and_loses_nothing() {
    let minute = date(2026, 4, 7).at(9, 15, 0, 0);
    assert_eq!(write(&Value::Time(minute)), "07APR260915");
    for value in [Value::Time(date(2026, 4, 7).at(9, 15, 3, 0)), Value::Time(date(1999, 4, 7).at(9, 0, 0, 0))]
    {
        assert_eq!(read(&write(&value), ValueKind::Time, false), Ok(value));
    }
}

#[test]
fn every_duration_of_four_digits_comes_back() {
    for digits in 0..10_000 {
        let read = |text: &str| read(text, ValueKind::Minutes, false);
        let value = read(&format!("{digits:04}")).expect("four digits");
        assert_eq!(read(&write(&value)), Ok(value), "{digits}");
    }
}

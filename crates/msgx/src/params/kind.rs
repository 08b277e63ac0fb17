//! Types of parameters: what form each accepts, in words.

use std::time::Duration;

/// Type of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Any text; empty means "not set".
    Text,
    /// A URL of this scheme, with credentials; empty means "not set".
    Url(&'static str),
    /// A whole number within inclusive bounds.
    Integer(i64, i64),
    /// `true` or `false`.
    Bool,
    /// A duration such as `200 ms`, `5 min`, `30 d`; above zero.
    Duration,
    /// Milliseconds as a whole number above zero.
    Millis,
    /// A size such as `10 MB`; above zero.
    Bytes,
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// Comma-separated texts.
    List,
    /// An IANA time zone.
    TimeZone,
    /// `earliest`, `latest` or an ID.
    StartAt,
}

impl Kind {
    /// The accepted form, for messages and documentation.
    pub(crate) fn form(self) -> String {
        match self {
            Self::Text => "text".into(),
            Self::Url(scheme) => format!("URL {scheme}://user:password@host:port/database"),
            Self::Integer(low, high) if high == i64::MAX => format!("whole number from {low}"),
            Self::Integer(low, high) => format!("whole number {low} to {high}"),
            Self::Bool => "true | false".into(),
            Self::Duration => "duration such as 200 ms, 5 min, 30 d".into(),
            Self::Millis => "milliseconds, whole number above 0".into(),
            Self::Bytes => "size such as 512 KB, 10 MB".into(),
            Self::OneOf(words) => words.join(" | "),
            Self::List => "comma-separated list".into(),
            Self::TimeZone => "IANA time zone such as Asia/Shanghai".into(),
            Self::StartAt => "earliest | latest | a message ID".into(),
        }
    }

    /// Has `text` the accepted form?
    pub(crate) fn check(self, text: &str) -> Result<(), String> {
        let good = match self {
            Self::Text | Self::List => true,
            Self::Url(scheme) => {
                text.is_empty() || text.strip_prefix(scheme).is_some_and(|rest| rest.starts_with("://"))
            }
            Self::Integer(low, high) => text.parse::<i64>().is_ok_and(|n| (low..=high).contains(&n)),
            Self::Bool => matches!(text, "true" | "false"),
            Self::Duration => parse_duration(text).is_some_and(|duration| !duration.is_zero()),
            Self::Millis => text.parse::<u32>().is_ok_and(|n| n > 0),
            Self::Bytes => parse_bytes(text).is_some_and(|bytes| bytes > 0),
            Self::OneOf(words) => words.contains(&text),
            Self::TimeZone => jiff::tz::TimeZone::get(text).is_ok(),
            Self::StartAt => {
                matches!(text, "earliest" | "latest")
                    || text.parse::<u32>().is_ok()
                    || text.parse::<i64>().is_ok_and(|n| n >= 0)
            }
        };
        if good { Ok(()) } else { Err(format!("'{text}' is not accepted; expected: {}", self.form())) }
    }
}

/// Number and unit of a text such as `10 MB` or `200ms`.
fn split(text: &str) -> Option<(u64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    Some((text[..end].parse().ok()?, text[end..].trim()))
}

/// Ten years: what is longer is a slip of the keyboard, and times far away overflow.
const LONGEST: Duration = Duration::from_secs(3_650 * 86_400);

/// Reads a duration of at most ten years; `None` where the form is unknown.
pub(crate) fn parse_duration(text: &str) -> Option<Duration> {
    let (number, unit) = split(text)?;
    let millis = match unit {
        "ms" => 1,
        "s" => 1_000,
        "m" | "min" => 60_000,
        "h" => 3_600_000,
        "d" => 86_400_000,
        _ => return None,
    };
    number.checked_mul(millis).map(Duration::from_millis).filter(|duration| *duration <= LONGEST)
}

/// A duration as [`parse_duration`] reads it, in the largest whole unit.
pub(crate) fn format_duration(duration: Duration) -> String {
    let millis = duration.as_millis();
    for (unit, size) in [("d", 86_400_000), ("h", 3_600_000), ("min", 60_000), ("s", 1_000)] {
        if millis >= size && millis.is_multiple_of(size) {
            return format!("{} {unit}", millis / size);
        }
    }
    format!("{millis} ms")
}

/// Reads a size in bytes (`KB`, `MB`, `GB` of 1,024); `None` where the form is unknown.
pub(crate) fn parse_bytes(text: &str) -> Option<u64> {
    let (number, unit) = split(text)?;
    let size = match unit {
        "" | "B" => 1,
        "KB" => 1 << 10,
        "MB" => 1 << 20,
        "GB" => 1 << 30,
        _ => return None,
    };
    number.checked_mul(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_are_read_with_and_without_blank() {
        let cases = [("200ms", 200), ("5 min", 300_000), ("1 d", 86_400_000), ("30s", 30_000)];
        for (text, millis) in cases {
            assert_eq!(parse_duration(text), Some(Duration::from_millis(millis)), "{text}");
        }
        assert_eq!(parse_bytes("10 MB"), Some(10 << 20));
        for text in ["", "5", "5 weeks", "-1 s", "1.5 s", "99999999 d"] {
            assert_eq!(parse_duration(text), None, "{text}");
        }
    }

    #[test]
    fn a_formatted_duration_reads_back() {
        for millis in [1, 1_500, 60_000, 3_600_000, 86_400_000 * 30] {
            let duration = Duration::from_millis(millis);
            assert_eq!(parse_duration(&format_duration(duration)), Some(duration));
        }
    }

    #[test]
    fn a_url_has_its_scheme() {
        for (text, good) in
            [("", true), ("mysql://a@b/c", true), ("postgres://a@b/c", false), ("mysql", false)]
        {
            assert_eq!(Kind::Url("mysql").check(text).is_ok(), good, "{text}");
        }
    }

    #[test]
    fn a_bad_value_is_told_with_the_accepted_form() {
        let error = Kind::Integer(1, 100).check("0").expect_err("below the bound");
        assert_eq!(error, "'0' is not accepted; expected: whole number 1 to 100");
    }
}

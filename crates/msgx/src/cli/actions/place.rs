//! Conditions on ID and time, which every kind of target has.

use engine::ports::Filter;
use jiff::tz::TimeZone;

use super::order::time;

/// By ID and time.
#[derive(Debug, clap::Args)]
pub(super) struct Place {
    /// Smallest ID
    #[arg(long, value_name = "ID")]
    first: Option<i64>,
    /// Largest ID
    #[arg(long, value_name = "ID")]
    last: Option<i64>,
    /// Taken up (found, written) at or after
    #[arg(long, value_name = "TIME")]
    since: Option<String>,
    /// Taken up (found, written) before
    #[arg(long, value_name = "TIME")]
    until: Option<String>,
}

impl Place {
    pub(super) fn filter(&self, zone: &TimeZone) -> Result<Filter, String> {
        let time = |option: &str, value: &Option<String>| {
            value.as_deref().map(|value| time(option, value, zone)).transpose()
        };
        Ok(Filter {
            first: self.first,
            last: self.last,
            since: time("--since", &self.since)?,
            until: time("--until", &self.until)?,
            ..Filter::default()
        })
    }

    pub(super) fn given(&self) -> [(&'static str, Option<String>); 4] {
        [
            ("--first", self.first.map(|id| id.to_string())),
            ("--last", self.last.map(|id| id.to_string())),
            ("--since", self.since.clone()),
            ("--until", self.until.clone()),
        ]
    }
}

//! What every action is given: targets, who, why, and how far to go.

use std::process::ExitCode;

use domain::lifecycle::Act;
use domain::message::text;
use engine::ports::{Filter, Selection};
use jiff::tz::TimeZone;

use super::acting::{Acting, Told};
use crate::cli::{Global, Refused, runtime};
use crate::clock::now;
use crate::settings;
use crate::wiring::with_present_stack;

/// Conditions of a kind of targets.
pub(crate) trait Conditions: clap::Args {
    /// As a filter; the error says what can't be read.
    fn filter(&self, zone: &TimeZone) -> Result<Filter, String>;

    /// In words, as they are given; empty when there are none.
    fn words(&self) -> String;
}

#[derive(Debug, clap::Args)]
pub(crate) struct Order<F: Conditions> {
    /// Targets by ID; or a filter
    #[arg(value_name = "ID")]
    ids: Vec<i64>,
    #[command(flatten)]
    conditions: F,
    /// Everything the act can be done to
    #[arg(long)]
    all: bool,
    /// Who does it
    #[arg(long, value_name = "NAME", required_unless_present = "dry_run")]
    by: Option<String>,
    /// Why
    #[arg(long, value_name = "WORDS", required_unless_present = "dry_run")]
    reason: Option<String>,
    /// Name of this operation, to go on after an interruption (default: made up and printed)
    #[arg(long, value_name = "NAME")]
    operation: Option<String>,
    /// Show what would be done, and do nothing
    #[arg(long)]
    dry_run: bool,
    /// Don't ask before acting on what a filter matches
    #[arg(long)]
    yes: bool,
}

impl<F: Conditions> Order<F> {
    /// Carries it out.
    pub(crate) fn run(self, act: Act, global: &Global) -> anyhow::Result<ExitCode> {
        let config = global.load()?;
        let zone = config.zone("airport.time-zone");
        let (selection, words) = self.selection(&zone).map_err(refused)?;
        let by = given("--by", self.by.unwrap_or_default(), 100, self.dry_run).map_err(refused)?;
        let reason =
            given("--reason", self.reason.unwrap_or_default(), 1_000, self.dry_run).map_err(refused)?;
        let is_new = self.operation.is_none();
        let name = self.operation.unwrap_or_else(|| made_up(act));
        let operation = given("--operation", name, 64, false).map_err(refused)?;
        let acting = Acting {
            act,
            selection,
            words,
            by,
            reason,
            operation,
            is_new,
            dry_run: self.dry_run,
            yes: self.yes,
            told: Told::new(global.json()),
            policy: settings::policy(&config)?,
            bodies: settings::bodies(&config),
        };
        runtime()?.block_on(with_present_stack(&config, acting))
    }

    fn selection(&self, zone: &TimeZone) -> Result<(Selection, String), String> {
        let conditions = self.conditions.words();
        match (self.ids.is_empty(), conditions.is_empty(), self.all) {
            (false, true, false) => {
                let ids: Vec<String> = self.ids.iter().map(ToString::to_string).collect();
                let words = format!("{} ID(s): {}", ids.len(), ids.join(","));
                Ok((Selection::Ids(self.ids.clone()), text(&words, 1_000)))
            }
            (true, false, false) => {
                Ok((Selection::Filter(self.conditions.filter(zone)?), text(&conditions, 1_000)))
            }
            (true, true, true) => Ok((Selection::Filter(Filter::default()), "--all".to_owned())),
            (true, true, false) => Err("name targets by ID, give a filter, or --all".to_owned()),
            (false, _, _) | (_, false, true) => {
                Err("IDs, filters and --all exclude each other: give one of them".to_owned())
            }
        }
    }
}

/// A name of its own for each start of the command.
pub(super) fn made_up(act: Act) -> String {
    let at = now().strftime("%Y%m%dT%H%M%S%6f");
    format!("{}-{at}-{}", act.as_str(), std::process::id())
}

/// A text that must not be empty, unless nothing is done.
pub(super) fn given(option: &str, value: String, chars_max: usize, may_lack: bool) -> Result<String, String> {
    let value = value.trim().to_owned();
    if value.is_empty() && !may_lack {
        return Err(format!("{option}: must not be empty"));
    }
    if value.chars().count() > chars_max || value.contains('\0') {
        return Err(format!("{option}: at most {chars_max} characters, without NUL"));
    }
    Ok(value)
}

pub(super) fn refused(words: String) -> Refused {
    Refused(vec![words])
}

/// A time as people write it: with its zone, or as local time of the airport.
pub(super) fn time(option: &str, value: &str, zone: &TimeZone) -> Result<jiff::Timestamp, String> {
    if let Ok(time) = value.parse::<jiff::Timestamp>() {
        return Ok(time);
    }
    let local = value.parse::<jiff::civil::DateTime>();
    let local = local.or_else(|_| value.parse::<jiff::civil::Date>().map(|day| day.at(0, 0, 0, 0)));
    let local = local.map_err(|_| {
        format!("{option}: '{value}' is no time; expected: 2026-04-07, 2026-04-07T08:30 (at the airport), 2026-04-07T00:30Z")
    })?;
    zone.to_timestamp(local).map_err(|error| format!("{option}: {value}: {error}"))
}

#[cfg(test)]
mod tests {
    use jiff::tz::Offset;

    use super::*;

    #[test]
    fn times_are_the_airports_unless_they_say_otherwise() {
        let zone = TimeZone::fixed(Offset::constant(8));
        for (given, expected) in [
            ("2026-04-07", "2026-04-06T16:00:00Z"),
            ("2026-04-07T08:30", "2026-04-07T00:30:00Z"),
            ("2026-04-07 08:30:15", "2026-04-07T00:30:15Z"),
            ("2026-04-07T08:30:00Z", "2026-04-07T08:30:00Z"),
        ] {
            assert_eq!(time("--since", given, &zone).map(|time| time.to_string()), Ok(expected.to_owned()));
        }
        let error = time("--since", "soon", &zone).expect_err("no time");
        assert!(error.starts_with("--since: 'soon'"), "{error}");
    }

    #[test]
    fn texts_are_bounded_and_not_empty() {
        assert_eq!(given("--by", " ann ".into(), 100, false), Ok("ann".to_owned()));
        for (value, may_lack, good) in [
            ("", false, false),
            (" ", true, true),
            ("汉".repeat(101).as_str(), true, false),
            ("a\0", true, false),
        ] {
            assert_eq!(given("--by", value.to_owned(), 100, may_lack).is_ok(), good, "{value:?}");
        }
    }
}

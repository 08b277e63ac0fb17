//! Filters, per kind of target.

use domain::message::{ErrorClass, State};
use engine::ports::Filter;
use jiff::tz::TimeZone;

use super::order::Conditions;
use super::place::Place;

/// Conditions on dead letters and failed heads.
#[derive(Debug, clap::Args)]
pub(crate) struct DeadLetters {
    /// Class, such as EXHAUSTED
    #[arg(long, value_name = "CLASS", value_parser = class)]
    class: Option<ErrorClass>,
    /// TYPE, such as FLOP
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// STYP
    #[arg(long = "styp", value_name = "STYP")]
    subtype: Option<String>,
    /// DEAD (default) or FAILED
    #[arg(long, value_name = "STATE", value_parser = state)]
    state: Option<State>,
    /// SNDR
    #[arg(long, value_name = "SNDR")]
    sender: Option<String>,
    #[command(flatten)]
    place: Place,
    /// Part of the error, % for anything: 'CODEC_ERROR%'
    #[arg(long, value_name = "PATTERN")]
    reason_like: Option<String>,
}

/// Conditions on marks that were given up.
#[derive(Debug, clap::Args)]
pub(crate) struct GivenUp {
    /// TYPE, such as FLOP
    #[arg(long = "type", value_name = "TYPE")]
    kind: Option<String>,
    /// STYP
    #[arg(long = "styp", value_name = "STYP")]
    subtype: Option<String>,
    /// SNDR
    #[arg(long, value_name = "SNDR")]
    sender: Option<String>,
    #[command(flatten)]
    place: Place,
    /// OVERDUE or MISSING_ROW
    #[arg(long, value_name = "PATTERN")]
    reason_like: Option<String>,
}

/// Conditions on rows found too late.
#[derive(Debug, clap::Args)]
pub(crate) struct LateRows {
    #[command(flatten)]
    place: Place,
}

/// Conditions on dead events.
#[derive(Debug, clap::Args)]
pub(crate) struct DeadEvents {
    /// KAFKA:msg or KAFKA:schd
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    #[command(flatten)]
    place: Place,
    /// Part of the error, % for anything
    #[arg(long, value_name = "PATTERN")]
    reason_like: Option<String>,
}

impl Conditions for DeadLetters {
    fn filter(&self, zone: &TimeZone) -> Result<Filter, String> {
        Ok(Filter {
            class: self.class,
            kind: self.kind.clone(),
            subtype: self.subtype.clone(),
            state: self.state,
            sender: self.sender.clone(),
            reason_like: self.reason_like.clone(),
            ..self.place.filter(zone)?
        })
    }

    fn words(&self) -> String {
        words(
            [
                ("--class", self.class.map(|class| class.to_string())),
                ("--type", self.kind.clone()),
                ("--styp", self.subtype.clone()),
                ("--state", self.state.map(|state| state.as_str().to_owned())),
                ("--sender", self.sender.clone()),
                ("--reason-like", self.reason_like.clone()),
            ]
            .into_iter()
            .chain(self.place.given()),
        )
    }
}

impl Conditions for GivenUp {
    fn filter(&self, zone: &TimeZone) -> Result<Filter, String> {
        Ok(Filter {
            kind: self.kind.clone(),
            subtype: self.subtype.clone(),
            sender: self.sender.clone(),
            reason_like: self.reason_like.clone(),
            ..self.place.filter(zone)?
        })
    }

    fn words(&self) -> String {
        words(
            [
                ("--type", self.kind.clone()),
                ("--styp", self.subtype.clone()),
                ("--sender", self.sender.clone()),
                ("--reason-like", self.reason_like.clone()),
            ]
            .into_iter()
            .chain(self.place.given()),
        )
    }
}

impl Conditions for LateRows {
    fn filter(&self, zone: &TimeZone) -> Result<Filter, String> {
        self.place.filter(zone)
    }

    fn words(&self) -> String {
        words(self.place.given())
    }
}

impl Conditions for DeadEvents {
    fn filter(&self, zone: &TimeZone) -> Result<Filter, String> {
        Ok(Filter {
            kind: self.target.clone(),
            reason_like: self.reason_like.clone(),
            ..self.place.filter(zone)?
        })
    }

    fn words(&self) -> String {
        let own = [("--target", self.target.clone()), ("--reason-like", self.reason_like.clone())];
        words(own.into_iter().chain(self.place.given()))
    }
}

fn words(given: impl IntoIterator<Item = (&'static str, Option<String>)>) -> String {
    let given = given.into_iter().filter_map(|(option, value)| Some(format!("{option} {}", value?)));
    given.collect::<Vec<_>>().join(" ")
}

fn class(name: &str) -> Result<ErrorClass, String> {
    let names = ErrorClass::ALL.map(ErrorClass::as_str).join(", ");
    ErrorClass::parse(&name.to_uppercase()).ok_or_else(|| format!("expected one of: {names}"))
}

fn state(name: &str) -> Result<State, String> {
    match State::parse(&name.to_uppercase()) {
        Some(state @ (State::Dead | State::Failed)) => Ok(state),
        Some(State::Pending | State::Succeeded | State::Skipped | State::Archived) | None => {
            Err("expected DEAD or FAILED: nothing else is replayed or skipped".to_owned())
        }
    }
}

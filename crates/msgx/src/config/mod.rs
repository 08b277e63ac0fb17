//! Effective configuration: defaults, then file, then environment, then `--set`; later wins.
//! Every mistake is collected and reported together, each with key, source and accepted form.

mod gather;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::params::{self, Param, parse_bytes, parse_duration};
use gather::{gather, resolve};

/// Where a value came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Source {
    Default,
    File(PathBuf),
    Environment(String),
    CommandLine,
}

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => f.write_str("default"),
            Self::File(path) => write!(f, "{}", path.display()),
            Self::Environment(name) => write!(f, "environment {name}"),
            Self::CommandLine => f.write_str("command line"),
        }
    }
}

/// All mistakes of a configuration, one per line.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.join("\n"))]
pub(crate) struct ConfigErrors(pub(crate) Vec<String>);

/// Where to look; `environment` is an argument so that tests own it.
#[derive(Debug, Default)]
pub(crate) struct Sources {
    /// `--config`; else `msgx.toml` if it is there.
    pub(crate) file: Option<PathBuf>,
    /// Environment variables.
    pub(crate) environment: Vec<(String, String)>,
    /// `--set key=value`.
    pub(crate) sets: Vec<String>,
}

/// The effective value of every parameter.
#[derive(Debug, Clone)]
pub(crate) struct Config {
    values: BTreeMap<&'static str, (String, Source)>,
}

impl Config {
    /// Reads all sources.
    pub(crate) fn load(sources: &Sources) -> Result<Self, ConfigErrors> {
        let mut errors = Vec::new();
        let mut config = Self {
            values: params::all().map(|p| (p.key, (p.default.to_owned(), Source::Default))).collect(),
        };
        for (key, value, source) in gather(sources, &mut errors) {
            config.put(&key, value, source, &mut errors);
        }
        if errors.is_empty() { Ok(config) } else { Err(ConfigErrors(errors)) }
    }

    /// Sets one value as the command line would; for commands with options of their own.
    pub(crate) fn set(&mut self, key: &str, value: &str) -> Result<(), ConfigErrors> {
        let mut errors = Vec::new();
        self.put(key, value.to_owned(), Source::CommandLine, &mut errors);
        if errors.is_empty() { Ok(()) } else { Err(ConfigErrors(errors)) }
    }

    fn put(&mut self, key: &str, value: String, source: Source, errors: &mut Vec<String>) {
        let (param, value) = match resolve(key, value) {
            Ok(found) => found,
            Err(problem) => return errors.push(format!("{key} (from {source}): {problem}")),
        };
        match param.kind.check(&value) {
            Ok(()) => {
                self.values.insert(param.key, (value, source));
            }
            Err(_) if param.secret => {
                errors.push(format!("{key} (from {source}): not accepted; expected: {}", param.kind.form()))
            }
            Err(problem) => errors.push(format!("{key} (from {source}): {problem}")),
        }
    }

    /// Every parameter with its effective value and source, in the registry's order.
    pub(crate) fn effective(&self) -> impl Iterator<Item = (&'static Param, &str, &Source)> {
        params::all().map(|param| {
            let (value, source) = &self.values[param.key];
            (param, value.as_str(), source)
        })
    }

    /// A value as text; empty where it is not set.
    pub(crate) fn text(&self, key: &str) -> &str {
        self.values.get(key).map(|(value, _)| value.as_str()).unwrap_or_else(|| unregistered(key))
    }

    /// A text that may be missing.
    pub(crate) fn optional(&self, key: &str) -> Option<&str> {
        Some(self.text(key)).filter(|text| !text.is_empty())
    }

    /// Was it set by anybody?
    pub(crate) fn is_set(&self, key: &str) -> bool {
        self.values.get(key).is_some_and(|(_, source)| *source != Source::Default)
    }

    /// A whole number; the registry has checked its form and bounds.
    pub(crate) fn integer(&self, key: &str) -> i64 {
        self.text(key).parse().unwrap_or_else(|_| unregistered(key))
    }

    /// A whole number that its bounds keep small.
    pub(crate) fn count(&self, key: &str) -> usize {
        usize::try_from(self.integer(key)).unwrap_or(usize::MAX)
    }

    /// `true` or `false`.
    pub(crate) fn flag(&self, key: &str) -> bool {
        self.text(key) == "true"
    }

    /// A duration, or milliseconds.
    pub(crate) fn duration(&self, key: &str) -> Duration {
        let text = self.text(key);
        parse_duration(text)
            .or_else(|| text.parse().ok().map(Duration::from_millis))
            .unwrap_or_else(|| unregistered(key))
    }

    /// A size in bytes.
    pub(crate) fn bytes(&self, key: &str) -> u64 {
        parse_bytes(self.text(key)).unwrap_or_else(|| unregistered(key))
    }

    /// A time zone.
    pub(crate) fn zone(&self, key: &str) -> jiff::tz::TimeZone {
        jiff::tz::TimeZone::get(self.text(key)).unwrap_or_else(|_| unregistered(key))
    }

    /// The items of a list.
    pub(crate) fn list(&self, key: &str) -> Vec<&str> {
        self.text(key).split(',').map(str::trim).filter(|item| !item.is_empty()).collect()
    }
}

/// A key that the registry does not know, or not with this type: our own mistake.
fn unregistered(key: &str) -> ! {
    panic!("parameter {key} is not in the registry with the type it is read as")
}

//! Effective configuration: defaults, then file, then environment, then `--set`; later wins.
//! Every mistake is collected and reported together, each with key, source and accepted form.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::params::{self, PARAMS, Param, env_name, parse_bytes, parse_duration};

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
            values: PARAMS.iter().map(|p| (p.key, (p.default.to_owned(), Source::Default))).collect(),
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
                errors.push(format!("{key} (from {source}): not a {}", param.kind.form()))
            }
            Err(problem) => errors.push(format!("{key} (from {source}): {problem}")),
        }
    }

    /// Every parameter with its effective value and source, in the registry's order.
    pub(crate) fn effective(&self) -> impl Iterator<Item = (&'static Param, &str, &Source)> {
        PARAMS.iter().map(|param| {
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

/// The parameter of a key, with `<key>-file` read.
fn resolve(key: &str, value: String) -> Result<(&'static Param, String), String> {
    if let Some(param) = params::find(key) {
        return Ok((param, value));
    }
    let secret = key.strip_suffix("-file").and_then(params::find).filter(|param| param.secret);
    let Some(param) = secret else {
        return Err("unknown key; `msgx params` lists every key".into());
    };
    let text = std::fs::read_to_string(&value).map_err(|error| format!("can't read {value}: {error}"))?;
    Ok((param, text.trim_end_matches(['\r', '\n']).to_owned()))
}

type Given = (String, String, Source);

fn gather(sources: &Sources, errors: &mut Vec<String>) -> Vec<Given> {
    let mut given = Vec::new();
    let default_file = Path::new("msgx.toml");
    let file = sources.file.clone().or_else(|| default_file.exists().then(|| default_file.to_owned()));
    if let Some(path) = file {
        from_file(&path, &mut given, errors);
    }
    for (name, value) in &sources.environment {
        if let Some(key) = key_of_variable(name, errors) {
            given.push((key, value.clone(), Source::Environment(name.clone())));
        }
    }
    for set in &sources.sets {
        match set.split_once('=') {
            Some((key, value)) => given.push((key.trim().into(), value.trim().into(), Source::CommandLine)),
            None => errors.push(format!("--set {set}: expected key=value")),
        }
    }
    given
}

/// The key an environment variable stands for; variables of tests and of the shell are left alone.
fn key_of_variable(name: &str, errors: &mut Vec<String>) -> Option<String> {
    if name == "MSGX_KAFKA_MAX_IN_FLIGHT" {
        return Some("kafka.producers.default.max-in-flight-requests-per-connection".into());
    }
    if !name.starts_with("MSGX_") || name.starts_with("MSGX_TEST_") {
        return None;
    }
    for param in PARAMS {
        let variable = env_name(param.key);
        if name == variable {
            return Some(param.key.into());
        }
        if param.secret && name.strip_suffix("_FILE") == Some(&variable) {
            return Some(format!("{}-file", param.key));
        }
    }
    errors.push(format!("{name} (from environment): unknown variable; `msgx params` lists every key"));
    None
}

fn from_file(path: &Path, given: &mut Vec<Given>, errors: &mut Vec<String>) {
    let parsed = std::fs::read_to_string(path)
        .map_err(|error| error.to_string())
        .and_then(|text| text.parse::<toml::Table>().map_err(|error| error.to_string()));
    match parsed {
        Ok(table) => flatten("", &table, &Source::File(path.to_owned()), given),
        Err(error) => errors.push(format!("{}: {error}", path.display())),
    }
}

fn flatten(prefix: &str, table: &toml::Table, source: &Source, given: &mut Vec<Given>) {
    for (name, value) in table {
        let key = if prefix.is_empty() { name.clone() } else { format!("{prefix}.{name}") };
        match value {
            toml::Value::Table(inner) => flatten(&key, inner, source, given),
            toml::Value::Array(items) => {
                let texts: Vec<String> = items.iter().map(scalar_text).collect();
                given.push((key, texts.join(", "), source.clone()));
            }
            toml::Value::String(_)
            | toml::Value::Integer(_)
            | toml::Value::Float(_)
            | toml::Value::Boolean(_)
            | toml::Value::Datetime(_) => given.push((key, scalar_text(value), source.clone())),
        }
    }
}

fn scalar_text(value: &toml::Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sources(environment: &[(&str, &str)], sets: &[&str]) -> Sources {
        Sources {
            file: None,
            environment: environment.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect(),
            sets: sets.iter().map(|s| (*s).into()).collect(),
        }
    }

    #[test]
    fn the_command_line_wins_over_environment_over_file_over_default() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("site.toml");
        std::fs::write(&file, "[mailbox]\npoll-interval = \"1 s\"\nid-step = 2\ntable = \"T\"\n")
            .expect("written");
        let mut sources = sources(
            &[("MSGX_MAILBOX_POLL_INTERVAL", "2 s"), ("MSGX_MAILBOX_ID_STEP", "3")],
            &["mailbox.id-step=4"],
        );
        sources.file = Some(file);
        let config = Config::load(&sources).expect("good");
        assert_eq!(config.text("mailbox.table"), "T");
        assert_eq!(config.duration("mailbox.poll-interval"), Duration::from_secs(2));
        assert_eq!(config.integer("mailbox.id-step"), 4);
        assert_eq!(config.text("mailbox.start-at"), "earliest");
    }

    #[test]
    fn all_mistakes_are_told_at_once_with_key_and_source() {
        let sources = sources(
            &[("MSGX_MAILBOX_POLL_INTERVAL", "soon"), ("MSGX_NONSENSE", "1")],
            &["no.such.key=1", "msgx.pipeline.batch=0"],
        );
        let text = Config::load(&sources).expect_err("four mistakes").to_string();
        for part in [
            "mailbox.poll-interval (from environment MSGX_MAILBOX_POLL_INTERVAL): 'soon'",
            "MSGX_NONSENSE",
            "no.such.key (from command line): unknown key",
            "msgx.pipeline.batch (from command line)",
        ] {
            assert!(text.contains(part), "{part} missing in:\n{text}");
        }
    }

    #[test]
    fn a_secret_can_come_from_a_file_and_other_keys_cannot() {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("url");
        std::fs::write(&file, "postgres://x\n").expect("written");
        let path = file.display();
        let config = Config::load(&sources(&[], &[&format!("store.url-file={path}")])).expect("good");
        assert_eq!(config.text("store.url"), "postgres://x");
        assert!(Config::load(&sources(&[], &[&format!("mailbox.table-file={path}")])).is_err());
    }

    #[test]
    fn the_short_variable_for_max_in_flight_is_accepted() {
        let config = Config::load(&sources(&[("MSGX_KAFKA_MAX_IN_FLIGHT", "5")], &[])).expect("good");
        assert_eq!(config.integer("kafka.producers.default.max-in-flight-requests-per-connection"), 5);
    }

    /// A key that is read and not registered would end the program only when it is reached.
    #[test]
    fn every_key_that_is_read_is_registered() {
        let mut unknown = Vec::new();
        for file in sources_under(std::path::Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))) {
            let text = std::fs::read_to_string(&file).expect("our own source");
            for read in ["text", "optional", "integer", "count", "flag", "duration", "bytes", "zone", "list"]
            {
                for part in text.split(&format!("config.{read}(\"")).skip(1) {
                    let key = part.split('"').next().unwrap_or_default();
                    if params::find(key).is_none() {
                        unknown.push(format!("{key} in {}", file.display()));
                    }
                }
            }
        }
        assert_eq!(unknown, Vec::<String>::new());
    }

    fn sources_under(directory: &Path) -> Vec<PathBuf> {
        let entries = std::fs::read_dir(directory).expect("our own sources");
        let paths = entries.map(|entry| entry.expect("an entry").path());
        paths
            .flat_map(|path| if path.is_dir() { sources_under(&path) } else { vec![path] })
            .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
            .collect()
    }
}

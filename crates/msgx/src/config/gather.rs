//! Where values come from: file, environment, command line, in the order in which later wins.

use std::path::Path;

use super::{Source, Sources};
use crate::params::{self, Param, env_name};

/// The parameter of a key, with `<key>-file` read.
pub(super) fn resolve(key: &str, value: String) -> Result<(&'static Param, String), String> {
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

pub(super) fn gather(sources: &Sources, errors: &mut Vec<String>) -> Vec<Given> {
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
    for param in params::all() {
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
        .and_then(|text| text.parse::<toml::Table>().map_err(|error| without_excerpt(&text, &error)));
    match parsed {
        Ok(table) => flatten("", &table, &Source::File(path.to_owned()), given),
        Err(error) => errors.push(format!("{}: {error}", path.display())),
    }
}

/// What is wrong with a file, and where; not the line itself, which may hold a password.
fn without_excerpt(text: &str, error: &toml::de::Error) -> String {
    let line = error.span().map_or(0, |span| text[..span.start.min(text.len())].lines().count().max(1));
    format!("line {line}: {}", error.message())
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

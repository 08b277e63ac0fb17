//! Which source wins, and how mistakes are told.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::*;
use crate::params;

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
        for read in ["text", "optional", "integer", "count", "flag", "duration", "bytes", "zone", "list"] {
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

#[test]
fn a_broken_file_is_told_by_line_without_the_secrets_in_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let file = directory.path().join("site.toml");
    std::fs::write(&file, "[store]\n# here\nurl = \"postgres://u:geheim@h/d\n").expect("written");
    let mut sources = sources(&[], &[]);
    sources.file = Some(file);
    let text = Config::load(&sources).expect_err("an unclosed quote").to_string();
    assert!(text.contains("site.toml: line 3") && !text.contains("geheim"), "{text}");
}

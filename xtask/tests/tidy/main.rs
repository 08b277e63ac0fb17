//! The rules of the house that a compiler doesn't know: who may import whom, how long things
//! may get, what must not be left behind. Reads the tree as it lies on the disk.

mod functions;
mod tree;

use std::fs;

use toml::{Table, Value};

use self::functions::functions;
use self::tree::{File, files, names, read_toml, root, rust_files};

/// No Rust file is longer.
const FILE_LINES_MAX: usize = 400;
/// Lines of a file beyond this count into the ratchet.
const FILE_LINES_GOAL: usize = 150;
/// A longer function counts into the ratchet: it fits no screen.
const FUNCTION_LINES_GOAL: usize = 70;

#[test]
fn each_file_says_what_it_is() {
    let silent = rust_files().into_iter().filter(|file| !file.text.starts_with("//! "));
    assert_none(
        silent.map(|file| format!("{}: begins without a `//!` line on what it is and why", file.name)),
    );
}

#[test]
fn no_file_is_longer_than_the_ceiling() {
    let long = rust_files().into_iter().filter(|file| file.text.lines().count() > FILE_LINES_MAX);
    assert_none(long.map(|file| format!("{}: more than {FILE_LINES_MAX} lines, divide it", file.name)));
}

#[test]
fn what_is_too_long_only_gets_shorter() {
    let files = rust_files();
    let beyond = |file: &File| file.text.lines().count().saturating_sub(FILE_LINES_GOAL);
    let long: Vec<String> = files
        .iter()
        .flat_map(|file| {
            functions(&file.text).into_iter().map(|(name, lines)| (format!("{}: {name}", file.name), lines))
        })
        .filter(|(_, lines)| *lines > FUNCTION_LINES_GOAL)
        .map(|(name, lines)| format!("{name}, {lines} lines"))
        .collect();
    let name = "xtask/tidy-ratchet.toml";
    let recorded = read_toml(name);
    let found = [
        ("file_lines_beyond_150", files.iter().map(beyond).sum::<usize>(), Vec::new()),
        ("functions_beyond_70_lines", long.len(), long),
    ];
    for (key, now, which) in found {
        let record = recorded.get(key).and_then(Value::as_integer).expect("a number in the record");
        let record = usize::try_from(record).expect("not negative");
        assert!(
            now <= record,
            "{key} has grown from {record} to {now}: shorten what you touched\n{}",
            which.join("\n")
        );
        assert!(now * 20 >= record * 19, "{key} has fallen from {record} to {now}: write that into {name}");
    }
}

/// Which crates of the house a crate may depend on, and which others it must not name.
const CRATES: [(&str, &[&str], &[&str]); 7] = [
    ("sis", &[], &["tokio", "sqlx", "tracing", "rdkafka", "axum", "rand", "futures"]),
    ("domain", &["sis"], &["tokio", "sqlx", "tracing", "rdkafka", "axum", "rand", "futures"]),
    ("engine", &["domain", "sis"], &["sqlx", "rdkafka", "axum", "rand"]),
    ("stores", &["engine", "domain", "sis"], &["axum", "rand"]),
    ("contract", &["engine", "domain", "sis"], &["sqlx", "rdkafka", "axum"]),
    ("airport", &["sis"], &["tokio", "sqlx", "rdkafka", "axum"]),
    ("msgx", &["airport", "stores", "engine", "domain", "sis"], &["sqlx", "rdkafka"]),
];

#[test]
fn crates_import_only_what_they_may() {
    let mut found = Vec::new();
    for (name, house, forbidden) in CRATES {
        let manifest = read_toml(&format!("crates/{name}/Cargo.toml"));
        for dependency in names(&manifest, "dependencies") {
            let of_the_house = CRATES.iter().any(|(other, ..)| *other == dependency);
            if of_the_house && !house.contains(&dependency.as_str()) {
                found.push(format!("{name} must not depend on {dependency}: the house is sis <- domain <- engine <- stores <- msgx"));
            }
            if forbidden.contains(&dependency.as_str()) {
                found.push(format!("{name} must not depend on {dependency}: what it can't name it can't do"));
            }
        }
        if names(&manifest, "dev-dependencies").contains(&"msgx".to_owned()) {
            found.push(format!("{name} must not depend on msgx, not even in tests: nobody does"));
        }
    }
    assert_none(found);
}

#[test]
fn every_crate_has_its_place() {
    let known = |name: &String| CRATES.iter().any(|(known, ..)| known == name);
    let crates = fs::read_dir(root().join("crates")).expect("crates");
    let strangers = crates
        .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
        .filter(|name| root().join("crates").join(name).join("Cargo.toml").is_file() && !known(name));
    assert_none(
        strangers.map(|name| format!("crates/{name}: say in xtask/tests/tidy/main.rs whom it may import")),
    );
}

#[test]
fn shared_dependencies_stand_in_the_workspace() {
    let manifests = files(&["toml"]).into_iter().filter(|file| file.name.ends_with("/Cargo.toml"));
    let mut found = Vec::new();
    for file in manifests {
        let manifest: Table = file.text.parse().expect("TOML");
        for section in ["dependencies", "dev-dependencies", "build-dependencies"] {
            let own = manifest.get(section).and_then(Value::as_table).into_iter().flatten();
            let own = own.filter(|(_, value)| value.get("workspace").and_then(Value::as_bool) != Some(true));
            found.extend(
                own.map(|(name, _)| format!("{}: {name} belongs into [workspace.dependencies]", file.name)),
            );
        }
    }
    assert_none(found);
}

#[test]
fn adapters_do_not_import_each_other() {
    const ADAPTERS: [&str; 5] = ["postgres", "sqlite", "mysql", "kafka", "file"];
    let mut found = Vec::new();
    for file in rust_files() {
        let Some(path) = file.name.strip_prefix("crates/stores/src/") else { continue };
        let own = path.split(['/', '.']).next().unwrap_or(path);
        for other in ADAPTERS.iter().filter(|other| **other != own && ADAPTERS.contains(&own)) {
            if file.text.contains(&format!("crate::{other}")) {
                found.push(format!("{}: names crate::{other}", file.name));
            }
        }
    }
    assert_none(found);
}

/// What must not be left behind, and why. This file is not searched.
const LEFT_BEHIND: [(&str, &str); 7] = [
    ("FIXME", "do it or write it down where it is planned"),
    ("TODO", "do it or write it down where it is planned"),
    ("todo!(", "a door that panics"),
    ("dbg!(", "left from debugging"),
    ("#[allow(", "say #[expect(…, reason = \"…\")]"),
    ("#![allow(", "say #![expect(…, reason = \"…\")]"),
    ("/home/", "a path of somebody's machine"),
];

#[test]
fn nothing_is_left_behind() {
    let mut found = Vec::new();
    for file in files(&["rs", "toml", "md", "sql", "js", "css", "html"]) {
        if file.name == "xtask/tests/tidy/main.rs" {
            continue;
        }
        for (number, line) in file.text.lines().enumerate() {
            let words = LEFT_BEHIND.iter().filter(|(word, _)| line.contains(word));
            found.extend(words.map(|(word, why)| format!("{}:{}: {word} ({why})", file.name, number + 1)));
        }
    }
    assert_none(found);
}

fn assert_none(found: impl IntoIterator<Item = String>) {
    let found: Vec<String> = found.into_iter().collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

//! The rules of the house that a compiler doesn't know: who may import whom, how long things
//! may get, what must not be left behind. Reads the tree as it lies on the disk.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use toml::{Table, Value};

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
        strangers.map(|name| format!("crates/{name}: say in xtask/tests/tidy.rs whom it may import")),
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
        if file.name == "xtask/tests/tidy.rs" {
            continue;
        }
        for (number, line) in file.text.lines().enumerate() {
            let words = LEFT_BEHIND.iter().filter(|(word, _)| line.contains(word));
            found.extend(words.map(|(word, why)| format!("{}:{}: {word} ({why})", file.name, number + 1)));
        }
    }
    assert_none(found);
}

/// A file of the tree.
struct File {
    /// From the root, with `/`.
    name: String,
    text: String,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

fn rust_files() -> Vec<File> {
    files(&["rs"])
}

/// All files with one of these endings, but hidden ones and what is built.
fn files(endings: &[&str]) -> Vec<File> {
    let mut found = Vec::new();
    let mut directories = vec![root().to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("readable").path();
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if path.is_dir() {
                let skipped = name.starts_with('.') || ["target", "fuzz", "msgx-data"].contains(&&*name);
                directories.extend((!skipped).then(|| path.clone()));
            } else if path.extension().is_some_and(|ending| endings.iter().any(|known| ending == *known)) {
                found.push(read(path));
            }
        }
    }
    assert!(!found.is_empty(), "no files with the endings {endings:?}: is this the workspace?");
    found.sort_by(|left, right| left.name.cmp(&right.name));
    found
}

fn read(path: PathBuf) -> File {
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let name = path.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
    File { name, text }
}

fn read_toml(name: &str) -> Table {
    read(root().join(name)).text.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn names(manifest: &Table, section: &str) -> Vec<String> {
    manifest
        .get(section)
        .and_then(Value::as_table)
        .map(|table| table.keys().cloned().collect())
        .unwrap_or_default()
}

/// Functions with a body of several lines, and how many lines each takes. Relies on rustfmt:
/// what begins with `fn` at an indentation ends with the first `}` at the same one.
fn functions(text: &str) -> BTreeMap<String, usize> {
    let lines: Vec<&str> = text.lines().collect();
    let mut found = BTreeMap::new();
    for (number, line) in lines.iter().enumerate() {
        let Some(name) = function_name(line) else { continue };
        let opened = lines[number..].iter().position(|line| line.contains('{') || line.ends_with(';'));
        let Some(opened) = opened.map(|lines| number + lines) else { continue };
        if lines[opened].ends_with(';') || lines[opened].ends_with('}') {
            continue;
        }
        let indentation = line.len() - line.trim_start().len();
        let end = format!("{}}}", &line[..indentation]);
        if let Some(length) = lines[opened..].iter().position(|line| *line == end) {
            found.insert(format!("{name} (line {})", number + 1), opened - number + length + 1);
        }
    }
    found
}

fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let qualifiers = before.split_whitespace().all(|word| {
        ["pub", "const", "async", "unsafe", "extern"].contains(&word) || word.starts_with("pub(")
    });
    let end = after.find(['(', '<'])?;
    (qualifiers && !after[..end].contains(' ')).then(|| &after[..end])
}

fn assert_none(found: impl IntoIterator<Item = String>) {
    let found: Vec<String> = found.into_iter().collect();
    assert!(found.is_empty(), "\n{}", found.join("\n"));
}

#[test]
fn the_length_of_a_function_is_told() {
    let text = "fn one() {}\n\nimpl X {\n    pub(crate) async fn two(\n        a: u8,\n    ) -> u8 {\n        a\n    }\n\n    fn three();\n}\n";
    assert_eq!(functions(text), BTreeMap::from([("two (line 4)".to_owned(), 5)]));
}

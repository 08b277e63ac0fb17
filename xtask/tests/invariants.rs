//! The map of proofs, `docs/invariants.md`, against the sources: each test it names is there, each
//! invariant has a row, and a row without proof says what is missing.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The map, from the root of the workspace.
const MAP: &str = "docs/invariants.md";
/// `INV-1` to this one must have a row each.
const INVARIANTS: usize = 22;
/// Words of a row that names no test.
const OPEN: [&str; 3] = ["not yet: ", "not claimed", "see "];

#[test]
fn every_invariant_has_a_row() {
    let map = map();
    let known: HashSet<&str> = rows(&map).into_iter().map(|row| row.id).collect();
    let missing: Vec<String> =
        (1..=INVARIANTS).map(|number| format!("INV-{number}")).filter(|id| !known.contains(&**id)).collect();
    assert!(missing.is_empty(), "{MAP}: no row for {}", missing.join(", "));
}

#[test]
fn no_id_has_two_rows() {
    let map = map();
    let mut seen = HashSet::new();
    let twice: Vec<&str> = rows(&map).into_iter().map(|row| row.id).filter(|id| !seen.insert(*id)).collect();
    assert!(twice.is_empty(), "{MAP}: more than one row for {}", twice.join(", "));
}

#[test]
fn every_named_test_exists() {
    let map = map();
    let functions = functions();
    let missing: Vec<String> = rows(&map)
        .into_iter()
        .flat_map(|row| tests(row.proof).into_iter().map(move |test| (row.id, test)))
        .filter(|(_, test)| !functions.contains(*test))
        .map(|(id, test)| format!("{MAP}: {id} names {test}, which is in no source: renamed or removed?"))
        .collect();
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn a_row_without_proof_says_what_is_missing() {
    let map = map();
    let silent: Vec<&str> = rows(&map)
        .into_iter()
        .filter(|row| tests(row.proof).is_empty() && !OPEN.iter().any(|words| row.proof.contains(words)))
        .map(|row| row.id)
        .collect();
    assert!(silent.is_empty(), "{MAP}: neither a test nor one of {OPEN:?} in {}", silent.join(", "));
}

/// A row of one of the tables.
struct Row<'a> {
    id: &'a str,
    proof: &'a str,
}

fn map() -> String {
    fs::read_to_string(root().join(MAP)).unwrap_or_else(|error| panic!("{MAP}: {error}"))
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the workspace")
}

/// Rows are lines of three cells whose first one is an ID; heads and rules are none.
fn rows(map: &str) -> Vec<Row<'_>> {
    map.lines()
        .filter_map(|line| {
            let line = line.strip_prefix('|')?.strip_suffix('|')?;
            let cells: Vec<&str> = line.split('|').map(str::trim).collect();
            let [id, _, proof] = cells[..] else { return None };
            let is_id = id.starts_with(|first: char| first.is_ascii_uppercase()) && id != "ID";
            is_id.then_some(Row { id, proof })
        })
        .collect()
}

/// Names in backticks. Those of metrics and parameters are none: the ones begin with `msgx_`, the
/// others have dots.
fn tests(proof: &str) -> Vec<&str> {
    let quoted = proof.split('`').skip(1).step_by(2);
    quoted.filter(|name| is_name(name) && !name.starts_with("msgx_")).collect()
}

fn is_name(text: &str) -> bool {
    let good = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    text.contains('_') && text.chars().all(good)
}

/// The name of every function in the sources.
fn functions() -> HashSet<String> {
    let mut found = HashSet::new();
    let mut directories = vec![root().join("crates"), root().join("xtask")];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(&directory).expect("a directory") {
            let path = entry.expect("readable").path();
            if path.is_dir() {
                directories.extend((!path.ends_with("target")).then(|| path.clone()));
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text =
                    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                found.extend(text.lines().filter_map(function_name).map(str::to_owned));
            }
        }
    }
    assert!(!found.is_empty(), "no functions: is this the workspace?");
    found
}

/// `fn name(` with whatever qualifiers, at the beginning of a line.
fn function_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("fn ")?;
    let qualifiers = before
        .split_whitespace()
        .all(|word| ["pub", "const", "async", "unsafe"].contains(&word) || word.starts_with("pub("));
    let name = &after[..after.find(['(', '<'])?];
    (qualifiers && is_name(name)).then_some(name)
}

#[test]
fn rows_names_and_functions_are_told_from_the_rest() {
    let map = "| ID | promise | proof |\n|---|---|---|\n| INV-1 | a | `one_two` and `msgx_x_total`; not yet: `a.b_c` |\n";
    let rows = rows(map);
    assert_eq!(rows.iter().map(|row| row.id).collect::<Vec<_>>(), ["INV-1"]);
    assert_eq!(tests(rows[0].proof), ["one_two"]);
    assert_eq!(function_name("    pub(super) async fn one_two<S: Store>(store: S) {"), Some("one_two"));
    assert_eq!(function_name("// what fn one_two(…) does"), None);
}

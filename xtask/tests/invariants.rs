//! The maps of proofs, `docs/invariants.md` and `docs/field-cases.md`, against the sources: each test
//! they name is there, each ID has one row, and a row without proof says what is missing.

use std::collections::HashSet;
use std::fs;
use std::path::Path;

/// The maps, from the root of the workspace.
const MAPS: [&str; 2] = [INVARIANTS, FIELD_CASES];
const INVARIANTS: &str = "docs/invariants.md";
const FIELD_CASES: &str = "docs/field-cases.md";
/// `INV-1` to this one must have a row each.
const LAST_INVARIANT: usize = 22;
/// So must these field cases; their numbers have gaps.
const CASES: [usize; 38] = [
    1, 2, 7, 8, 10, 12, 13, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 29, 30, 31, 32, 33, 34, 35, 36,
    38, 39, 40, 41, 42, 44, 45, 46, 47, 48, 50,
];
/// Words of a row that names no test.
const OPEN: [&str; 4] = ["not yet: ", "not claimed", "see ", "doesn't apply: "];

#[test]
fn every_invariant_and_every_field_case_has_a_row() {
    let invariants = (1..=LAST_INVARIANT).map(|number| (INVARIANTS, format!("INV-{number}")));
    let cases = CASES.into_iter().map(|number| (FIELD_CASES, format!("FC-{number:02}")));
    let missing: Vec<String> = invariants
        .chain(cases)
        .filter(|(map, id)| !rows(&text(map)).iter().any(|row| row.id == *id))
        .map(|(map, id)| format!("{map}: no row for {id}"))
        .collect();
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn no_id_has_two_rows() {
    for map in MAPS {
        let mut seen = HashSet::new();
        let text = text(map);
        let twice: Vec<&str> =
            rows(&text).into_iter().map(|row| row.id).filter(|id| !seen.insert(*id)).collect();
        assert!(twice.is_empty(), "{map}: more than one row for {}", twice.join(", "));
    }
}

#[test]
fn every_named_test_exists() {
    let functions = functions();
    let mut missing = Vec::new();
    for map in MAPS {
        for row in rows(&text(map)) {
            let unknown = tests(row.proof).into_iter().filter(|test| !functions.contains(*test));
            missing.extend(unknown.map(|test| {
                format!("{map}: {} names {test}, which is in no source: renamed or removed?", row.id)
            }));
        }
    }
    assert!(missing.is_empty(), "\n{}", missing.join("\n"));
}

#[test]
fn a_row_without_proof_says_what_is_missing() {
    for map in MAPS {
        let text = text(map);
        let silent: Vec<&str> = rows(&text)
            .into_iter()
            .filter(|row| tests(row.proof).is_empty() && !OPEN.iter().any(|words| row.proof.contains(words)))
            .map(|row| row.id)
            .collect();
        assert!(silent.is_empty(), "{map}: neither a test nor one of {OPEN:?} in {}", silent.join(", "));
    }
}

/// A row of one of the tables.
struct Row<'a> {
    id: &'a str,
    proof: &'a str,
}

fn text(map: &str) -> String {
    fs::read_to_string(root().join(map)).unwrap_or_else(|error| panic!("{map}: {error}"))
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

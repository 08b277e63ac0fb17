//! Statements by name: each room has one file of SQL, cut apart when the crate is compiled.

/// The statement under `-- name: <name>` in `file`. Used in constants, so that a missing name
/// stops the build.
pub(super) const fn named(file: &'static str, name: &str) -> &'static str {
    let mut at = 0;
    while at < file.len() {
        if heads(file, at, name) {
            let (_, rest) = file.split_at(line_end(file, at));
            let (statement, _) = rest.split_at(next_header(rest));
            return statement;
        }
        at = line_end(file, at);
    }
    panic!("no statement of this name in the file");
}

const HEADER: &str = "-- name: ";

/// Is the line at `at` the header of `name`?
const fn heads(file: &str, at: usize, name: &str) -> bool {
    starts(file, at, HEADER)
        && starts(file, at + HEADER.len(), name)
        && starts(file, at + HEADER.len() + name.len(), "\n")
}

const fn next_header(text: &str) -> usize {
    let mut at = 0;
    while at < text.len() && !starts(text, at, HEADER) {
        at = line_end(text, at);
    }
    at
}

/// Position after the line that `at` lies in.
const fn line_end(text: &str, mut at: usize) -> usize {
    while at < text.len() && text.as_bytes()[at] != b'\n' {
        at += 1;
    }
    if at < text.len() { at + 1 } else { at }
}

const fn starts(text: &str, at: usize, with: &str) -> bool {
    let mut offset = 0;
    while offset < with.len() {
        if at + offset >= text.len() || text.as_bytes()[at + offset] != with.as_bytes()[offset] {
            return false;
        }
        offset += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = "-- name: one\nSELECT 1;\n\n-- name: one_more\n-- why\nSELECT 2;\n";

    #[test]
    fn a_statement_ends_where_the_next_begins() {
        assert_eq!(named(FILE, "one"), "SELECT 1;\n\n");
        assert_eq!(named(FILE, "one_more"), "-- why\nSELECT 2;\n");
    }

    #[test]
    #[should_panic(expected = "no statement of this name")]
    fn an_unknown_name_is_refused() {
        named(FILE, "on");
    }
}

//! Statements by name: `sql/<room>.sql` holds blocks that begin with `-- name: <name>`.
//!
//! The lookup happens while compiling, so a name that isn't there is a compile error.

const MARK: &str = "-- name: ";

/// Every file of statements with the room it belongs to.
const ROOMS: [(&str, &str); 14] = [
    ("leadership", include_str!("sql/leadership.sql")),
    ("terms", include_str!("sql/terms.sql")),
    ("discovery", include_str!("sql/discovery.sql")),
    ("past", include_str!("sql/past.sql")),
    ("pump", include_str!("sql/pump.sql")),
    ("outbox", include_str!("sql/outbox.sql")),
    ("marks", include_str!("sql/marks.sql")),
    ("history", include_str!("sql/history.sql")),
    ("archive", include_str!("sql/archive.sql")),
    ("retention", include_str!("sql/retention.sql")),
    ("actions", include_str!("sql/actions.sql")),
    ("messages", include_str!("sql/messages.sql")),
    ("accounts", include_str!("sql/accounts.sql")),
    ("views", include_str!("sql/views.sql")),
];

/// A statement this store sends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statement {
    /// Room it belongs to: the file's name.
    pub room: &'static str,
    /// Its name in that file.
    pub name: &'static str,
    /// Its text.
    pub sql: &'static str,
}

/// Every statement this store sends, so that they can be checked against a database.
pub fn statements() -> impl Iterator<Item = Statement> {
    ROOMS.into_iter().flat_map(|(room, file)| {
        file.split(MARK).skip(1).map(move |block| {
            let (name, sql) = block.split_once('\n').unwrap_or((block, ""));
            Statement { room, name, sql }
        })
    })
}

/// The block of `file` called `name`.
pub(super) const fn named(file: &'static str, name: &str) -> &'static str {
    let bytes = file.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        let name_at = at + MARK.len();
        if is_at(bytes, at, MARK) && is_at(bytes, name_at, name) && is_at(bytes, name_at + name.len(), "\n") {
            let start = name_at + name.len() + 1;
            let mut end = start;
            while end < bytes.len() && !is_at(bytes, end, MARK) {
                end += 1;
            }
            return file.split_at(end).0.split_at(start).1;
        }
        at += 1;
    }
    panic!("no statement of that name in the file")
}

const fn is_at(bytes: &[u8], at: usize, text: &str) -> bool {
    let text = text.as_bytes();
    let mut index = 0;
    while index < text.len() {
        if at + index >= bytes.len() || bytes[at + index] != text[index] {
            return false;
        }
        index += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_ends_where_the_next_begins() {
        const FILE: &str = "-- words\n\n-- name: first_one\nSELECT 1;\n\n-- name: first\nSELECT 2;\n";
        assert_eq!(named(FILE, "first_one"), "SELECT 1;\n\n");
        assert_eq!(named(FILE, "first"), "SELECT 2;\n");
    }

    #[test]
    fn names_are_unique_within_a_room_and_no_block_is_empty() {
        let mut seen = std::collections::HashSet::new();
        for statement in statements() {
            assert!(seen.insert((statement.room, statement.name)), "{statement:?}");
            assert!(statement.sql.contains(';'), "{statement:?}");
        }
        assert!(seen.len() > 30);
    }
}

//! What an error of the server asks for: waiting, trying again, or a person.

use engine::ports::MailboxError;
use sqlx::mysql::MySqlDatabaseError;

/// What an error asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trouble {
    /// The world: connection, shutdown, read-only, full. Wait.
    Unavailable,
    /// Chosen as a deadlock's victim: try again at once.
    Deadlock,
    /// Another holds a lock on a row.
    LockWait,
    /// A row's own: its value, a constraint, a trigger.
    Row,
    /// A right, a table or a column is missing.
    Operator,
}

/// Judges an error.
pub(super) fn trouble(error: &sqlx::Error) -> Trouble {
    if let sqlx::Error::Database(error) = error {
        let number = error.try_downcast_ref::<MySqlDatabaseError>().map_or(0, MySqlDatabaseError::number);
        return judge(number, error.code().as_deref().unwrap_or(""));
    }
    // The driver can't make sense of a value: the table isn't what it was.
    let unreadable = matches!(
        error,
        sqlx::Error::ColumnDecode { .. }
            | sqlx::Error::ColumnNotFound(_)
            | sqlx::Error::ColumnIndexOutOfBounds { .. }
            | sqlx::Error::TypeNotFound { .. }
            | sqlx::Error::Decode(_)
            | sqlx::Error::Configuration(_)
    );
    // Whatever else there is, waiting is never wrong.
    if unreadable { Trouble::Operator } else { Trouble::Unavailable }
}

/// By number where the SQLSTATE says too little or the wrong thing, else by its class.
fn judge(number: u16, state: &str) -> Trouble {
    match number {
        1213 => Trouble::Deadlock,
        1205 => Trouble::LockWait,
        // Too many connections of this user: state 42000, yet it passes.
        1203 | 1226 => Trouble::Unavailable,
        // Wrong string, no default, CHECK: some servers say HY000.
        1364 | 1366 | 3819 | 1644 => Trouble::Row,
        // No such database or file, table is read-only by definition.
        1049 | 1288 | 1347 => Trouble::Operator,
        _ => match state.get(..2) {
            Some("22" | "23" | "45") => Trouble::Row,
            Some("42" | "28") => Trouble::Operator,
            _ => Trouble::Unavailable,
        },
    }
}

/// The port's error for a call that has failed as a whole.
pub(super) fn unavailable_or_refused(error: sqlx::Error) -> MailboxError {
    match trouble(&error) {
        Trouble::Unavailable | Trouble::Deadlock | Trouble::LockWait => {
            MailboxError::Unavailable(error.to_string())
        }
        Trouble::Row | Trouble::Operator => MailboxError::Refused(error.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_judged_by_who_must_act() {
        for (number, state, expected) in [
            (1213, "40001", Trouble::Deadlock),
            (1205, "HY000", Trouble::LockWait),
            (1142, "42000", Trouble::Operator),    // no right on the table
            (1045, "28000", Trouble::Operator),    // wrong password
            (1146, "42S02", Trouble::Operator),    // no such table
            (1054, "42S22", Trouble::Operator),    // no such column
            (1226, "42000", Trouble::Unavailable), // user's limit of connections
            (1290, "HY000", Trouble::Unavailable), // read-only server
            (1053, "08S01", Trouble::Unavailable), // shutdown
            (1927, "70100", Trouble::Unavailable), // connection killed
            (1406, "22001", Trouble::Row),         // too long
            (1366, "HY000", Trouble::Row),         // not of the charset
            (4025, "23000", Trouble::Row),         // CHECK of MariaDB
            (1644, "45000", Trouble::Row),         // a trigger's own
        ] {
            assert_eq!(judge(number, state), expected, "{number}");
        }
    }

    #[test]
    fn a_lost_connection_is_waited_for() {
        let lost = sqlx::Error::Io(std::io::Error::other("gone"));
        assert!(matches!(unavailable_or_refused(lost), MailboxError::Unavailable(_)));
    }
}

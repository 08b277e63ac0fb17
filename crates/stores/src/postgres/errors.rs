//! What a failed call means to the engine: who is to blame, and whether it may have happened.

use engine::ports::StoreError;

use super::refusal::SchemaError;

/// SQLSTATE classes that blame the data: 22 data exception, 23 integrity constraint.
const DATA: [&str; 2] = ["22", "23"];
/// Classes that a COMMIT can answer with before anything is durable: 22 and 23 from deferred
/// checks, 25 invalid transaction state, 40 rollback.
const REFUSED_COMMIT: [&str; 4] = ["22", "23", "25", "40"];

/// The meaning of an error anywhere but at COMMIT: nothing was written.
pub(super) fn failed(error: sqlx::Error) -> StoreError {
    if is_of(&error, &DATA) {
        StoreError::Data(words(&error))
    } else {
        StoreError::Unavailable(words(&error))
    }
}

/// Classes of a refusal that stays until a person acts: 28 credentials, 3D no such database, 42 a right
/// or an object missing, 0A what the server can't do.
const PERSON: [&str; 4] = ["28", "3D", "42", "0A"];

/// The meaning of an error while a store is opened, where nothing else can be done meanwhile.
pub(super) fn opening_failed(error: sqlx::Error) -> SchemaError {
    let refused =
        matches!(error, sqlx::Error::Configuration(_) | sqlx::Error::Tls(_)) || is_of(&error, &PERSON);
    if refused { SchemaError::Refused(words(&error)) } else { SchemaError::Store(failed(error)) }
}

/// The meaning of an error of COMMIT itself: unless the server said that it rolled back, the
/// transaction may be durable.
pub(super) fn commit_failed(error: sqlx::Error) -> StoreError {
    if is_of(&error, &REFUSED_COMMIT) { failed(error) } else { StoreError::InDoubt(words(&error)) }
}

fn is_of(error: &sqlx::Error, classes: &[&str]) -> bool {
    sqlstate(error).is_some_and(|code| classes.iter().any(|class| code.starts_with(class)))
}

fn sqlstate(error: &sqlx::Error) -> Option<String> {
    error.as_database_error()?.code().map(Into::into)
}

fn words(error: &sqlx::Error) -> String {
    let Some(database) = error.as_database_error() else { return error.to_string() };
    let code = database.code().unwrap_or_default();
    let next = match &*code {
        "3F000" | "42P01" | "42703" => "; the schema is not up to date: run `msgx migrate`",
        "42501" => "; the database user lacks a right on the schema",
        "25006" => "; the server is read-only: is it a standby?",
        _ => "",
    };
    format!("{} (SQLSTATE {code}){next}", database.message())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;
    use std::error::Error;
    use std::fmt;

    use sqlx::error::{DatabaseError, ErrorKind};

    use super::*;

    #[derive(Debug)]
    struct Refusal(&'static str);

    impl fmt::Display for Refusal {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("refused")
        }
    }

    impl Error for Refusal {}

    impl DatabaseError for Refusal {
        fn message(&self) -> &str {
            "refused"
        }
        fn code(&self) -> Option<Cow<'_, str>> {
            Some(self.0.into())
        }
        fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
            self
        }
        fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
            self
        }
        fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
            self
        }
        fn kind(&self) -> ErrorKind {
            ErrorKind::Other
        }
    }

    fn refusal(code: &'static str) -> sqlx::Error {
        sqlx::Error::Database(Box::new(Refusal(code)))
    }

    #[test]
    fn only_data_and_integrity_errors_blame_the_message() {
        for code in ["22001", "22021", "23505", "23502"] {
            assert!(matches!(failed(refusal(code)), StoreError::Data(_)), "{code}");
        }
        for code in [
            "08006", "25006", "25P03", "40001", "40P01", "42P01", "53100", "55P03", "57P01", "57014",
            "58030", "XX000",
        ] {
            assert!(matches!(failed(refusal(code)), StoreError::Unavailable(_)), "{code}");
        }
        assert!(matches!(failed(sqlx::Error::PoolTimedOut), StoreError::Unavailable(_)));
    }

    #[test]
    fn a_start_waits_only_for_what_passes() {
        for code in ["28P01", "28000", "3D000", "42501", "42P01", "0A000"] {
            assert!(matches!(opening_failed(refusal(code)), SchemaError::Refused(_)), "{code}");
        }
        for code in ["08006", "25006", "53300", "57P01", "57P03", "40001", "XX000"] {
            let outcome = opening_failed(refusal(code));
            assert!(matches!(outcome, SchemaError::Store(StoreError::Unavailable(_))), "{code}");
        }
        let gone = sqlx::Error::Io(std::io::Error::other("connection refused"));
        assert!(matches!(opening_failed(gone), SchemaError::Store(StoreError::Unavailable(_))));
    }

    #[test]
    fn a_commit_is_in_doubt_unless_the_server_rolled_it_back() {
        for code in ["08006", "53100", "57P01", "58030", "XX000"] {
            assert!(matches!(commit_failed(refusal(code)), StoreError::InDoubt(_)), "{code}");
        }
        assert!(matches!(
            commit_failed(sqlx::Error::Io(std::io::ErrorKind::BrokenPipe.into())),
            StoreError::InDoubt(_)
        ));
        assert!(matches!(commit_failed(refusal("40001")), StoreError::Unavailable(_)));
        assert!(matches!(commit_failed(refusal("23505")), StoreError::Data(_)));
    }
}

//! Why a start is refused: for the operator, with what to do next.

use engine::ports::StoreError;

/// Why the store can't be used as it is; an operator must act.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SchemaError {
    /// Not a connection URL.
    #[error("not a PostgreSQL URL (postgres://user:password@host:port/database): {0}")]
    Url(String),
    /// Not a name we quote safely.
    #[error("schema name {0:?} is not accepted: use a-z, 0-9 and _, not beginning with a digit, at most 63")]
    Name(String),
    /// Written by a newer version of the program.
    #[error(
        "schema {schema} has migration {found}, which this version doesn't know (newest known: {known}): \
         start the version that wrote it, or a newer one"
    )]
    Newer {
        /// The schema.
        schema: String,
        /// Its unknown migration.
        found: i64,
        /// Our newest.
        known: i64,
    },
    /// Written by an older version, or not yet written.
    #[error("schema {schema} lacks migration {missing}: run `msgx migrate`")]
    Older {
        /// The schema.
        schema: String,
        /// The first migration it lacks.
        missing: i64,
    },
    /// A migration was changed or broke off.
    #[error("schema {schema} can't be migrated: {text}")]
    Broken {
        /// The schema.
        schema: String,
        /// What is wrong.
        text: String,
    },
    /// A statement doesn't fit the tables.
    #[error("statement {room}/{name} is refused: {cause}")]
    Statement {
        /// Room of the statement.
        room: &'static str,
        /// Its name.
        name: &'static str,
        /// What the server says.
        cause: StoreError,
    },
    /// The server is there and says no: credentials, database, rights. Waiting heals none of it.
    #[error("the server refuses: {0}")]
    Refused(String),
    /// Something between us and the server breaks what sessions promise.
    #[error(
        "a connection pooler stands before PostgreSQL and {0}: name the server itself in store.url, or a \
         pooler that gives each client a session of its own with its settings (lease and PIPELINE_LOCK rest on it)"
    )]
    Pooler(&'static str),
    /// The server can't be reached or asked.
    #[error(transparent)]
    Store(#[from] StoreError),
}

//! Is a session ours alone, and set as asked? A pooler that hands sessions out by transaction gives
//! `PIPELINE_LOCK` to whoever comes next, and forgets what bounds a stopped leader's transaction.

use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{Connection, Executor, PgConnection, Row, SqlStr};

use super::errors::opening_failed;
use super::refusal::SchemaError;

/// Looks at two sessions in turn so often: a pooler may have several behind it.
const LOOKS: usize = 4;

const ASKED: &str =
    "SELECT pg_backend_pid()::text, current_setting('statement_timeout'), current_setting('search_path')";

/// Refuses a server that stands behind a pooler which breaks sessions.
pub(super) async fn check(
    options: &PgConnectOptions,
    statement_timeout: &str,
    search_path: &str,
) -> Result<(), SchemaError> {
    let mut one = connect(options).await?;
    let mut other = connect(options).await?;
    for _ in 0..LOOKS {
        let (first, second) = (look(&mut one).await?, look(&mut other).await?);
        for seen in [&first, &second] {
            if seen.statement_timeout != statement_timeout || seen.search_path != search_path {
                return Err(SchemaError::Pooler("the settings of a session don't reach the server"));
            }
        }
        if first.backend == second.backend {
            return Err(SchemaError::Pooler(
                "two sessions share one backend, so that a lock of one is the other's",
            ));
        }
    }
    for connection in [one, other] {
        connection.close().await.map_err(opening_failed)?;
    }
    Ok(())
}

async fn connect(options: &PgConnectOptions) -> Result<PgConnection, SchemaError> {
    PgConnection::connect_with(options).await.map_err(|error| {
        let refused = error.as_database_error().is_some_and(|error| {
            error.code().as_deref() == Some("08P01") && error.message().contains("startup parameter")
        });
        if refused {
            return SchemaError::Pooler("it refuses the settings of a session");
        }
        opening_failed(error)
    })
}

struct Seen {
    backend: String,
    statement_timeout: String,
    search_path: String,
}

/// Asks without preparing: behind a pooler another's statement may be in the way.
async fn look(connection: &mut PgConnection) -> Result<Seen, SchemaError> {
    let row =
        connection.fetch_one(sqlx::raw_sql(SqlStr::from_static(ASKED))).await.map_err(opening_failed)?;
    let text = |column: usize| cell(&row, column);
    Ok(Seen { backend: text(0)?, statement_timeout: text(1)?, search_path: text(2)? })
}

fn cell(row: &PgRow, column: usize) -> Result<String, SchemaError> {
    row.try_get(column).map_err(opening_failed)
}

//! Sessions: what each connection is set to, and the two pools.

use std::str::FromStr;
use std::time::Duration;

use engine::ports::StoreError;
use sha2::{Digest, Sha256};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, Executor, PgConnection, PgPool, SqlStr};

use super::PostgresStore;
use super::errors::{failed, opening_failed};
use super::refusal::SchemaError;
use super::schema::check_name;
use super::session;
use super::sql::statements;

/// Connections of the pipeline: each loop uses one at a time.
const PIPELINE_CONNECTIONS: u32 = 8;
/// Connections for people's reads.
const VIEW_CONNECTIONS: u32 = 3;
/// Longest wait for a free or a new connection.
const ACQUIRE_WAIT: Duration = Duration::from_secs(5);

/// Longest statement of the pipeline, in PostgreSQL's words.
const STATEMENT_TIMEOUT: &str = "8s";

/// What every session of the pipeline is set to. The waits keep the transaction of a stopped or
/// unreachable process shorter than the lease (`msgx.lease-ttl`, 10 s). Plans are made for the
/// arrays at hand, a plan kept from when a table was empty would scan it when it is full; and rows are
/// looked up by key, on disks that don't turn, in less time than it takes to compile a query.
const SESSION: [(&str, &str); 11] = [
    ("default_transaction_isolation", "read committed"),
    ("synchronous_commit", "on"),
    ("idle_in_transaction_session_timeout", "5s"),
    ("statement_timeout", STATEMENT_TIMEOUT),
    ("tcp_keepalives_idle", "5"),
    ("tcp_keepalives_interval", "2"),
    ("tcp_keepalives_count", "2"),
    ("tcp_user_timeout", "9s"),
    ("plan_cache_mode", "force_custom_plan"),
    ("random_page_cost", "1.1"),
    ("jit", "off"),
];

/// What the sessions for people's reads are set to besides: they write nothing, and may take
/// longer to count.
const VIEW_SESSION: [(&str, &str); 2] =
    [("default_transaction_read_only", "on"), ("statement_timeout", "30s")];

impl PostgresStore {
    /// Connects to `schema` of the database at `url` (`postgres://user:password@host:port/database`).
    /// The schema need not exist yet: [`PostgresStore::migrate`] makes it.
    ///
    /// # Errors
    /// When the URL or the schema's name is malformed, or the server can't be reached.
    pub async fn connect(url: &str, schema: &str) -> Result<Self, SchemaError> {
        check_name(schema)?;
        let options = PgConnectOptions::from_str(url).map_err(|error| SchemaError::Url(error.to_string()))?;
        let options = options
            .application_name(&format!("msgx/{schema}"))
            .options(SESSION)
            .options([("search_path", schema), ("timezone", "UTC")]);
        // Once without the pool, which would hide why a server can't be reached behind its own wait.
        session::check(&options, STATEMENT_TIMEOUT, schema).await.map_err(|error| {
            let (host, port) = (options.get_host(), options.get_port());
            if let SchemaError::Store(StoreError::Unavailable(words)) = error {
                return StoreError::Unavailable(format!("{host}:{port}: {words}")).into();
            }
            if let SchemaError::Refused(words) = error {
                return SchemaError::Refused(format!("{host}:{port}: {words}"));
            }
            error
        })?;
        let pool = pool(PIPELINE_CONNECTIONS).connect_with(options.clone()).await.map_err(opening_failed)?;
        let views = pool_for_views(&options);
        Ok(Self { pool, views, options, schema: schema.to_owned(), lock_key: lock_key(schema) })
    }

    /// Closes every connection, once the calls under way have ended.
    pub async fn close(&self) {
        self.pool.close().await;
        self.views.close().await;
    }

    /// Prepares every statement this store sends: the tables are as it needs them. Returns how many.
    ///
    /// # Errors
    /// [`SchemaError::Statement`] names the first one the server refuses.
    pub async fn check_statements(&self) -> Result<usize, SchemaError> {
        // A pooled session would answer from what it prepared before.
        let mut connection = PgConnection::connect_with(&self.options).await.map_err(failed)?;
        let mut prepared = 0;
        for statement in statements() {
            let refused = |error| SchemaError::Statement {
                room: statement.room,
                name: statement.name,
                cause: failed(error),
            };
            connection.prepare(SqlStr::from_static(statement.sql)).await.map_err(refused)?;
            prepared += 1;
        }
        Ok(prepared)
    }
}

fn pool(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new().max_connections(connections).acquire_timeout(ACQUIRE_WAIT)
}

fn pool_for_views(options: &PgConnectOptions) -> PgPool {
    pool(VIEW_CONNECTIONS).connect_lazy_with(options.clone().options(VIEW_SESSION))
}

/// `PIPELINE_LOCK`: an advisory lock is known by a number, and each schema has its own.
fn lock_key(schema: &str) -> i64 {
    let digest = Sha256::digest(format!("msgx.pipeline-lock:{schema}"));
    let (head, _) = digest.split_first_chunk::<8>().expect("a SHA-256 has 32 bytes");
    i64::from_be_bytes(*head)
}

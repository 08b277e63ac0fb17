//! The schema and its version. Migrations are forward-only and part of the binary.

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{AssertSqlSafe, Connection, PgConnection};

use super::PostgresStore;
use super::errors::{failed, opening_failed};
use super::refusal::SchemaError;

/// Longest schema name: PostgreSQL cuts longer ones.
const NAME_MAX: usize = 63;

/// A name that needs no quotes and can't break out of them.
pub(super) fn check_name(schema: &str) -> Result<(), SchemaError> {
    let begins_well = schema.starts_with(|c: char| c.is_ascii_lowercase() || c == '_');
    let is_plain = schema.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    if begins_well && is_plain && schema.len() <= NAME_MAX {
        Ok(())
    } else {
        Err(SchemaError::Name(schema.to_owned()))
    }
}

fn migrations() -> Migrator {
    sqlx::migrate!("src/postgres/migrations")
}

impl PostgresStore {
    /// Creates the schema if need be and applies the migrations it lacks. Harmless when there are
    /// none, and when many processes do it at once: they take turns.
    ///
    /// # Errors
    /// [`SchemaError::Newer`] when the schema is ahead of this program.
    pub async fn migrate(&self) -> Result<(), SchemaError> {
        // A connection of its own: waiting for one's turn may take longer than any statement, and a
        // failure must not leave the lock with a pooled connection.
        let options = self.options.clone().options([("statement_timeout", "0")]);
        let mut connection = PgConnection::connect_with(&options).await.map_err(opening_failed)?;
        let outcome = self.migrate_on(&mut connection).await;
        if let Err(error) = connection.close().await {
            tracing::debug!(%error, "the migration's connection did not close in order");
        }
        outcome
    }

    /// Drops the schema with everything in it: for benchmarks and tests, of a schema they made.
    ///
    /// # Errors
    /// The server can't be reached or refuses.
    pub async fn drop_schema(&self) -> Result<(), SchemaError> {
        let sql = format!("DROP SCHEMA IF EXISTS {} CASCADE", self.schema);
        sqlx::raw_sql(AssertSqlSafe(sql)).execute(&self.pool).await.map_err(failed)?;
        Ok(())
    }

    async fn migrate_on(&self, connection: &mut PgConnection) -> Result<(), SchemaError> {
        let mut migrator = migrations();
        if !self.schema_exists(connection).await? {
            migrator.create_schema(self.schema.clone());
        }
        migrator.run_direct(None, connection, false).await.map_err(|error| self.schema_error(error))
    }

    /// Is the schema exactly at the version this program knows?
    ///
    /// # Errors
    /// [`SchemaError::Newer`], [`SchemaError::Older`], [`SchemaError::Broken`].
    pub async fn check_version(&self) -> Result<(), SchemaError> {
        let mut connection = self.pool.acquire().await.map_err(opening_failed)?;
        let applied = if self.has_migrations(&mut connection).await? {
            let query = sqlx::query_as("SELECT version, checksum FROM _sqlx_migrations ORDER BY version");
            query.fetch_all(&mut *connection).await.map_err(opening_failed)?
        } else {
            Vec::new()
        };
        self.compare(&applied)
    }

    fn compare(&self, applied: &[(i64, Vec<u8>)]) -> Result<(), SchemaError> {
        let migrator = migrations();
        if let Some((version, _)) = applied.iter().find(|(version, _)| !migrator.version_exists(*version)) {
            return Err(self.schema_error(MigrateError::VersionMissing(*version)));
        }
        for migration in migrator.iter() {
            match applied.iter().find(|(version, _)| *version == migration.version) {
                Some((_, checksum)) if checksum[..] == migration.checksum[..] => {}
                Some(_) => return Err(self.schema_error(MigrateError::VersionMismatch(migration.version))),
                None => {
                    let schema = self.schema.clone();
                    return Err(SchemaError::Older { schema, missing: migration.version });
                }
            }
        }
        Ok(())
    }

    async fn schema_exists(&self, connection: &mut PgConnection) -> Result<bool, SchemaError> {
        let query = sqlx::query_scalar("SELECT to_regnamespace($1) IS NOT NULL").bind(&self.schema);
        query.fetch_one(connection).await.map_err(opening_failed)
    }

    async fn has_migrations(&self, connection: &mut PgConnection) -> Result<bool, SchemaError> {
        let query = sqlx::query_scalar("SELECT to_regclass($1) IS NOT NULL")
            .bind(format!("{}._sqlx_migrations", self.schema));
        query.fetch_one(connection).await.map_err(opening_failed)
    }

    fn schema_error(&self, error: MigrateError) -> SchemaError {
        let schema = self.schema.clone();
        if let MigrateError::VersionMissing(found) = error {
            let known = migrations().iter().map(|migration| migration.version).max().unwrap_or(0);
            return SchemaError::Newer { schema, found, known };
        }
        if let MigrateError::Execute(error) = error {
            return opening_failed(error);
        }
        SchemaError::Broken { schema, text: error.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_names_are_accepted() {
        for name in ["msgx", "msgx_t2", "_x"] {
            assert_eq!(check_name(name), Ok(()));
        }
        for name in ["", "Msgx", "2msgx", "msgx; DROP SCHEMA public", "m-x", "\"", "航班", &"a".repeat(64)]
        {
            assert_eq!(check_name(name), Err(SchemaError::Name(name.to_owned())));
        }
    }
}

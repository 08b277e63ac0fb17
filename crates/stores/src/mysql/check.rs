//! Is the mailbox what the configuration says? Asked by `check` before anything runs, and
//! making the default table for demos and tests, where it is ours to make.

use engine::ports::MailboxError;
use sqlx::{AssertSqlSafe, Connection, Executor, MySqlConnection, SqlSafeStr};

use super::MysqlMailbox;
use super::errors::unavailable_or_refused;
use super::layout::Layout;
use super::statements::Statements;
use super::table::quoted;

impl MysqlMailbox {
    /// What is not as configured. Has the server prepare every statement, which checks names
    /// and rights, and runs none of them.
    pub(super) async fn findings(&self) -> Vec<String> {
        let found = async {
            // Once without the pool, which would hide why a server can't be reached behind its own wait.
            let options = self.pool.connect_options();
            MySqlConnection::connect_with(&options).await.map_err(unavailable_or_refused)?;
            let layout = Layout::read(&self.pool, &self.table).await?;
            let statements = Statements::new(&self.table, &layout)?;
            let mut lines = self.misfits(&layout)?;
            lines.extend(self.refused(&statements).await?);
            Ok::<_, MailboxError>(lines)
        };
        found.await.unwrap_or_else(|error| vec![error.to_string()])
    }

    fn misfits(&self, layout: &Layout) -> Result<Vec<String>, MailboxError> {
        let names = &self.table;
        let id = layout.column(&names.id)?;
        let mark = layout.column(&names.mark)?;
        let mut lines = Vec::new();
        if !layout.engine.eq_ignore_ascii_case("InnoDB") {
            lines.push(format!("{}: engine {}, only InnoDB gives a snapshot", names.table, layout.engine));
        }
        if !id.data_type.ends_with("int") {
            lines.push(format!("{}: type {}, an integer is needed", id.name, id.data_type));
        }
        if !id.primary {
            lines.push(format!("{}: not the primary key, polls would scan the table", id.name));
        }
        if !mark.nullable {
            lines.push(format!("{}: NOT NULL, so no mark is ever empty", mark.name));
        }
        if let Some(status) = &names.status {
            let status = layout.column(status)?;
            let (value, most) = (&names.processed_value, status.characters_max);
            let length = value.chars().count() as u64;
            if let Some(most) = most.filter(|most| length > *most) {
                lines.push(format!(
                    "{}: takes {most} characters, mailbox.processed-value '{value}' has {length}; no mark could be written",
                    status.name
                ));
            }
        }
        Ok(lines)
    }

    async fn refused(&self, statements: &Statements) -> Result<Vec<String>, MailboxError> {
        let mut connection = self.pool.acquire().await.map_err(unavailable_or_refused)?;
        let mut lines = Vec::new();
        for (what, statement) in [
            ("poll", &statements.visible),
            ("read bodies", &statements.landed),
            ("mark", statements.mark.of(1).0),
        ] {
            let sql = AssertSqlSafe(statement.text()).into_sql_str();
            if let Err(error) = connection.prepare(sql).await {
                lines.push(format!("{}: can't {what}: {error}", self.table.table));
            }
        }
        Ok(lines)
    }

    /// Makes the table with the configured names, if there is none: for demos and tests, never
    /// for a mailbox that others own.
    ///
    /// # Errors
    /// The server can't be reached or refuses.
    pub async fn create_table(&self) -> Result<(), MailboxError> {
        let names = &self.table;
        let status = names
            .status
            .as_ref()
            .map_or_else(String::new, |status| format!("{} VARCHAR(32) NULL,", quoted(status)));
        let sql = format!(
            "CREATE TABLE IF NOT EXISTS {} (
                {} BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
                {} DATETIME(6) NULL,
                {} DATETIME(6) NULL,
                CMINMSGS_SUBSYSTEM_NAME VARCHAR(64) NULL,
                CMINMSGS_SUBSYSTEM_SEQUENCE INT NULL,
                CMINMSGS_SUBSYSTEM_DATE_SENT DATETIME NULL,
                CMINMSGS_SUBSYSTEM_TYPE VARCHAR(32) NULL,
                CMINMSGS_SUBSYSTEM_SUBTYPE VARCHAR(32) NULL,
                {status}
                {} LONGTEXT NULL
            ) ENGINE=InnoDB DEFAULT CHARACTER SET utf8mb4",
            names.quoted(),
            quoted(&names.id),
            quoted(&names.received),
            quoted(&names.mark),
            quoted(&names.body),
        );
        self.pool.execute(AssertSqlSafe(sql)).await.map_err(unavailable_or_refused)?;
        Ok(())
    }

    /// Drops the table: for benchmarks and tests, of a table they made.
    ///
    /// # Errors
    /// The server can't be reached or refuses.
    pub async fn drop_table(&self) -> Result<(), MailboxError> {
        let sql = format!("DROP TABLE IF EXISTS {}", self.table.quoted());
        self.pool.execute(AssertSqlSafe(sql)).await.map_err(unavailable_or_refused)?;
        Ok(())
    }
}

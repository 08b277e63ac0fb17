//! What the server says about the table: read once, before the statements are made.

use engine::ports::MailboxError;
use sqlx::MySqlPool;

use super::errors::unavailable_or_refused;
use super::table::MailboxTable;
use super::times::TimeColumn;

/// The table as the server's catalogue describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Layout {
    /// Storage engine; empty for a view.
    pub(super) engine: String,
    /// Columns in order.
    pub(super) columns: Vec<Column>,
    /// Has the server a UUID? MySQL has, MariaDB has not.
    pub(super) server_has_uuid: bool,
}

/// A column.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: String,
    /// Lower case, without length: `bigint`, `longtext`.
    pub(super) data_type: String,
    pub(super) time: TimeColumn,
    pub(super) nullable: bool,
    /// Is it the whole primary key or the first column of it?
    pub(super) primary: bool,
    /// Set by the server on every UPDATE that doesn't name it.
    pub(super) on_update: bool,
    /// Most characters of a text; `None` where the type has no such limit.
    pub(super) characters_max: Option<u64>,
}

const COLUMNS: &str = "
SELECT CAST(c.COLUMN_NAME AS BINARY), CAST(LOWER(c.DATA_TYPE) AS BINARY), CAST(c.DATETIME_PRECISION AS SIGNED),
       CAST(c.IS_NULLABLE = 'YES' AS SIGNED), CAST(c.COLUMN_KEY = 'PRI' AS SIGNED),
       CAST(LOWER(c.EXTRA) LIKE '%on update%' AS SIGNED), CAST(COALESCE(t.ENGINE, '') AS BINARY),
       CAST(c.CHARACTER_MAXIMUM_LENGTH AS SIGNED)
  FROM information_schema.COLUMNS c
  JOIN information_schema.TABLES t ON t.TABLE_SCHEMA = c.TABLE_SCHEMA AND t.TABLE_NAME = c.TABLE_NAME
 WHERE c.TABLE_SCHEMA = COALESCE(?, DATABASE()) AND c.TABLE_NAME = ?
 ORDER BY c.ORDINAL_POSITION";

type Row = (Vec<u8>, Vec<u8>, Option<i64>, i64, i64, i64, Vec<u8>, Option<i64>);

impl Layout {
    /// Asks the server.
    pub(super) async fn read(pool: &MySqlPool, table: &MailboxTable) -> Result<Self, MailboxError> {
        let (schema, name) = table.schema_and_table();
        let rows: Vec<Row> = sqlx::query_as(COLUMNS)
            .bind(schema)
            .bind(name)
            .fetch_all(pool)
            .await
            .map_err(unavailable_or_refused)?;
        let uuid = sqlx::query("SHOW VARIABLES LIKE 'server_uuid'")
            .fetch_optional(pool)
            .await
            .map_err(unavailable_or_refused)?;
        let Some(first) = rows.first() else {
            return Err(MailboxError::Refused(format!(
                "table {} does not exist, or its columns may not be seen: grant SELECT, or set its name",
                table.table
            )));
        };
        let engine = text(&first.6);
        let columns = rows.into_iter().map(Column::from).collect();
        Ok(Self { engine, columns, server_has_uuid: uuid.is_some() })
    }

    /// A column by its name, which the server compares without case.
    pub(super) fn column(&self, name: &str) -> Result<&Column, MailboxError> {
        let same = |column: &&Column| column.name.to_lowercase() == name.to_lowercase();
        self.columns.iter().find(same).ok_or_else(|| {
            let found: Vec<&str> = self.columns.iter().map(|column| column.name.as_str()).collect();
            MailboxError::Refused(format!("no column {name}; the table has {}", found.join(", ")))
        })
    }
}

impl Column {
    /// Bytes without a charset?
    pub(super) fn is_binary(&self) -> bool {
        self.data_type.ends_with("blob") || self.data_type.ends_with("binary")
    }
}

impl From<Row> for Column {
    fn from((name, data_type, digits, nullable, primary, on_update, _, characters): Row) -> Self {
        let data_type = text(&data_type);
        let digits = digits.and_then(|digits| digits.try_into().ok()).unwrap_or(0);
        let time = if data_type == "timestamp" {
            TimeColumn::Instant { digits }
        } else {
            TimeColumn::Wall { digits }
        };
        Self {
            name: text(&name),
            data_type,
            time,
            nullable: nullable != 0,
            primary: primary != 0,
            on_update: on_update != 0,
            characters_max: characters.and_then(|characters| characters.try_into().ok()),
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

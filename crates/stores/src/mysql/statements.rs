//! The mailbox's SQL: texts made once from the site's names and the table's layout. Values
//! are always bound.

use std::sync::Arc;

use engine::ports::MailboxError;
use sqlx::mysql::{MySql, MySqlArguments, MySqlRow};
use sqlx::query::{Query, QueryAs};
use sqlx::{AssertSqlSafe, FromRow};

use super::layout::{Column, Layout};
use super::table::{MailboxTable, quoted};
use super::times::TimeColumn;

/// Most IDs in one statement.
pub(super) const IDS_MAX: usize = 512;

/// One statement.
#[derive(Debug, Clone)]
pub(super) struct Statement(Arc<str>);

/// The same statement for lists of 1, 2, 4 ... [`IDS_MAX`] IDs: few enough texts for every
/// session to keep them prepared.
#[derive(Debug, Clone)]
pub(super) struct ListStatement(Vec<Statement>);

/// All statements.
#[derive(Debug, Clone)]
pub(super) struct Statements {
    /// Identity of the server, number of the connection.
    pub(super) server: Statement,
    /// The number the next row will get; bind: schema or NULL, table.
    pub(super) next: Statement,
    /// Which of these exist, and what is the hash of their bodies?
    pub(super) hashes: ListStatement,
    /// Is the table kept by the engine whose transactions can be listed?
    pub(super) is_innodb: bool,
    /// IDs and lengths above one, at most so many.
    pub(super) visible: Statement,
    /// Rows from one ID to another, bodies up to a length; bind: length, length, first, last.
    pub(super) landed: Statement,
    /// IDs from one to another, at most so many.
    pub(super) present: Statement,
    /// Rows from one ID to another, at most so many: is the mark there, its time, the status.
    pub(super) rows: Statement,
    /// Smallest and largest ID.
    pub(super) extent: Statement,
    /// Which of these exist, and is the mark empty?
    pub(super) marks: ListStatement,
    /// Writes the mark where it is empty; bind: time, status (where there is one), IDs.
    pub(super) mark: ListStatement,
    /// Which of these exist, is the mark empty, and is it the one given? Bind as for `mark`.
    pub(super) marks_like: ListStatement,
    /// A letter; bind: time, body.
    pub(super) insert: Statement,
    /// A letter with its ID; bind: ID, time, body.
    pub(super) insert_with_id: Statement,
    /// Type of the time of receipt.
    pub(super) received: TimeColumn,
    /// Type of the mark.
    pub(super) mark_time: TimeColumn,
    /// What `mark` writes to the status column.
    pub(super) processed_value: Option<String>,
}

impl Statements {
    /// Makes the statements; an error when the table lacks a column.
    pub(super) fn new(names: &MailboxTable, layout: &Layout) -> Result<Self, MailboxError> {
        let table = names.quoted();
        let id = quoted(&names.id);
        let body = quoted(&names.body);
        let received_name = quoted(&names.received);
        let mark_name = quoted(&names.mark);
        layout.column(&names.id)?;
        let hash = hash(layout.column(&names.body)?);
        let received = layout.column(&names.received)?.time;
        let mark_time = layout.column(&names.mark)?.time;
        let time = received.write();
        let (same, status) = status(names);
        Ok(Self {
            server: server(layout),
            next: Statement::new(NEXT.to_owned()),
            hashes: ListStatement::new(|list| {
                format!("SELECT CAST({id} AS SIGNED), UNHEX({hash}) FROM {table} WHERE {id} IN ({list})")
            }),
            is_innodb: layout.engine.eq_ignore_ascii_case("InnoDB"),
            visible: Statement::new(format!(
                "SELECT CAST({id} AS SIGNED), CAST(OCTET_LENGTH({body}) AS SIGNED) FROM {table}
                  WHERE {id} > ? ORDER BY {id} LIMIT ?"
            )),
            landed: Statement::new(format!(
                "SELECT CAST({id} AS SIGNED), {}, CAST(OCTET_LENGTH({body}) AS SIGNED),
                        IF(OCTET_LENGTH({body}) <= ?, {body}, NULL),
                        IF(OCTET_LENGTH({body}) > ?, UNHEX({hash}), NULL)
                   FROM {table} WHERE {id} BETWEEN ? AND ? ORDER BY {id}",
                received.read(&received_name)
            )),
            present: Statement::new(format!(
                "SELECT CAST({id} AS SIGNED) FROM {table} WHERE {id} BETWEEN ? AND ? ORDER BY {id} LIMIT ?"
            )),
            rows: Statement::new(format!(
                "SELECT CAST({id} AS SIGNED), CAST({mark_name} IS NOT NULL AS SIGNED), {}, {status}
                   FROM {table} WHERE {id} BETWEEN ? AND ? ORDER BY {id} LIMIT ?",
                mark_time.read(&mark_name)
            )),
            extent: Statement::new(format!(
                "SELECT CAST(MIN({id}) AS SIGNED), CAST(MAX({id}) AS SIGNED) FROM {table}"
            )),
            marks: ListStatement::new(|list| {
                format!(
                    "SELECT CAST({id} AS SIGNED), CAST({mark_name} IS NULL AS SIGNED), 0 FROM {table} WHERE {id} IN ({list})"
                )
            }),
            mark: ListStatement::new(|list| {
                let values = assignments(names, layout, mark_time);
                format!(
                    "UPDATE {table} SET {values} WHERE {id} IN ({list}) AND {mark_name} IS NULL ORDER BY {id}"
                )
            }),
            marks_like: ListStatement::new(|list| {
                format!(
                    "SELECT CAST({id} AS SIGNED), CAST({mark_name} IS NULL AS SIGNED),
                            CAST({mark_name} <=> {}{same} AS SIGNED) FROM {table} WHERE {id} IN ({list})",
                    mark_time.write()
                )
            }),
            insert: Statement::new(format!(
                "INSERT INTO {table} ({received_name}, {body}) VALUES ({time}, ?)"
            )),
            insert_with_id: Statement::new(format!(
                "INSERT INTO {table} ({id}, {received_name}, {body}) VALUES (?, {time}, ?)"
            )),
            received,
            mark_time,
            processed_value: names.status.is_some().then(|| names.processed_value.clone()),
        })
    }
}

/// Which server, and which connection to it.
fn server(layout: &Layout) -> Statement {
    let identity =
        if layout.server_has_uuid { "@@server_id, @@server_uuid" } else { "@@server_id, @@hostname, @@port" };
    Statement::new(format!(
        "SELECT CAST(CONCAT_WS('/', {identity}) AS BINARY), CAST(CONNECTION_ID() AS SIGNED)"
    ))
}

/// Whether the status column says what a mark writes, and the column as text.
fn status(names: &MailboxTable) -> (String, String) {
    let Some(status) = &names.status else { return (String::new(), "CAST(NULL AS BINARY)".to_owned()) };
    let name = quoted(status);
    (format!(" AND {name} <=> ?"), format!("CAST(CONVERT({name} USING utf8mb4) AS BINARY)"))
}

/// The catalogue's answer is fresh: sessions are set up so that MySQL 8 doesn't answer from its cache.
const NEXT: &str = "SELECT CAST(AUTO_INCREMENT AS SIGNED) FROM information_schema.TABLES
 WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?";

/// SHA-256 of a body as a poll fetches it: text as UTF-8, bytes as they are.
fn hash(body: &Column) -> String {
    let name = quoted(&body.name);
    if body.is_binary() {
        return format!("SHA2({name}, 256)");
    }
    // Where the server can't hold the converted text, the hash is of the text as it lies there.
    format!("COALESCE(SHA2(CONVERT({name} USING utf8mb4), 256), SHA2({name}, 256))")
}

/// What a mark sets: the time, the status, and to themselves the columns that the server would
/// otherwise change on any UPDATE.
fn assignments(names: &MailboxTable, layout: &Layout, mark_time: TimeColumn) -> String {
    let mut set = vec![format!("{} = {}", quoted(&names.mark), mark_time.write())];
    set.extend(names.status.iter().map(|status| format!("{} = ?", quoted(status))));
    let ours = |name: &str| {
        [Some(&names.mark), names.status.as_ref()]
            .into_iter()
            .flatten()
            .any(|our| our.to_lowercase() == name.to_lowercase())
    };
    let kept = layout.columns.iter().filter(|column| column.on_update && !ours(&column.name));
    set.extend(kept.map(|column| format!("{0} = {0}", quoted(&column.name))));
    set.join(", ")
}

impl Statement {
    fn new(text: String) -> Self {
        Self(text.into())
    }

    /// As a query without a row type.
    pub(super) fn query(&self) -> Query<'static, MySql, MySqlArguments> {
        // Safe: made above from validated, quoted names; values are bound.
        sqlx::query(AssertSqlSafe(Arc::clone(&self.0)))
    }

    /// As a query for rows of a type.
    pub(super) fn query_as<R: for<'r> FromRow<'r, MySqlRow>>(
        &self,
    ) -> QueryAs<'static, MySql, R, MySqlArguments> {
        // Safe: as above.
        sqlx::query_as(AssertSqlSafe(Arc::clone(&self.0)))
    }

    /// Its text, for the check that the server accepts it.
    pub(super) fn text(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

impl ListStatement {
    fn new(text: impl Fn(&str) -> String) -> Self {
        let sizes = (0..=IDS_MAX.ilog2()).map(|power| 1_usize << power);
        Self(sizes.map(|size| Statement::new(text(&vec!["?"; size].join(", ")))).collect())
    }

    /// The statement for a list of `count` IDs (1 to [`IDS_MAX`]), and how many it takes: the
    /// caller repeats the last ID to fill up, which changes nothing.
    pub(super) fn of(&self, count: usize) -> (&Statement, usize) {
        assert!((1..=IDS_MAX).contains(&count), "lists of 1 to {IDS_MAX} IDs, not {count}");
        let size = count.next_power_of_two();
        (&self.0[size.ilog2() as usize], size)
    }
}

//! The mailbox as witness of its own past: its numbering, its bodies (PRE-3), and who may still own a
//! missing ID (DEC-5). All over the one connection that polls.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use domain::MsgId;
use domain::mailbox::{OpenTransaction, Shown};
use engine::ports::{MailboxError, MailboxPast, Session, Transactions};
use sqlx::mysql::MySqlDatabaseError;
use sqlx::{AssertSqlSafe, Connection, MySqlConnection, Row};

use super::MysqlMailbox;
use super::errors::unavailable_or_refused;
use super::poll::BEGIN_SNAPSHOT;
use super::statements::{IDS_MAX, Statements};

/// The server's "you need the PROCESS right".
const NO_RIGHT: u16 = 1227;

/// Settings that tell whether rows may come from another server, and who applies them.
const ELSEWHERE: &str = "SHOW GLOBAL VARIABLES WHERE Variable_name IN
 ('read_only', 'innodb_read_only', 'wsrep_on', 'wsrep_provider', 'group_replication_group_name')";
const APPLIERS: &str = "SELECT CAST(COUNT(*) AS SIGNED) FROM information_schema.PROCESSLIST
 WHERE USER = 'system user' AND COMMAND <> 'Daemon'";

/// Numbers the looks, so that each can be told from an older picture that the server kept.
static LOOKS: AtomicU64 = AtomicU64::new(1);

impl MailboxPast for MysqlMailbox {
    async fn shown(&self, ids: &[MsgId]) -> Result<(Session, Shown), MailboxError> {
        let statements = self.statements().await?;
        shown(self, statements, ids).await.map_err(unavailable_or_refused)
    }

    async fn transactions(&self) -> Result<(Session, Transactions), MailboxError> {
        let statements = self.statements().await?;
        transactions(self, statements).await.map_err(unavailable_or_refused)
    }
}

/// Who answers on this connection.
pub(super) async fn session(
    statements: &Statements,
    connection: &mut MySqlConnection,
) -> Result<Session, sqlx::Error> {
    let (server, number): (Vec<u8>, i64) = statements.server.query_as().fetch_one(connection).await?;
    Ok(Session { server: String::from_utf8_lossy(&server).into_owned(), connection: number.unsigned_abs() })
}

async fn shown(
    mailbox: &MysqlMailbox,
    statements: &Statements,
    ids: &[MsgId],
) -> Result<(Session, Shown), sqlx::Error> {
    let mut connection = mailbox.watch.acquire().await?;
    let session = session(statements, &mut connection).await?;
    let (schema, table) = mailbox.table.schema_and_table();
    let next: Option<(Option<i64>,)> = statements
        .next
        .query_as()
        .bind(schema.map(str::to_owned))
        .bind(table.to_owned())
        .fetch_optional(&mut *connection)
        .await?;
    let mut bodies = BTreeMap::new();
    for part in ids.chunks(IDS_MAX) {
        let (statement, size) = statements.hashes.of(part.len());
        let mut query = statement.query_as();
        for id in part.iter().chain(std::iter::repeat_n(&part[part.len() - 1], size - part.len())) {
            query = query.bind(id.0);
        }
        let rows: Vec<(i64, Option<Vec<u8>>)> = query.fetch_all(&mut *connection).await?;
        let hash = |hash: Option<Vec<u8>>| hash.and_then(|hash| hash.try_into().ok());
        bodies.extend(rows.into_iter().map(|(id, sha256)| (MsgId(id), hash(sha256))));
    }
    Ok((session, Shown { next: next.and_then(|(next,)| next).map(MsgId), bodies }))
}

async fn transactions(
    mailbox: &MysqlMailbox,
    statements: &Statements,
) -> Result<(Session, Transactions), sqlx::Error> {
    let mut connection = mailbox.watch.acquire().await?;
    let session = session(statements, &mut connection).await?;
    let unusable = if statements.is_innodb {
        elsewhere(&mut connection).await?
    } else {
        Some("the table's engine is not InnoDB".to_owned())
    };
    let found = match unusable {
        Some(why) => Transactions::Unusable(why),
        None => match look(&mut connection).await {
            Err(error) if is_no_right(&error) => Transactions::Unusable(
                "the PROCESS right is missing (GRANT PROCESS ON *.* TO the mailbox's user)".to_owned(),
            ),
            found => found?,
        },
    };
    Ok((session, found))
}

/// Why a transaction of another server may own a missing ID.
async fn elsewhere(connection: &mut MySqlConnection) -> Result<Option<String>, sqlx::Error> {
    let rows = sqlx::raw_sql(ELSEWHERE).fetch_all(&mut *connection).await?;
    let mut settings: BTreeMap<String, String> = BTreeMap::new();
    for row in rows {
        let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).to_lowercase();
        settings.insert(text(row.try_get_unchecked(0)?), text(row.try_get_unchecked(1)?));
    }
    let value = |name: &str| settings.get(name).map_or("", String::as_str);
    let on = |name: &str| matches!(value(name), "on" | "1");
    if on("wsrep_on") && !matches!(value("wsrep_provider"), "" | "none") {
        return Ok(Some("the server is a node of a Galera cluster".to_owned()));
    }
    if !value("group_replication_group_name").is_empty() {
        return Ok(Some("the server is a member of a replication group".to_owned()));
    }
    if on("read_only") || on("innodb_read_only") {
        return Ok(Some("the server is read-only: rows come from another".to_owned()));
    }
    let (appliers,): (i64,) = sqlx::query_as(APPLIERS).fetch_one(connection).await?;
    Ok((appliers > 0).then(|| "the server is a replica".to_owned()))
}

/// One look. The server keeps its picture for a tenth of a second, and for longer while others ask:
/// only a picture that shows this very statement is as new as the call.
async fn look(connection: &mut MySqlConnection) -> Result<Transactions, sqlx::Error> {
    let number = LOOKS.fetch_add(1, Ordering::Relaxed);
    let sql = format!(
        "SELECT CAST(trx_mysql_thread_id AS SIGNED), CAST(CAST(trx_started AS CHAR) AS BINARY),
                CAST(trx_tables_locked > 0 AS SIGNED),
                CAST(trx_mysql_thread_id = CONNECTION_ID() AS SIGNED),
                CAST(COALESCE(trx_query, '') LIKE '%msgx look {number}.%' AS SIGNED)
           FROM information_schema.INNODB_TRX"
    );
    let mut snapshot = connection.begin_with(BEGIN_SNAPSHOT).await?;
    let rows = sqlx::raw_sql(AssertSqlSafe(sql)).fetch_all(&mut *snapshot).await?;
    snapshot.commit().await?;
    let (mut open, mut is_new) = (Vec::new(), false);
    for row in rows {
        let thread: i64 = row.try_get_unchecked(0)?;
        let started: Option<Vec<u8>> = row.try_get_unchecked(1)?;
        let flag = |index| row.try_get_unchecked::<i64, usize>(index).map(|flag| flag != 0);
        if flag(3)? {
            is_new |= flag(4)?;
        } else if flag(2)? {
            let started = String::from_utf8_lossy(&started.unwrap_or_default()).into_owned();
            open.push(OpenTransaction { thread: thread.unsigned_abs(), started });
        }
    }
    Ok(if is_new {
        Transactions::Open(open)
    } else {
        Transactions::Unusable(
            "the server's list of transactions is out of date: others ask for it more than ten times a second"
                .to_owned(),
        )
    })
}

fn is_no_right(error: &sqlx::Error) -> bool {
    let number = |error: &dyn sqlx::error::DatabaseError| {
        error.try_downcast_ref::<MySqlDatabaseError>().map(MySqlDatabaseError::number)
    };
    error.as_database_error().and_then(number) == Some(NO_RIGHT)
}

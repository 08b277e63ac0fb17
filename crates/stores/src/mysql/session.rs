//! How a connection is set up: whatever the server's defaults, every session of ours behaves
//! the same.

use std::str::FromStr;
use std::time::Duration;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use sqlx::mysql::{MySqlConnectOptions, MySqlConnection, MySqlPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Executor, MySqlPool};

use super::times::{self, TimeColumn};
use super::{ConfigError, MysqlMailboxConfig};

/// Longest wait for a connection.
const CONNECT_MAX: Duration = Duration::from_secs(5);

/// How to connect: as the URL says, with a session that doesn't depend on the driver's own ideas.
pub(super) fn options(config: &MysqlMailboxConfig) -> Result<MySqlConnectOptions, ConfigError> {
    Ok(MySqlConnectOptions::from_str(&config.url)
        .map_err(|error| ConfigError::Url(error.to_string()))?
        .timezone(None)
        .pipes_as_concat(false)
        .no_engine_substitution(false)
        .charset("utf8mb4")
        .disable_statement_logging())
}

/// A pool of at most so many connections; connects to nothing yet.
pub(super) fn pool(
    options: MySqlConnectOptions,
    zone: &TimeZone,
    connections_max: u32,
    silence_max: Duration,
) -> MySqlPool {
    let zone = zone.clone();
    MySqlPoolOptions::new()
        .max_connections(connections_max)
        .acquire_timeout(CONNECT_MAX)
        // Well before a silent connection is cut.
        .idle_timeout(silence_max / 3)
        .after_connect(move |connection, _| {
            let zone = zone.clone();
            Box::pin(async move { set_up(connection, &zone).await })
        })
        .connect_lazy_with(options)
}

/// One session:
/// - `time_zone` is the zone's offset now, by the server's clock: it decides what the table's
///   own defaults and triggers write. Our own values don't depend on it ([`times`]).
/// - READ COMMITTED, so that a mark locks just its rows; where the binary log is by statement,
///   the server refuses writes below REPEATABLE READ.
/// - `sql_mode` strict, without the server's dialect switches: a value that doesn't fit is
///   refused, never cut.
/// - a mark waits at most a second for a row's lock, and (MariaDB) a transaction of ours that
///   stands still is ended by the server.
/// - (MySQL 8) the catalogue is read fresh: the next number of a table would be a day old otherwise.
async fn set_up(connection: &mut MySqlConnection, zone: &TimeZone) -> Result<(), sqlx::Error> {
    let (now, binlog): (Vec<u8>, Vec<u8>) = sqlx::query_as(
        "SELECT CAST(CAST(UTC_TIMESTAMP() AS CHAR) AS BINARY), CAST(@@binlog_format AS BINARY)",
    )
    .fetch_one(&mut *connection)
    .await?;
    let wall = TimeColumn::Wall { digits: 0 };
    let now = times::parse(wall, &String::from_utf8_lossy(&now), &TimeZone::UTC)
        .ok_or_else(|| sqlx::Error::Protocol("the server doesn't know the time".to_owned()))?;
    let level = if binlog.eq_ignore_ascii_case(b"STATEMENT") { "REPEATABLE READ" } else { "READ COMMITTED" };
    let offset = offset(zone, now);
    let session = format!(
        "SET SESSION TRANSACTION ISOLATION LEVEL {level};
         SET SESSION time_zone = '{offset}', autocommit = 1, innodb_lock_wait_timeout = 1,
         sql_mode = 'STRICT_TRANS_TABLES,NO_ENGINE_SUBSTITUTION'
         /*M!100300 , idle_transaction_timeout = 10 */
         /*!80000 , information_schema_stats_expiry = 0 */"
    );
    connection.execute(AssertSqlSafe(session)).await?;
    Ok(())
}

/// A zone's offset at a time, as the server wants it: `+08:00`.
fn offset(zone: &TimeZone, at: Timestamp) -> String {
    let minutes = zone.to_offset(at).seconds() / 60;
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_sent_as_its_offset_of_the_moment() {
        for (zone, at, expected) in [
            ("Asia/Shanghai", "2026-07-01T00:00:00Z", "+08:00"),
            ("Europe/Berlin", "2026-07-01T00:00:00Z", "+02:00"),
            ("Europe/Berlin", "2026-01-01T00:00:00Z", "+01:00"),
            ("America/St_Johns", "2026-01-01T00:00:00Z", "-03:30"),
            ("UTC", "2026-01-01T00:00:00Z", "+00:00"),
        ] {
            let zone = TimeZone::get(zone).expect("zone");
            assert_eq!(offset(&zone, at.parse().expect("time")), expected);
        }
    }
}

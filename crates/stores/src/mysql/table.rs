//! What a site says about its mailbox: where it is, and what its table and columns are called.

use std::fmt;
use std::time::Duration;

use jiff::tz::TimeZone;

/// Longest identifier of the server, in characters.
const NAME_MAX: usize = 64;

/// Configuration of a [`super::MysqlMailbox`].
#[derive(Clone)]
pub struct MysqlMailboxConfig {
    /// `mysql://user:password@host:port/database`.
    pub url: String,
    /// Names.
    pub table: MailboxTable,
    /// Zone of the wall times in the table (`mailbox.time-zone`).
    pub time_zone: TimeZone,
    /// Most connections beside the one that polls, at least 1.
    pub connections_max: u32,
    /// `mailbox.silence-max` (30 s): a connection over which nothing comes or goes for so long is cut.
    pub silence_max: Duration,
}

impl MysqlMailboxConfig {
    /// Default names, zone of `time_zone`, 6 connections, cut after 30 s of silence.
    pub fn new(url: impl Into<String>, time_zone: TimeZone) -> Self {
        Self {
            url: url.into(),
            table: MailboxTable::default(),
            time_zone,
            connections_max: 6,
            silence_max: Duration::from_secs(30),
        }
    }
}

/// Without the URL, which holds a password.
impl fmt::Debug for MysqlMailboxConfig {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MysqlMailboxConfig").field("table", &self.table).finish_non_exhaustive()
    }
}

/// Names of the table and its columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailboxTable {
    /// The table; `schema.table` when it isn't in the URL's database.
    pub table: String,
    /// Primary key.
    pub id: String,
    /// Time of receipt.
    pub received: String,
    /// The mark: empty while NULL (`mailbox.mark.column`).
    pub mark: String,
    /// Set with the mark to `processed_value`; `None` leaves it alone
    /// (`mailbox.mark.status-column` empty).
    pub status: Option<String>,
    /// The message.
    pub body: String,
    /// `mailbox.processed-value`.
    pub processed_value: String,
}

impl Default for MailboxTable {
    fn default() -> Self {
        Self {
            table: "CMINMSGS".to_owned(),
            id: "CMINMSGS_ID".to_owned(),
            received: "CMINMSGS_DATE_RECEIVED".to_owned(),
            mark: "CMINMSGS_DATE_PROCESSED".to_owned(),
            status: Some("CMINMSGS_STATUS".to_owned()),
            body: "CMINMSGS_CLOB_MSG".to_owned(),
            processed_value: "PROCESSED".to_owned(),
        }
    }
}

/// A configuration that can't be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// Not a URL of the accepted form.
    #[error("the mailbox's URL is not of the form mysql://user:password@host:port/database: {0}")]
    Url(String),
    /// A name that isn't one.
    #[error("`{name}` can't be a {what} of the mailbox: letters, digits, `_` and `$`, at most 64")]
    Name {
        /// Which name.
        what: &'static str,
        /// What was given.
        name: String,
    },
}

impl MailboxTable {
    /// Are these names? They become part of SQL, so nothing else is let through.
    pub(super) fn validate(&self) -> Result<(), ConfigError> {
        let (schema, table) = self.schema_and_table();
        let names = [("schema", schema.unwrap_or("x")), ("table", table)].into_iter();
        let columns = [
            ("column", &self.id),
            ("column", &self.received),
            ("column", &self.mark),
            ("column", &self.body),
        ];
        let status = self.status.iter().map(|name| ("column", name.as_str()));
        for (what, name) in names.chain(columns.map(|(what, name)| (what, name.as_str()))).chain(status) {
            if !is_name(name) {
                return Err(ConfigError::Name { what, name: name.to_owned() });
            }
        }
        Ok(())
    }

    /// The two parts of the table's name.
    pub(super) fn schema_and_table(&self) -> (Option<&str>, &str) {
        match self.table.split_once('.') {
            Some((schema, table)) => (Some(schema), table),
            None => (None, &self.table),
        }
    }

    /// The table's name in SQL.
    pub(super) fn quoted(&self) -> String {
        let (schema, table) = self.schema_and_table();
        schema.map_or_else(|| quoted(table), |schema| format!("{}.{}", quoted(schema), quoted(table)))
    }
}

/// A validated name in SQL.
pub(super) fn quoted(name: &str) -> String {
    // The server's own names (columns found in its catalogue) may hold a backtick.
    format!("`{}`", name.replace('`', "``"))
}

fn is_name(name: &str) -> bool {
    (1..=NAME_MAX).contains(&name.chars().count())
        && name.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '$')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_names_are_let_into_sql() {
        for (name, good) in [
            ("CMINMSGS", true),
            ("aodb.CMINMSGS", true),
            ("信箱", true),
            ("a$1", true),
            ("", false),
            ("a.b.c", false),
            ("a`b", false),
            ("a; DROP TABLE b", false),
            ("a b", false),
            (&"x".repeat(65), false),
        ] {
            let table = MailboxTable { table: name.to_owned(), ..MailboxTable::default() };
            assert_eq!(table.validate().is_ok(), good, "{name}");
        }
    }

    #[test]
    fn a_status_column_is_a_name_too() {
        let table = MailboxTable { status: Some("a-b".to_owned()), ..MailboxTable::default() };
        assert_eq!(table.validate(), Err(ConfigError::Name { what: "column", name: "a-b".to_owned() }));
    }

    #[test]
    fn the_password_is_not_in_debug_output() {
        let config = MysqlMailboxConfig::new("mysql://a:secret@h/d", TimeZone::UTC);
        assert!(!format!("{config:?}").contains("secret"));
    }
}

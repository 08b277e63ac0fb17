//! The mailbox in MySQL or MariaDB: a table that belongs to others.
//!
//! Reads are one consistent snapshot, end with it, and take no locks; the mark is one
//! conditional UPDATE in primary-key order, so that the mailbox's producers never wait for us
//! longer than for a single statement. The table is never altered or deleted from (C-14).
//! Names are the site's: [`MailboxTable`]. Times are local wall time: [`times`].

mod check;
mod errors;
mod insert;
mod layout;
mod marks;
mod past;
mod poll;
mod relay;
mod rows;
mod session;
mod statements;
mod table;
mod times;

use std::sync::Arc;

use domain::MsgId;
use domain::mailbox::IdRange;
use engine::ports::{Extent, Mailbox, MailboxError, MarkOutcome, NewLetter, Poll, PollRequest};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use sqlx::MySqlPool;
use tokio::sync::OnceCell;

use self::errors::unavailable_or_refused;
use self::layout::Layout;
use self::relay::Relay;
use self::statements::Statements;
pub use self::table::{ConfigError, MailboxTable, MysqlMailboxConfig};

/// The mailbox port on MySQL 5.7+ or MariaDB 10.3+. Connects when first used.
#[derive(Debug, Clone)]
pub struct MysqlMailbox {
    pool: MySqlPool,
    /// The one connection of discovery: what it says of gaps and numbering is compared with what it
    /// polls, which must come from the same server.
    watch: MySqlPool,
    table: MailboxTable,
    zone: TimeZone,
    statements: Arc<OnceCell<Statements>>,
    /// Where all connections pass through; it lasts as long as any clone.
    _relay: Option<Arc<Relay>>,
}

impl MysqlMailbox {
    /// Checks the configuration; connects to nothing yet. Must be called within a Tokio runtime.
    ///
    /// # Errors
    /// The URL or a name can't be used; the error says which and what is accepted.
    pub fn open(config: MysqlMailboxConfig) -> Result<Self, ConfigError> {
        config.table.validate()?;
        let options = session::options(&config)?;
        let (options, relay) = relay::through_relay(options, config.silence_max)
            .map_err(|error| ConfigError::Url(format!("no local socket: {error}")))?;
        let pool =
            |options, connections| session::pool(options, &config.time_zone, connections, config.silence_max);
        let (pool, watch) = (pool(options.clone(), config.connections_max), pool(options, 1));
        Ok(Self {
            pool,
            watch,
            table: config.table,
            zone: config.time_zone,
            statements: Arc::default(),
            _relay: relay,
        })
    }

    /// The statements, made when the table's layout is first seen.
    async fn statements(&self) -> Result<&Statements, MailboxError> {
        self.statements
            .get_or_try_init(|| async {
                let layout = Layout::read(&self.pool, &self.table).await?;
                Statements::new(&self.table, &layout)
            })
            .await
    }
}

impl Mailbox for MysqlMailbox {
    async fn poll(&self, request: &PollRequest) -> Result<Poll, MailboxError> {
        poll::poll(self, request).await
    }

    async fn present(&self, ranges: &[IdRange], limit: usize) -> Result<Vec<MsgId>, MailboxError> {
        poll::present(self, ranges, limit).await
    }

    async fn extent(&self) -> Result<Extent, MailboxError> {
        let statements = self.statements().await?;
        let (first, last): (Option<i64>, Option<i64>) =
            statements.extent.query_as().fetch_one(&self.pool).await.map_err(unavailable_or_refused)?;
        Ok(Extent { first: first.map(MsgId), last: last.map(MsgId) })
    }

    async fn mark(&self, ids: &[MsgId], at: Timestamp) -> Result<Vec<(MsgId, MarkOutcome)>, MailboxError> {
        marks::mark(self, ids, at).await
    }

    async fn check(&self) -> Vec<String> {
        self.findings().await
    }

    async fn insert(&self, letters: &[NewLetter]) -> Result<Vec<MsgId>, MailboxError> {
        insert::insert(self, letters).await
    }
}

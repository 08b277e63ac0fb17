//! Own store and mailbox in SQLite files, each case in a directory of its own.

mod keeping;
mod mailbox_subject;
mod store_subject;

use std::path::Path;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

mod store {
    contract::store_suite!(super::store_subject::StoreSubject);
}

mod mailbox {
    contract::mailbox_suite!(super::mailbox_subject::MailboxSubject, without open_transactions);
}

/// A connection beside the adapter's own, which sees what others see.
async fn beside(file: &Path) -> SqliteConnection {
    SqliteConnection::connect_with(&SqliteConnectOptions::new().filename(file)).await.expect("the file opens")
}

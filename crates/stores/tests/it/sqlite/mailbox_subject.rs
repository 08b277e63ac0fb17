//! A mailbox under test.

use contract::{Harness, MailboxHarness, Mark};
use domain::MsgId;
use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::TimeZone;
use sqlx::SqliteConnection;
use stores::sqlite::{SqliteMailbox, SqliteMailboxOptions};
use tempfile::TempDir;

use super::beside;

pub(super) struct MailboxSubject {
    directory: TempDir,
    mailbox: SqliteMailbox,
    zone: TimeZone,
}

impl MailboxSubject {
    async fn beside(&self) -> SqliteConnection {
        beside(&self.directory.path().join("mailbox.db")).await
    }
}

impl Harness for MailboxSubject {
    async fn fresh() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let zone = TimeZone::get("Asia/Shanghai").expect("a known zone");
        let options = SqliteMailboxOptions { zone: zone.clone(), processed_value: "PROCESSED".to_owned() };
        let mailbox = SqliteMailbox::open(&directory.path().join("mailbox.db"), options).await;
        Self { directory, mailbox: mailbox.expect("a new mailbox"), zone }
    }

    async fn close(self) {
        self.mailbox.close().await;
    }
}

impl MailboxHarness for MailboxSubject {
    type Mailbox = SqliteMailbox;

    fn mailbox(&self) -> &SqliteMailbox {
        &self.mailbox
    }

    async fn mark_of(&self, id: MsgId) -> Option<Mark> {
        let row: Option<(Option<String>, Option<String>)> = sqlx::query_as(
            "SELECT CMINMSGS_STATUS, CMINMSGS_DATE_PROCESSED FROM CMINMSGS WHERE CMINMSGS_ID = ?1",
        )
        .bind(id.0)
        .fetch_optional(&mut self.beside().await)
        .await
        .expect("an answer");
        row.map(|(status, wall)| Mark { status, processed_at: wall.map(|wall| self.time(&wall)) })
    }

    async fn mark_by_other(&self, id: MsgId, mark: Mark) {
        let wall = mark.processed_at.map(|time| self.zone.to_datetime(time).to_string().replace('T', " "));
        sqlx::query(
            "UPDATE CMINMSGS SET CMINMSGS_STATUS = ?2, CMINMSGS_DATE_PROCESSED = ?3 WHERE CMINMSGS_ID = ?1",
        )
        .bind(id.0)
        .bind(mark.status)
        .bind(wall)
        .execute(&mut self.beside().await)
        .await
        .expect("a mark");
    }

    async fn delete(&self, id: MsgId) {
        sqlx::query("DELETE FROM CMINMSGS WHERE CMINMSGS_ID = ?1")
            .bind(id.0)
            .execute(&mut self.beside().await)
            .await
            .expect("a deletion");
    }
}

impl MailboxSubject {
    fn time(&self, wall: &str) -> Timestamp {
        let wall: DateTime = wall.parse().expect("wall time");
        self.zone.to_timestamp(wall).expect("a time of this zone")
    }
}

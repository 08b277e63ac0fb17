//! The mailbox as witness of its own past.

use domain::MsgId;
use domain::mailbox::Shown;
use engine::ports::{MailboxError, MailboxPast, Session, Transactions};
use sha2::{Digest, Sha256};

use super::super::errors::Failure;
use super::super::statement::named;
use super::{FILE, SERVER, SqliteMailbox};

const NEXT: &str = named(FILE, "next");
const BODIES_OF: &str = named(FILE, "bodies_of");

impl MailboxPast for SqliteMailbox {
    async fn shown(&self, ids: &[MsgId]) -> Result<(Session, Shown), MailboxError> {
        let session = self.session().await?;
        let readers = self.database.readers();
        let next: i64 = sqlx::query_scalar(NEXT).fetch_one(readers).await.map_err(MailboxError::of)?;
        let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
        let rows: Vec<(i64, Option<Vec<u8>>)> = sqlx::query_as(BODIES_OF)
            .bind(serde_json::json!(ids).to_string())
            .fetch_all(readers)
            .await
            .map_err(MailboxError::of)?;
        let hashed =
            |(id, body): (i64, Option<Vec<u8>>)| (MsgId(id), body.map(|body| Sha256::digest(body).into()));
        Ok((session, Shown { next: Some(MsgId(next)), bodies: rows.into_iter().map(hashed).collect() }))
    }

    async fn transactions(&self) -> Result<(Session, Transactions), MailboxError> {
        let words = "the embedded mailbox has one writer at a time and gives a number back that isn't used";
        Ok((self.session().await?, Transactions::Unusable(words.to_owned())))
    }
}

impl SqliteMailbox {
    /// A file has no connections that could lead elsewhere.
    async fn session(&self) -> Result<Session, MailboxError> {
        let server = sqlx::query_scalar(SERVER).fetch_one(self.database.readers()).await;
        Ok(Session { server: server.map_err(MailboxError::of)?, connection: 0 })
    }
}

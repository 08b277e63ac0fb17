//! Putting letters in: for the ingress, `send`, tests and benchmarks.

use domain::MsgId;
use engine::ports::{MailboxError, NewLetter};

use super::MysqlMailbox;
use super::errors::unavailable_or_refused;
use super::statements::Statements;
use super::times;

pub(super) async fn insert(
    mailbox: &MysqlMailbox,
    letters: &[NewLetter],
) -> Result<Vec<MsgId>, MailboxError> {
    let statements = mailbox.statements().await?;
    write(mailbox, statements, letters).await.map_err(unavailable_or_refused)
}

/// One INSERT each: the server doesn't promise that the IDs of a multi-row INSERT follow each
/// other in every lock mode, and MySQL can't return them.
async fn write(
    mailbox: &MysqlMailbox,
    statements: &Statements,
    letters: &[NewLetter],
) -> Result<Vec<MsgId>, sqlx::Error> {
    let mut transaction = mailbox.pool.begin().await?;
    let mut ids = Vec::with_capacity(letters.len());
    for letter in letters {
        let mut query = match letter.id {
            Some(id) => statements.insert_with_id.query().bind(id.0),
            None => statements.insert.query(),
        };
        query = query.bind(times::text(statements.received, letter.received_at, &mailbox.zone));
        // As text the server converts it to the column's charset; what is no UTF-8 goes as bytes,
        // which only a binary column takes.
        query = match letter.body.as_deref().map(|body| (body, std::str::from_utf8(body))) {
            None => query.bind(None::<&str>),
            Some((_, Ok(text))) => query.bind(text.to_owned()),
            Some((bytes, Err(_))) => query.bind(bytes.to_vec()),
        };
        let done = query.execute(&mut *transaction).await?;
        ids.push(letter.id.unwrap_or_else(|| MsgId(done.last_insert_id().cast_signed())));
    }
    transaction.commit().await?;
    Ok(ids)
}

//! Reading the mailbox: one poll is one snapshot, which ends before the call does.

use domain::MsgId;
use domain::mailbox::{IdRange, takeable};
use domain::message::StoredBody;
use engine::ports::{BodyLimits, Landed, MailboxError, Poll, PollRequest, Session, Visible};
use sqlx::Row;
use sqlx::Transaction;
use sqlx::mysql::{MySql, MySqlRow};

use super::MysqlMailbox;
use super::errors::unavailable_or_refused;
use super::statements::Statements;
use super::{past, times};

/// The session reads committed rows statement by statement; just this transaction sees one
/// moment.
pub(super) const BEGIN_SNAPSHOT: &str = "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ;
START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY";

pub(super) async fn poll(mailbox: &MysqlMailbox, request: &PollRequest) -> Result<Poll, MailboxError> {
    let statements = mailbox.statements().await?;
    read(mailbox, statements, request).await.map_err(unavailable_or_refused)
}

async fn read(
    mailbox: &MysqlMailbox,
    statements: &Statements,
    request: &PollRequest,
) -> Result<Poll, sqlx::Error> {
    let mut snapshot = mailbox.watch.begin_with(BEGIN_SNAPSHOT).await?;
    let Session { server, connection } = past::session(statements, &mut snapshot).await?;
    let rows: Vec<(i64, Option<i64>)> = statements
        .visible
        .query_as()
        .bind(request.after.0)
        .bind(limit(request.ids_max))
        .fetch_all(&mut *snapshot)
        .await?;
    let visible: Vec<Visible> = rows
        .into_iter()
        .map(|(id, length)| Visible { id: MsgId(id), length: length.map(i64::unsigned_abs) })
        .collect();
    let landed = match fitting(request, &visible) {
        [] => Vec::new(),
        wanted @ ([only] | [only, ..]) => {
            let last = wanted.last().unwrap_or(only);
            let range = IdRange { first: only.id, last: last.id };
            bodies(mailbox, statements, &mut snapshot, range, request.bodies.body_max).await?
        }
    };
    snapshot.commit().await?;
    Ok(Poll { server, connection, visible, landed })
}

/// The rows to fetch: those that may be taken up, as many as fit.
fn fitting<'rows>(request: &PollRequest, visible: &'rows [Visible]) -> &'rows [Visible] {
    let ids: Vec<MsgId> = visible.iter().map(|row| row.id).collect();
    let taken = takeable(request.after, &ids, &request.dead, request.step).min(request.rows_max);
    let taken = &visible[..taken];
    &taken[..count_fitting(taken, request.bodies)]
}

/// How many of the rows fit into one poll; the first always does. A body that is not fetched
/// takes no room.
fn count_fitting(rows: &[Visible], limits: BodyLimits) -> usize {
    let mut bytes: u64 = 0;
    let fits = |row: &&Visible| {
        let length = row.length.filter(|length| *length <= limits.body_max).unwrap_or(0);
        bytes = bytes.saturating_add(length);
        bytes <= limits.poll_max
    };
    rows.iter().take_while(fits).count().max(usize::from(!rows.is_empty()))
}

async fn bodies(
    mailbox: &MysqlMailbox,
    statements: &Statements,
    snapshot: &mut Transaction<'_, MySql>,
    range: IdRange,
    body_max: u64,
) -> Result<Vec<Landed>, sqlx::Error> {
    let rows = statements
        .landed
        .query()
        .bind(body_max)
        .bind(body_max)
        .bind(range.first.0)
        .bind(range.last.0)
        .fetch_all(&mut **snapshot)
        .await?;
    rows.iter().map(|row| landed(mailbox, statements, row)).collect()
}

fn landed(mailbox: &MysqlMailbox, statements: &Statements, row: &MySqlRow) -> Result<Landed, sqlx::Error> {
    let received: Option<Vec<u8>> = row.try_get_unchecked(1)?;
    let length: Option<i64> = row.try_get(2)?;
    let bytes: Option<Vec<u8>> = row.try_get_unchecked(3)?;
    let hash: Option<Vec<u8>> = row.try_get_unchecked(4)?;
    let hash = hash.and_then(|hash| <[u8; 32]>::try_from(hash).ok());
    let body = match (bytes, length, hash) {
        (Some(bytes), _, _) => StoredBody::Bytes(bytes),
        (None, Some(length), Some(sha256)) => StoredBody::Oversized { length: length.unsigned_abs(), sha256 },
        (None, None, _) => StoredBody::Missing,
        (None, Some(_), None) => {
            let source = "a body that is neither fetched nor hashed".into();
            return Err(sqlx::Error::ColumnDecode { index: "body".to_owned(), source });
        }
    };
    let received_at = received
        .and_then(|text| times::parse(statements.received, &String::from_utf8_lossy(&text), &mailbox.zone));
    Ok(Landed { id: MsgId(row.try_get(0)?), received_at, body })
}

pub(super) async fn present(
    mailbox: &MysqlMailbox,
    ranges: &[IdRange],
    limit_all: usize,
) -> Result<Vec<MsgId>, MailboxError> {
    let statements = mailbox.statements().await?;
    let mut ranges = ranges.to_vec();
    ranges.sort_unstable();
    let mut found: Vec<MsgId> = Vec::new();
    for range in ranges {
        // Ranges may overlap; an ID is told once.
        let first = found.last().map_or(range.first, |last| range.first.max(MsgId(last.0 + 1)));
        let room = limit_all.saturating_sub(found.len());
        if room == 0 || first > range.last {
            continue;
        }
        let rows: Vec<(i64,)> = statements
            .present
            .query_as()
            .bind(first.0)
            .bind(range.last.0)
            .bind(limit(room))
            .fetch_all(&mailbox.pool)
            .await
            .map_err(unavailable_or_refused)?;
        found.extend(rows.into_iter().map(|(id,)| MsgId(id)));
    }
    Ok(found)
}

fn limit(count: usize) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lengths: &[Option<u64>]) -> Vec<Visible> {
        lengths.iter().zip(1..).map(|(length, id)| Visible { id: MsgId(id), length: *length }).collect()
    }

    #[test]
    fn bodies_fit_into_one_poll_and_one_row_always_does() {
        let limits = BodyLimits { poll_max: 100, body_max: 150 };
        for (lengths, expected) in [
            (vec![], 0),
            (vec![Some(40), Some(60), Some(1)], 2),
            (vec![Some(140), Some(1)], 1),
            (vec![Some(151), Some(100), Some(0)], 3), // too long to be fetched: takes no room
            (vec![None, Some(100), None, Some(1)], 3),
        ] {
            assert_eq!(count_fitting(&rows(&lengths), limits), expected, "{lengths:?}");
        }
    }
}

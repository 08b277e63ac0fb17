//! One poll: IDs and lengths first, then the bodies of what may be taken up and fits.

use domain::MsgId;
use domain::mailbox::takeable;
use domain::message::StoredBody;
use engine::ports::{BodyLimits, Landed, MailboxError, Poll, PollRequest, Visible};
use jiff::tz::TimeZone;
use sha2::{Digest, Sha256};
use sqlx::SqliteConnection;

use super::super::errors::Failure;
use super::super::limit;
use super::super::statement::named;
use super::{FILE, SERVER, wall_time};

const LENGTHS: &str = named(FILE, "lengths");
const BODIES: &str = named(FILE, "bodies");
const PIECE: &str = named(FILE, "piece");

/// Bytes of an oversized body held in memory while it is hashed.
const PIECE_BYTES: i64 = 8 << 20;

/// Must run inside one read transaction: its statements rely on seeing the same rows.
pub(super) async fn poll(
    connection: &mut SqliteConnection,
    request: &PollRequest,
    zone: &TimeZone,
) -> Result<Poll, MailboxError> {
    let server = sqlx::query_scalar(SERVER).fetch_one(&mut *connection).await.map_err(MailboxError::of)?;
    let visible = lengths(connection, request).await?;
    let ids: Vec<MsgId> = visible.iter().map(|row| row.id).collect();
    let takeable = takeable(request.after, &ids, &request.dead, request.step);
    let rows = fitting(&visible[..takeable.min(request.rows_max)], request.bodies);
    let landed = bodies(connection, request, rows, zone).await?;
    Ok(Poll { server, connection: 0, visible, landed })
}

async fn lengths(
    connection: &mut SqliteConnection,
    request: &PollRequest,
) -> Result<Vec<Visible>, MailboxError> {
    let rows: Vec<(i64, Option<i64>)> = sqlx::query_as(LENGTHS)
        .bind(request.after.0)
        .bind(limit(request.ids_max))
        .fetch_all(connection)
        .await
        .map_err(MailboxError::of)?;
    let visible = |(id, length): (i64, Option<i64>)| Visible { id: MsgId(id), length: length.map(bytes) };
    Ok(rows.into_iter().map(visible).collect())
}

/// How many of `rows` fit into one poll. The first always does; what isn't fetched weighs
/// nothing.
fn fitting(rows: &[Visible], limits: BodyLimits) -> usize {
    let mut total: u64 = 0;
    for (count, row) in rows.iter().enumerate() {
        let weight = row.length.filter(|length| *length <= limits.body_max).unwrap_or(0);
        total = total.saturating_add(weight);
        if total > limits.poll_max && count > 0 {
            return count;
        }
    }
    rows.len()
}

#[derive(sqlx::FromRow)]
struct LetterRow {
    id: i64,
    received: Option<String>,
    length: Option<i64>,
    body: Option<Vec<u8>>,
}

/// The first `rows` rows above the watermark.
async fn bodies(
    connection: &mut SqliteConnection,
    request: &PollRequest,
    rows: usize,
    zone: &TimeZone,
) -> Result<Vec<Landed>, MailboxError> {
    let letters: Vec<LetterRow> = sqlx::query_as(BODIES)
        .bind(request.after.0)
        .bind(limit(rows))
        .bind(i64::try_from(request.bodies.body_max).unwrap_or(i64::MAX))
        .fetch_all(&mut *connection)
        .await
        .map_err(MailboxError::of)?;
    let mut landed = Vec::with_capacity(letters.len());
    for letter in letters {
        let received_at = letter.received.as_deref().and_then(|text| wall_time::read(text, zone));
        let body = match (letter.length, letter.body) {
            (None, _) => StoredBody::Missing,
            (Some(_), Some(body)) => StoredBody::Bytes(body),
            (Some(length), None) => {
                let sha256 = digest(connection, letter.id, length).await?;
                StoredBody::Oversized { length: bytes(length), sha256 }
            }
        };
        landed.push(Landed { id: MsgId(letter.id), received_at, body });
    }
    Ok(landed)
}

/// SHA-256 of a body that is too long to hold. SQLite can't compute it, so it is read in pieces.
async fn digest(connection: &mut SqliteConnection, id: i64, length: i64) -> Result<[u8; 32], MailboxError> {
    let mut hash = Sha256::new();
    let mut read = 0;
    while read < length {
        let piece: Vec<u8> = sqlx::query_scalar(PIECE)
            .bind(id)
            .bind(read + 1)
            .bind(PIECE_BYTES)
            .fetch_one(&mut *connection)
            .await
            .map_err(MailboxError::of)?;
        hash.update(piece);
        read += PIECE_BYTES;
    }
    Ok(hash.finalize().into())
}

/// A length as SQLite gives it; never negative.
fn bytes(length: i64) -> u64 {
    length.unsigned_abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_row_always_fits_and_what_is_not_fetched_weighs_nothing() {
        let limits = BodyLimits { poll_max: 10, body_max: 20 };
        let cases: [(&[Option<u64>], usize); 6] = [
            (&[], 0),
            (&[Some(20), Some(1)], 1),
            (&[Some(4), Some(6), Some(1)], 2),
            (&[Some(4), Some(99), Some(6)], 3),
            (&[None, None, Some(10)], 3),
            (&[None, Some(11)], 1),
        ];
        for (lengths, expected) in cases {
            let rows: Vec<_> = lengths
                .iter()
                .zip(1..)
                .map(|(length, id)| Visible { id: MsgId(id), length: *length })
                .collect();
            assert_eq!(fitting(&rows, limits), expected, "{lengths:?}");
        }
    }
}

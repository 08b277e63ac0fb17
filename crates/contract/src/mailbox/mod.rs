//! What every mailbox must do, room by room.

pub mod bodies;
pub mod insert;
pub mod marks;
pub mod open_transactions;
pub mod past;
pub mod poll;
pub mod rows;

use domain::MsgId;
use domain::mailbox::IdRange;
use engine::ports::{BodyLimits, Landed, Mailbox, NewLetter, Poll, PollRequest};

/// A poll of everything above `after` that passes over nothing.
fn all_above(after: i64) -> PollRequest {
    PollRequest {
        after: MsgId(after),
        dead: Vec::new(),
        step: 1,
        ids_max: 10_000,
        rows_max: 1_000,
        bodies: BodyLimits { poll_max: 16 << 20, body_max: 10 << 20 },
    }
}

fn over(after: i64, dead: &[IdRange]) -> PollRequest {
    PollRequest { dead: dead.to_vec(), ..all_above(after) }
}

async fn land(mailbox: &impl Mailbox, letters: &[NewLetter]) -> Vec<i64> {
    let ids = mailbox.insert(letters).await.expect("inserts");
    ids.into_iter().map(|id| id.0).collect()
}

async fn poll(mailbox: &impl Mailbox, request: &PollRequest) -> Poll {
    mailbox.poll(request).await.expect("polls")
}

fn visible(poll: &Poll) -> Vec<i64> {
    poll.visible.iter().map(|row| row.id.0).collect()
}

fn landed(poll: &Poll) -> Vec<i64> {
    poll.landed.iter().map(|row| row.id.0).collect()
}

/// Everything with a body, polled alone.
async fn rows(mailbox: &impl Mailbox) -> Vec<Landed> {
    poll(mailbox, &all_above(0)).await.landed
}

//! Writing the mark: only where it is empty, never over another's (INV-7).

use std::collections::BTreeMap;

use domain::MsgId;
use engine::ports::{MailboxError, MarkOutcome};
use jiff::Timestamp;
use sqlx::mysql::{MySql, MySqlArguments};
use sqlx::query::QueryAs;

use super::MysqlMailbox;
use super::errors::{Trouble, trouble, unavailable_or_refused};
use super::statements::{IDS_MAX, ListStatement, Statements};
use super::times;

/// Most repetitions after a deadlock, and most waits for a lock (1 s each), in one call.
const DEADLOCKS_MAX: u32 = 4;
const LOCK_WAITS_MAX: u32 = 8;

pub(super) async fn mark(
    mailbox: &MysqlMailbox,
    ids: &[MsgId],
    at: Timestamp,
) -> Result<Vec<(MsgId, MarkOutcome)>, MailboxError> {
    let statements = mailbox.statements().await?;
    let mut sorted = ids.to_vec();
    sorted.sort_unstable();
    sorted.dedup();
    let time = times::text(statements.mark_time, at, &mailbox.zone);
    let mut round =
        Round { mailbox, statements, time, outcomes: BTreeMap::new(), deadlocks: 0, lock_waits: 0 };
    for part in sorted.chunks(IDS_MAX) {
        if let Err(error) = round.mark(part).await {
            round.give_up(&sorted, error)?;
            break;
        }
    }
    let outcome = |id: &MsgId| {
        let outcome = round.outcomes.get(id).cloned();
        (*id, outcome.expect("each ID was given an outcome, or the call an error"))
    };
    Ok(ids.iter().map(outcome).collect())
}

/// One call.
struct Round<'a> {
    mailbox: &'a MysqlMailbox,
    statements: &'a Statements,
    /// The mark, as text.
    time: String,
    outcomes: BTreeMap<MsgId, MarkOutcome>,
    deadlocks: u32,
    lock_waits: u32,
}

/// A row as re-read: ID, mark empty?, mark ours?
type Seen = (i64, i64, i64);

impl Round<'_> {
    /// Marks some rows, ascending.
    async fn mark(&mut self, ids: &[MsgId]) -> Result<(), sqlx::Error> {
        let (statement, size) = self.statements.marks.of(ids.len());
        let seen = bind(statement.query_as(), ids, size).fetch_all(&self.mailbox.pool).await?;
        self.note(ids, &seen);
        let empty: Vec<MsgId> = ids.iter().copied().filter(|id| !self.outcomes.contains_key(id)).collect();
        // Halves of what can't be written whole, in order.
        let mut parts: Vec<&[MsgId]> = vec![&empty];
        while let Some(part) = parts.pop() {
            if part.is_empty() {
                continue;
            }
            match self.update(part).await {
                Ok(written) if written == part.len() as u64 => self.all(part, &MarkOutcome::Written),
                Ok(_) => self.read_again(part).await?,
                Err(error) => self.judge(part, error, &mut parts)?,
            }
        }
        Ok(())
    }

    async fn update(&self, ids: &[MsgId]) -> Result<u64, sqlx::Error> {
        let (statement, size) = self.statements.mark.of(ids.len());
        let mut query = statement.query().bind(&self.time);
        if let Some(value) = &self.statements.processed_value {
            query = query.bind(value);
        }
        for id in padded(ids, size) {
            query = query.bind(id);
        }
        Ok(query.execute(&self.mailbox.pool).await?.rows_affected())
    }

    /// Someone was faster with some of these rows. Whose mark a row bears is told by its value:
    /// where both wrote the very same, it is also ours.
    async fn read_again(&mut self, ids: &[MsgId]) -> Result<(), sqlx::Error> {
        let (statement, size): (_, usize) = ListStatement::of(&self.statements.marks_like, ids.len());
        let mut query = statement.query_as().bind(&self.time);
        if let Some(value) = &self.statements.processed_value {
            query = query.bind(value);
        }
        let seen = bind(query, ids, size).fetch_all(&self.mailbox.pool).await?;
        self.note(ids, &seen);
        for id in ids {
            self.outcomes
                .entry(*id)
                .or_insert_with(|| failed("the row changed while it was marked".to_owned()));
        }
        Ok(())
    }

    /// Notes what a row seen says by itself; rows with an empty mark get no outcome yet.
    fn note(&mut self, ids: &[MsgId], seen: &[Seen]) {
        let seen: BTreeMap<i64, (bool, bool)> =
            seen.iter().map(|(id, empty, ours)| (*id, (*empty != 0, *ours != 0))).collect();
        for id in ids {
            let outcome = match seen.get(&id.0) {
                None => MarkOutcome::Missing,
                Some((true, _)) => continue,
                Some((false, true)) => MarkOutcome::Written,
                Some((false, false)) => MarkOutcome::AlreadyMarked,
            };
            self.outcomes.insert(*id, outcome);
        }
    }

    /// What to do about an error; one of the whole call is given back.
    fn judge<'ids>(
        &mut self,
        part: &'ids [MsgId],
        error: sqlx::Error,
        parts: &mut Vec<&'ids [MsgId]>,
    ) -> Result<(), sqlx::Error> {
        let text = error.to_string();
        match trouble(&error) {
            Trouble::Unavailable => return Err(error),
            Trouble::Deadlock if self.deadlocks < DEADLOCKS_MAX => {
                self.deadlocks += 1;
                parts.push(part);
            }
            Trouble::Deadlock => self.all(part, &failed(text)),
            Trouble::LockWait => {
                self.lock_waits += 1;
                if self.lock_waits >= LOCK_WAITS_MAX {
                    // Enough waited: the rest is left to the next call.
                    for part in std::mem::take(parts).into_iter().chain([part]) {
                        self.all(part, &failed(text.clone()));
                    }
                } else {
                    self.split(part, failed(text), parts);
                }
            }
            Trouble::Row => self.split(part, needs_operator(text), parts),
            Trouble::Operator => self.all(part, &needs_operator(text)),
        }
        Ok(())
    }

    /// Looks for the culprit in halves, so that it doesn't hold up the others.
    fn split<'ids>(&mut self, part: &'ids [MsgId], alone: MarkOutcome, parts: &mut Vec<&'ids [MsgId]>) {
        match part {
            [_] | [] => self.all(part, &alone),
            _ => {
                let (first, second) = part.split_at(part.len() / 2);
                parts.extend([second, first]);
            }
        }
    }

    fn all(&mut self, ids: &[MsgId], outcome: &MarkOutcome) {
        self.outcomes.extend(ids.iter().map(|id| (*id, outcome.clone())));
    }

    /// The server is gone. What was learned before is still told; an error if that is nothing.
    fn give_up(&mut self, ids: &[MsgId], error: sqlx::Error) -> Result<(), MailboxError> {
        if !self.outcomes.values().any(|outcome| *outcome == MarkOutcome::Written) {
            return Err(unavailable_or_refused(error));
        }
        for id in ids {
            self.outcomes.entry(*id).or_insert_with(|| failed(error.to_string()));
        }
        Ok(())
    }
}

fn failed(error: String) -> MarkOutcome {
    MarkOutcome::Failed { error, needs_operator: false }
}

fn needs_operator(error: String) -> MarkOutcome {
    MarkOutcome::Failed { error, needs_operator: true }
}

fn bind<'q>(
    mut query: QueryAs<'q, MySql, Seen, MySqlArguments>,
    ids: &[MsgId],
    size: usize,
) -> QueryAs<'q, MySql, Seen, MySqlArguments> {
    for id in padded(ids, size) {
        query = query.bind(id);
    }
    query
}

/// The IDs, the last one repeated up to `size`.
fn padded(ids: &[MsgId], size: usize) -> impl Iterator<Item = i64> + '_ {
    let last = ids.last().map_or(0, |id| id.0);
    ids.iter().map(|id| id.0).chain(std::iter::repeat(last)).take(size)
}

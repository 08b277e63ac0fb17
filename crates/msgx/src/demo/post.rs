//! The upstream side of the demo: puts the letters of an invented airport into the mailbox at
//! their pace, each with the ID that its place in the traffic gives it. The same options give the
//! same rows, whenever and in how many sittings they are written; when others put rows in too
//! (`msgx send`), later letters make room for them.

use std::collections::BTreeMap;
use std::time::Duration;

use airport::{Fate, Letter, Traffic};
use domain::MsgId;
use domain::mailbox::IdRange;
use engine::ports::{Mailbox, MailboxError, NewLetter};
use jiff::Timestamp;

/// Part of `max-commit-delay` that a late commit may take at most, so that it stays late and
/// never becomes lost: half of it.
const LATE_SHARE: u32 = 2;

/// The letters still to be posted.
#[derive(Debug)]
pub(crate) struct Post {
    traffic: Traffic,
    /// Index of the next letter; its ID is one more, and `shift`.
    next: u64,
    /// IDs that letters have given way by because others had taken theirs.
    shift: u64,
    /// Largest ID posted so far: a letter at or below it commits late.
    highest: MsgId,
    /// Index of the first letter of this sitting.
    first: u64,
    /// Letters of this sitting; `None` never stops.
    count: Option<u64>,
    /// Late letters by the index after which they commit.
    late: BTreeMap<u64, Vec<(MsgId, Letter)>>,
    late_max: u64,
    rate: f64,
    posted: u64,
}

impl Post {
    /// `rate` letters per second; `duration` of the generator's own clock.
    pub(crate) fn new(
        traffic: Traffic,
        rate: f64,
        duration: Option<Duration>,
        commit_delay: Duration,
    ) -> Self {
        let letters = |span: Duration| (span.as_secs_f64() * rate).round();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "rates and spans are positive and small"
        )]
        let count = |number: f64| number as u64;
        Self {
            traffic,
            next: 0,
            shift: 0,
            highest: MsgId(0),
            first: 0,
            count: duration.map(|span| count(letters(span))),
            late: BTreeMap::new(),
            late_max: count(letters(commit_delay / LATE_SHARE)),
            rate,
            posted: 0,
        }
    }

    /// Goes on after a restart: letters up to `last`, the mailbox's largest ID, are not posted again.
    /// What others put in counts as letters of ours that were rolled back.
    pub(crate) fn resume_after(&mut self, last: MsgId) {
        while self.next < last.0.unsigned_abs() && self.traffic.next().is_some() {
            self.next += 1;
        }
        self.first = self.next;
        self.shift = last.0.unsigned_abs().saturating_sub(self.next);
        self.highest = last;
    }

    /// Index to stop before.
    fn end(&self) -> u64 {
        self.count.map_or(u64::MAX, |count| self.first.saturating_add(count))
    }

    /// Has everything been posted?
    pub(crate) fn is_done(&self) -> bool {
        self.next >= self.end() && self.late.is_empty()
    }

    /// Rows put into the mailbox so far.
    pub(crate) fn posted(&self) -> u64 {
        self.posted
    }

    /// Posts what is due `elapsed` after the first letter, stamped `at`; about `most`
    /// letters at most. Gives their number.
    pub(crate) async fn deliver<M: Mailbox>(
        &mut self,
        mailbox: &M,
        elapsed: Duration,
        at: Timestamp,
        most: usize,
    ) -> Result<usize, MailboxError> {
        let mut due = self.due(elapsed, most);
        if due.is_empty() {
            return Ok(0);
        }
        loop {
            let letters = due.iter().map(|(id, letter)| NewLetter {
                body: letter.body.clone(),
                received_at: at,
                id: Some(*id),
            });
            match mailbox.insert(&letters.collect::<Vec<_>>()).await {
                Ok(_) => break,
                // Nothing of it was written. Did others take some of its IDs?
                Err(refused @ MailboxError::Refused(_)) => {
                    let wanted: Vec<_> =
                        due.iter().map(|(id, _)| IdRange { first: *id, last: *id }).collect();
                    let taken = mailbox.present(&wanted, usize::MAX).await?;
                    let last = mailbox.extent().await?.last.filter(|_| !taken.is_empty()).ok_or(refused)?;
                    self.make_room(&mut due, &taken, last);
                }
                Err(unavailable @ MailboxError::Unavailable(_)) => return Err(unavailable),
            }
        }
        self.highest = due.iter().map(|(id, _)| *id).fold(self.highest, MsgId::max);
        self.posted += due.len() as u64;
        Ok(due.len())
    }

    /// Others have the IDs `taken`, and nobody has one above `last`. New letters move behind `last`
    /// together, so that their gaps stay gaps; a late one, whose gap is filled, gets the next free ID.
    fn make_room(&mut self, due: &mut [(MsgId, Letter)], taken: &[MsgId], last: MsgId) {
        let passed = self.highest;
        if let Some(first) = taken.iter().filter(|id| **id > passed).min() {
            let by = last.0.saturating_add(1).saturating_sub(first.0).max(1);
            let waiting = self.late.values_mut().flatten();
            for (id, _) in due.iter_mut().chain(waiting).filter(|(id, _)| id >= first) {
                id.0 = id.0.saturating_add(by);
            }
            self.shift = self.shift.saturating_add(by.unsigned_abs());
        }
        for (id, _) in due.iter_mut().filter(|(id, _)| *id <= passed && taken.contains(id)) {
            self.shift =
                self.shift.saturating_add(1).max(last.0.unsigned_abs().saturating_sub(self.next) + 1);
            *id = self.id_of_next();
        }
    }

    /// The ID of the letter taken last.
    fn id_of_next(&self) -> MsgId {
        MsgId(i64::try_from(self.next.saturating_add(self.shift)).unwrap_or(i64::MAX))
    }

    fn due(&mut self, elapsed: Duration, most: usize) -> Vec<(MsgId, Letter)> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of letters")]
        let target = self.first.saturating_add((elapsed.as_secs_f64() * self.rate) as u64).min(self.end());
        let mut due = Vec::new();
        while due.len() < most && self.next < target {
            let Some(letter) = self.traffic.next() else { break };
            self.next += 1;
            let id = self.id_of_next();
            match letter.fate {
                Fate::Commit => due.push((id, letter)),
                Fate::RolledBack => {}
                Fate::CommitLate { after } => {
                    let wait = u64::from(after).min(self.late_max);
                    self.late.entry(self.next + wait).or_default().push((id, letter));
                }
            }
            self.take_late(self.next, &mut due);
        }
        if self.next >= self.end() {
            self.take_late(u64::MAX, &mut due);
        }
        due
    }

    fn take_late(&mut self, until: u64, due: &mut Vec<(MsgId, Letter)>) {
        while let Some(entry) = self.late.first_entry().filter(|entry| *entry.key() <= until) {
            due.extend(entry.remove());
        }
    }
}

#[cfg(test)]
mod tests;

//! The upstream side of the demo: puts the letters of an invented airport into the mailbox at
//! their pace, each with the ID that its place in the traffic gives it. The same options give the
//! same rows, whenever and in how many sittings they are written.

use std::collections::BTreeMap;
use std::time::Duration;

use airport::{Fate, Letter, Traffic};
use domain::MsgId;
use engine::ports::{Mailbox, MailboxError, NewLetter};
use jiff::Timestamp;

/// Part of `max-commit-delay` that a late commit may take at most, so that it stays late and
/// never becomes lost: half of it.
const LATE_SHARE: u32 = 2;

/// The letters still to be posted.
#[derive(Debug)]
pub(crate) struct Post {
    traffic: Traffic,
    /// Index of the next letter; its ID is one more.
    next: u64,
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
            first: 0,
            count: duration.map(|span| count(letters(span))),
            late: BTreeMap::new(),
            late_max: count(letters(commit_delay / LATE_SHARE)),
            rate,
            posted: 0,
        }
    }

    /// Goes on after a restart: letters up to `last`, the mailbox's largest ID, are not posted again.
    pub(crate) fn resume_after(&mut self, last: MsgId) {
        while self.next < last.0.unsigned_abs() && self.traffic.next().is_some() {
            self.next += 1;
        }
        self.first = self.next;
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
        let due = self.due(elapsed, most);
        let letters: Vec<NewLetter> = due
            .into_iter()
            .map(|(id, letter)| NewLetter { body: letter.body, received_at: at, id: Some(id) })
            .collect();
        if !letters.is_empty() {
            mailbox.insert(&letters).await?;
            self.posted += letters.len() as u64;
        }
        Ok(letters.len())
    }

    fn due(&mut self, elapsed: Duration, most: usize) -> Vec<(MsgId, Letter)> {
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count of letters")]
        let target = self.first.saturating_add((elapsed.as_secs_f64() * self.rate) as u64).min(self.end());
        let mut due = Vec::new();
        while due.len() < most && self.next < target {
            let Some(letter) = self.traffic.next() else { break };
            self.next += 1;
            let id = MsgId(i64::try_from(self.next).unwrap_or(i64::MAX));
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
mod tests {
    use std::collections::BTreeSet;

    use airport::{Options, Trouble};

    use super::*;

    fn post(late_commit: f64) -> Post {
        let trouble = Trouble { late_commit, rolled_back: 0.1, ..Trouble::none() };
        let options = Options { flights: 10, trouble, ..Options::default() };
        Post::new(airport::traffic(&options), 100.0, Some(Duration::from_secs(3)), Duration::from_secs(1))
    }

    fn all(post: &mut Post, steps: &[u64]) -> Vec<MsgId> {
        let mut ids = Vec::new();
        for step in steps {
            ids.extend(post.due(Duration::from_millis(*step), usize::MAX).into_iter().map(|(id, _)| id));
        }
        ids
    }

    #[test]
    fn the_same_letters_are_posted_in_one_step_or_in_many() {
        let once: BTreeSet<_> = all(&mut post(0.2), &[9_999]).into_iter().collect();
        let often: BTreeSet<_> = all(&mut post(0.2), &[10, 500, 501, 2_000, 9_999]).into_iter().collect();
        assert_eq!(once, often);
        assert!(once.len() < 300 && once.len() > 200, "{} of 300 land", once.len());
    }

    #[test]
    fn late_letters_come_after_higher_ids_and_none_is_left_at_the_end() {
        let mut post = post(0.5);
        let ids = all(&mut post, &[9_999]);
        assert!(ids.windows(2).any(|pair| pair[0] > pair[1]));
        assert!(post.is_done());
    }

    #[test]
    fn a_restart_goes_on_where_the_mailbox_ends() {
        let whole = all(&mut post(0.0), &[9_999]);
        let mut second = post(0.0);
        second.resume_after(whole[99]);
        second.count = second.count.map(|count| count - second.next);
        assert_eq!(all(&mut second, &[9_999]), whole[100..]);
    }
}

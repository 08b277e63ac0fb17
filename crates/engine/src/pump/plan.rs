//! How far a run may reach, and how to find the message to blame for a refusal.

use domain::message::Candidate;
use jiff::Timestamp;

/// What the head of the queue allows now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ready {
    /// The queue is empty.
    Nothing,
    /// The head has failed and waits; everything behind it waits too (INV-3).
    NotBefore(Timestamp),
    /// The first so many messages.
    Run(usize),
}

/// The messages from the head on up to the first that isn't due.
pub(super) fn ready(rows: &[Candidate], now: Timestamp) -> Ready {
    let not_due = |row: &Candidate| row.due.filter(|due| *due > now);
    match rows.first() {
        None => Ready::Nothing,
        Some(head) => match not_due(head) {
            Some(due) => Ready::NotBefore(due),
            None => Ready::Run(rows.iter().take_while(|row| not_due(row).is_none()).count()),
        },
    }
}

/// The search for the message whose data the store refuses, by halves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Suspects {
    /// The culprit is among so many messages from the head on; 0 when there is none.
    count: usize,
}

impl Suspects {
    /// Most messages of the next run.
    pub(super) fn limit(self, run_max: usize) -> usize {
        if self.count == 0 { run_max } else { self.count.div_ceil(2).min(run_max) }
    }

    /// A run of `messages` was refused: the culprit is in it.
    pub(super) fn refused(&mut self, messages: usize) {
        self.count = messages;
    }

    /// The first `messages` went through, or ended: the culprit is behind them.
    pub(super) fn passed(&mut self, messages: usize) {
        self.count = self.count.saturating_sub(messages);
    }
}

#[cfg(test)]
mod tests {
    use domain::MsgId;
    use domain::message::{State, StoredBody};

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::constant(second, 0)
    }

    /// Rows by due second; 0 is PENDING.
    fn rows(dues: &[i64]) -> Vec<Candidate> {
        let row = |(index, due): (usize, &i64)| Candidate {
            msg_id: MsgId(index as i64 + 1),
            state: if *due == 0 { State::Pending } else { State::Failed },
            attempts: 0,
            due: (*due != 0).then(|| at(*due)),
            enqueued_at: at(0),
            body: StoredBody::Missing,
        };
        dues.iter().enumerate().map(row).collect()
    }

    #[test]
    fn inv_03_a_run_ends_before_a_failed_message_that_is_not_due() {
        for (dues, expected) in [
            (&[][..], Ready::Nothing),
            (&[0, 0, 0], Ready::Run(3)),
            (&[0, 0, 20, 0], Ready::Run(2)),
            (&[10, 0, 20, 0], Ready::Run(2)),
            (&[11, 0, 0], Ready::NotBefore(at(11))),
        ] {
            assert_eq!(ready(&rows(dues), at(10)), expected, "{dues:?}");
        }
    }

    /// Plays the search: the store refuses every run that contains `culprit`.
    fn runs_until_blamed(messages: usize, culprit: usize, run_max: usize) -> (usize, usize) {
        let mut suspects = Suspects::default();
        let (mut head, mut runs) = (0, 0);
        loop {
            runs += 1;
            let run = suspects.limit(run_max).min(messages - head);
            let guilty = (head..head + run).contains(&culprit);
            match (guilty, run) {
                (true, 1) => return (head, runs),
                (true, _) => suspects.refused(run),
                (false, _) => {
                    suspects.passed(run);
                    head += run;
                }
            }
        }
    }

    #[test]
    fn a_refused_run_is_split_until_the_culprit_is_alone() {
        for culprit in 0..500 {
            let (blamed, runs) = runs_until_blamed(500, culprit, 500);
            assert_eq!(blamed, culprit);
            assert!(runs <= 11, "{runs} runs for message {culprit}");
        }
    }

    #[test]
    fn after_the_culprit_runs_are_whole_again() {
        let mut suspects = Suspects::default();
        suspects.refused(1);
        suspects.passed(1);
        assert_eq!(suspects.limit(500), 500);
    }
}

//! When messages were first in view, for the time from landed to delivered. Remembered per poll,
//! and only the newest polls: a figure, not evidence.

use std::collections::VecDeque;

use domain::MsgId;
use jiff::Timestamp;

/// Polls remembered.
const POLLS_KEPT: usize = 4096;

#[derive(Debug, Default)]
pub(super) struct Arrivals(VecDeque<(MsgId, MsgId, Timestamp)>);

impl Arrivals {
    /// The poll at `seen` took up the IDs from `first` to `last`, above all before.
    pub(super) fn note(&mut self, first: MsgId, last: MsgId, seen: Timestamp) {
        if self.0.len() == POLLS_KEPT {
            self.0.pop_front();
        }
        self.0.push_back((first, last, seen));
    }

    pub(super) fn of(&self, msg_id: MsgId) -> Option<Timestamp> {
        let at = self.0.partition_point(|(_, last, _)| *last < msg_id);
        self.0.get(at).filter(|(first, _, _)| *first <= msg_id).map(|(_, _, seen)| *seen)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_message_has_the_time_of_its_poll() {
        let at = |second| Timestamp::constant(second, 0);
        let mut arrivals = Arrivals::default();
        arrivals.note(MsgId(1), MsgId(3), at(10));
        arrivals.note(MsgId(6), MsgId(6), at(20));
        let seen: Vec<_> = [1, 3, 4, 6, 7].into_iter().map(|id| arrivals.of(MsgId(id))).collect();
        assert_eq!(seen, [Some(at(10)), Some(at(10)), None, Some(at(20)), None]);
    }
}

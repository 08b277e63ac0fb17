//! What is sought in a list of messages, and by which index it is looked for.

use domain::message::{ErrorClass, IdentityKey, State};
use domain::{Flid, MsgId};
use jiff::Timestamp;

use super::MessagePage;

/// What is sought; all of it must be so, `None` is anything. Texts are compared as stored.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Sought {
    /// State; never ARCHIVED: an archived message has the state it ended in.
    pub state: Option<State>,
    /// Class of the end, or of the last failed try.
    pub class: Option<ErrorClass>,
    /// TYPE.
    pub kind: Option<String>,
    /// STYP.
    pub subtype: Option<String>,
    /// SNDR.
    pub sender: Option<String>,
    /// The identity it holds.
    pub identity: Option<IdentityKey>,
    /// A flight it changed, as far as the timeline reaches.
    pub flid: Option<Flid>,
    /// Enqueued at or after.
    pub since: Option<Timestamp>,
    /// Enqueued before.
    pub until: Option<Timestamp>,
}

/// Which rows are looked at: the fewest that hold all that is sought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Source<'a> {
    /// Every message.
    All,
    /// Those in these states; each has few rows, or the newest of them are near.
    States(&'static [State]),
    /// The holder of an identity.
    Identity(&'a IdentityKey),
    /// Those that changed a flight.
    Flight(Flid),
}

impl Sought {
    /// Most rows one answer looks at.
    pub const LOOKED_MAX: usize = 5_000;

    /// Where to look.
    pub fn source(&self) -> Source<'_> {
        if let Some(key) = &self.identity {
            return Source::Identity(key);
        }
        if let Some(flid) = self.flid {
            return Source::Flight(flid);
        }
        match (self.state, self.class) {
            (Some(State::Dead), _) => Source::States(&[State::Dead]),
            (Some(State::Failed), _) => Source::States(&[State::Failed]),
            (Some(State::Pending), _) => Source::States(&[State::Pending, State::Failed]),
            // Only what failed has a class.
            (None, Some(_)) => Source::States(&[State::Dead, State::Failed]),
            (Some(State::Succeeded | State::Skipped | State::Archived) | None, _) => Source::All,
        }
    }

    /// How many rows an answer of `limit` messages looks at: each of them is one where nothing is
    /// sought but what the source gives.
    pub fn looked(&self, limit: usize) -> usize {
        let given = match self.source() {
            Source::All => Self::default(),
            Source::States([only]) => Self { state: Some(*only), ..Self::default() },
            Source::States(_) => return limit.max(Self::LOOKED_MAX),
            Source::Identity(key) => Self { identity: Some(key.clone()), ..Self::default() },
            Source::Flight(flid) => Self { flid: Some(flid), ..Self::default() },
        };
        let exact = *self == given;
        if exact { limit } else { limit.max(Self::LOOKED_MAX) }
    }
}

impl MessagePage {
    /// A page of the messages found among the IDs looked at, newest first, of which `most` were
    /// asked for and `limit` messages are wanted.
    pub fn of(messages: Vec<super::MessageRecord>, looked: &[MsgId], most: usize, limit: usize) -> Self {
        let next = if messages.len() >= limit && limit > 0 {
            messages.last().map(|record| record.message.msg_id)
        } else {
            looked.last().copied().filter(|_| looked.len() >= most)
        };
        Self { messages, next }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sought_is_looked_for_where_the_fewest_rows_are() {
        let dead = Sought { state: Some(State::Dead), ..Sought::default() };
        let exhausted = Sought { class: Some(ErrorClass::Exhausted), ..Sought::default() };
        let pending = Sought { state: Some(State::Pending), ..Sought::default() };
        let done = Sought { state: Some(State::Succeeded), ..Sought::default() };
        let flight = Sought { flid: Some(Flid(7)), ..dead.clone() };
        for (sought, source, looked) in [
            (Sought::default(), Source::All, 20),
            (dead.clone(), Source::States(&[State::Dead]), 20),
            (Sought { kind: Some("FLOP".into()), ..dead }, Source::States(&[State::Dead]), 5_000),
            (exhausted, Source::States(&[State::Dead, State::Failed]), 5_000),
            (pending, Source::States(&[State::Pending, State::Failed]), 5_000),
            (done, Source::All, 5_000),
            (flight, Source::Flight(Flid(7)), 5_000),
        ] {
            assert_eq!((sought.source(), sought.looked(20)), (source, looked), "{sought:?}");
        }
    }
}

//! What is kept of one message, as plain data.

use domain::event::{EventType, Target};
use domain::lifecycle::EventState;
use domain::message::{ErrorClass, IdentityKey, StoredBody};
use domain::{EventId, Flid, MsgId};
use jiff::Timestamp;

use crate::ports::MessageView;

/// Messages found.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MessagePage {
    /// Newest first.
    pub messages: Vec<MessageRecord>,
    /// Go on with this as `before`; `None`: nothing is left below.
    pub next: Option<MsgId>,
}

/// The row of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MessageRecord {
    /// State, labels, attempts, last error, times.
    pub message: MessageView,
    /// The identity it holds; NULL for one that was ignored, is a duplicate, or never got so far.
    pub identity: Option<IdentityKey>,
    /// SHA-256 of its decoded content.
    pub content_hash: Option<[u8; 32]>,
    /// A FAILED one is tried again then.
    pub due: Option<Timestamp>,
    /// Its mark.
    pub mark: MarkView,
    /// Since when it is in the archive.
    pub archived_at: Option<Timestamp>,
    /// Class and words of its first failed try.
    pub first_failure: Option<(ErrorClass, String)>,
}

/// What is known of the mark of a message, beside the time it was written.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MarkView {
    /// Owed, and due then.
    pub due: Option<Timestamp>,
    /// Tries that failed.
    pub attempts: u32,
    /// Words of the last of them.
    pub error: Option<String>,
    /// Given up.
    pub abandoned_at: Option<Timestamp>,
    /// When, by whom and with what note it was accounted for.
    pub reconciled: Option<(Timestamp, String, String)>,
}

/// A body as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawBody {
    /// The body.
    pub body: StoredBody,
    /// Its SHA-256; `None` where the column was NULL.
    pub sha256: Option<[u8; 32]>,
    /// Its length in bytes.
    pub length: u64,
}

/// An event as it is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventView {
    /// Row.
    pub event_id: EventId,
    /// Target.
    pub target: Target,
    /// Key.
    pub flid: Flid,
    /// Upsert or tombstone.
    pub event_type: EventType,
    /// Version it tells.
    pub state_version: i64,
    /// State.
    pub state: EventState,
    /// Refused attempts.
    pub attempts: u32,
    /// Not before.
    pub due: Option<Timestamp>,
    /// Words of the last refusal.
    pub last_error: Option<String>,
    /// Written.
    pub created_at: Timestamp,
    /// Acknowledged.
    pub sent_at: Option<Timestamp>,
    /// Topic, partition and offset.
    pub receipt: Option<(String, i32, i64)>,
}

impl MessageRecord {
    /// When it was processed for good, as far as its own row tells. The time of the last change is
    /// that of the end until the mark is settled; a mark that was settled at its first try has left
    /// the time from which it was owed, which is the same.
    pub fn processed_at(&self) -> Option<Timestamp> {
        let message = &self.message;
        if !message.state.is_terminal() {
            return None;
        }
        match message.marked_at.max(self.mark.abandoned_at) {
            Some(settled) if settled >= message.updated_at => {
                self.mark.due.filter(|owed| self.mark.attempts == 0 && *owed <= settled)
            }
            Some(_) | None => Some(message.updated_at),
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::message::{Labels, State};

    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::constant(second, 0)
    }

    fn record(
        state: State,
        updated: i64,
        marked: Option<i64>,
        owed: Option<i64>,
        tries: u32,
    ) -> MessageRecord {
        let message = MessageView {
            msg_id: MsgId(1),
            state,
            labels: Labels::default(),
            attempts: 0,
            class: None,
            last_error: None,
            received_at: None,
            enqueued_at: at(1),
            updated_at: at(updated),
            marked_at: marked.map(at),
            abandoned_reason: None,
        };
        let mark = MarkView { due: owed.map(at), attempts: tries, ..MarkView::default() };
        let (identity, content_hash, due) = (None, None, None);
        MessageRecord { message, identity, content_hash, due, mark, archived_at: None, first_failure: None }
    }

    #[test]
    fn inv_01_processed_and_marked_are_two_facts_with_two_times() {
        let done = State::Succeeded;
        for (record, expected, why) in [
            (record(State::Pending, 5, None, None, 0), None, "not ended"),
            (record(done, 5, None, Some(5), 0), Some(5), "not marked yet"),
            (record(done, 5, None, Some(35), 1), Some(5), "a failed mark changes nothing"),
            (record(done, 9, Some(9), Some(5), 0), Some(5), "marked at the first try"),
            (record(done, 70, Some(70), Some(65), 2), None, "marked later: its effects tell"),
            (record(State::Dead, 50, Some(9), Some(5), 0), Some(50), "ended anew after the mark"),
        ] {
            assert_eq!(record.processed_at(), expected.map(at), "{why}");
        }
    }
}

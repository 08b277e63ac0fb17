//! Ends of tries, turned into columns.

use std::collections::HashSet;

use chrono::{DateTime, Utc};
use domain::MsgId;
use domain::message::{Conclusion, Settled};

use super::times::stored;

/// Rows of `proc_state`, a vector per column.
#[derive(Default)]
pub(super) struct Columns<'a> {
    pub(super) ids: Vec<i64>,
    pub(super) attempts_seen: Vec<i32>,
    pub(super) states: Vec<&'static str>,
    pub(super) attempts: Vec<i32>,
    pub(super) due: Vec<Option<DateTime<Utc>>>,
    pub(super) classes: Vec<Option<&'static str>>,
    pub(super) errors: Vec<Option<&'a str>>,
    pub(super) identities: Vec<Option<&'a str>>,
    pub(super) kinds: Vec<Option<&'a str>>,
    pub(super) subtypes: Vec<Option<&'a str>>,
    pub(super) senders: Vec<Option<&'a str>>,
    pub(super) seqns: Vec<Option<&'a str>>,
    pub(super) dttms: Vec<Option<&'a str>>,
    pub(super) hashes: Vec<Option<&'a [u8]>>,
    pub(super) terminal: Vec<bool>,
}

impl<'a> Columns<'a> {
    /// A key given up within the run is not written.
    pub(super) fn of(settled: &'a [Settled], given_up: &HashSet<MsgId>) -> Self {
        let mut columns = Self::default();
        for one in settled {
            columns.push(one);
            if given_up.contains(&one.msg_id) {
                columns.identities.pop();
                columns.identities.push(None);
            }
        }
        columns
    }

    fn push(&mut self, one: &'a Settled) {
        let state = one.conclusion.state();
        let (class, error, due) = match &one.conclusion {
            Conclusion::Succeeded => (None, None, None),
            Conclusion::Skipped { reason } => (None, Some(reason), None),
            Conclusion::Dead { class, error } => (Some(class.as_str()), Some(error), None),
            Conclusion::Failed { class, error, due } => (Some(class.as_str()), Some(error), Some(*due)),
        };
        self.ids.push(one.msg_id.0);
        self.attempts_seen.push(super::numbers::small(one.attempts_seen));
        self.states.push(state.as_str());
        self.attempts.push(super::numbers::small(one.attempts));
        self.due.push(due.map(stored));
        self.classes.push(class);
        self.errors.push(error.map(String::as_str));
        self.identities.push(one.identity.as_ref().map(|key| key.0.as_str()));
        self.kinds.push(one.labels.kind.as_deref());
        self.subtypes.push(one.labels.subtype.as_deref());
        self.senders.push(one.labels.sender.as_deref());
        self.seqns.push(one.labels.seqn.as_deref());
        self.dttms.push(one.labels.dttm.as_deref());
        self.hashes.push(one.content_hash.as_ref().map(<[u8; 32]>::as_slice));
        self.terminal.push(state.is_terminal());
    }
}

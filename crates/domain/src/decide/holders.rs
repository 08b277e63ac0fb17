//! Who holds which identity, as the run goes (INV-9).

use std::collections::HashMap;

use super::reading::Named;
use crate::MsgId;
use crate::message::{Holder, IdentityKey, IdentityPolicy, Reissue, State};

/// Holders of every key a run may meet.
#[derive(Debug)]
pub(super) struct Holders(HashMap<IdentityKey, Holder>);

/// What a message's identity means.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// Skipped: another message is or was it.
    Skip {
        /// `duplicate-of:<msgId>` or `reissue-of:<msgId>`.
        reason: String,
    },
    /// Goes on to its handler, holding `key`.
    Take {
        /// The key.
        key: IdentityKey,
        /// A DEAD holder that gives it up.
        from: Option<MsgId>,
    },
}

impl Holders {
    pub(super) fn new(holders: Vec<Holder>) -> Self {
        Self(holders.into_iter().map(|holder| (holder.key.clone(), holder)).collect())
    }

    /// Looks at both keys a message may hold. A message never stands in its own way, a DEAD
    /// holder yields, and a hash that isn't known proves nothing.
    pub(super) fn claim(&self, msg_id: MsgId, message: &Named, policy: IdentityPolicy) -> Claim {
        if let Some(holder) = self.standing(msg_id, &message.reissue_key) {
            return skip("duplicate-of", holder);
        }
        let Some(holder) = self.standing(msg_id, &message.key) else {
            return self.take(msg_id, &message.key);
        };
        if holder.content_hash == Some(message.content_hash) {
            return skip("duplicate-of", holder);
        }
        match policy.on_reissue {
            Reissue::Process => self.take(msg_id, &message.reissue_key),
            Reissue::Skip => skip("reissue-of", holder),
        }
    }

    /// Another message that holds `key` and doesn't yield it.
    fn standing(&self, msg_id: MsgId, key: &IdentityKey) -> Option<&Holder> {
        self.0.get(key).filter(|holder| holder.msg_id != msg_id && holder.state != State::Dead)
    }

    fn take(&self, msg_id: MsgId, key: &IdentityKey) -> Claim {
        let dead = self.0.get(key).map(|holder| holder.msg_id).filter(|holder| *holder != msg_id);
        Claim::Take { key: key.clone(), from: dead }
    }

    /// `holder` holds its key from now on, and no other.
    pub(super) fn record(&mut self, message: &Named, holder: Holder) {
        self.release(holder.msg_id, message);
        self.0.insert(holder.key.clone(), holder);
    }

    /// A message that ended without identity gives up what it held from an earlier try.
    pub(super) fn release(&mut self, msg_id: MsgId, message: &Named) {
        for key in [&message.key, &message.reissue_key] {
            if self.0.get(key).is_some_and(|holder| holder.msg_id == msg_id) {
                self.0.remove(key);
            }
        }
    }
}

fn skip(relation: &str, holder: &Holder) -> Claim {
    Claim::Skip { reason: format!("{relation}:{}", holder.msg_id) }
}

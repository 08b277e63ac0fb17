//! Is the mailbox still the one that was read (PRE-3)? The watermark only goes up: where numbering
//! begins anew below it, every new row would be invisible for ever, and nothing would look wrong.

use std::collections::BTreeMap;
use std::fmt;

use jiff::{SignedDuration, Timestamp};

use crate::MsgId;

/// How many of the newest messages are held against the mailbox.
pub const NEWEST: usize = 100;

/// A message enqueued this recently can't have been purged yet.
const RECENT: SignedDuration = SignedDuration::from_mins(10);

/// Most IDs named in words.
const NAMED_MAX: usize = 10;

/// What is kept of a message's body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptBody {
    /// The message.
    pub msg_id: MsgId,
    /// When it was enqueued.
    pub enqueued_at: Timestamp,
    /// SHA-256 of its body; `None` for a row without one.
    pub sha256: Option<[u8; 32]>,
}

/// What the mailbox shows of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Shown {
    /// The number its next row will get; `None` where it doesn't number its rows itself.
    pub next: Option<MsgId>,
    /// Rows asked for that are there, with the SHA-256 of their bodies.
    pub bodies: BTreeMap<MsgId, Option<[u8; 32]>>,
}

/// Why it isn't the one that was read. Nobody but its owner can mend that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Break {
    watermark: MsgId,
    /// The next number, if it isn't above the watermark.
    counter: Option<MsgId>,
    /// IDs that hold other bodies now.
    other: Vec<MsgId>,
    /// IDs enqueued within the last minutes that are gone.
    missing: Vec<MsgId>,
    /// When the last of those stops being recent.
    missing_until: Option<Timestamp>,
}

/// Compares; `None` when all is well. Rows that are gone are a purge unless they are recent; an empty
/// table whose counter is intact is well.
pub fn continuity(watermark: MsgId, kept: &[KeptBody], shown: &Shown, now: Timestamp) -> Option<Break> {
    let mut found = Break {
        watermark,
        counter: shown.next.filter(|next| *next <= watermark),
        other: Vec::new(),
        missing: Vec::new(),
        missing_until: None,
    };
    for body in kept {
        match shown.bodies.get(&body.msg_id) {
            Some(sha256) if *sha256 != body.sha256 => found.other.push(body.msg_id),
            Some(_) => {}
            None => {
                let until = body.enqueued_at.checked_add(RECENT).ok();
                if let Some(until) = until.filter(|until| *until > now) {
                    found.missing.push(body.msg_id);
                    found.missing_until = found.missing_until.max(Some(until));
                }
            }
        }
    }
    found.other.sort_unstable();
    found.missing.sort_unstable();
    let well = found.counter.is_none() && found.other.is_empty() && found.missing.is_empty();
    (!well).then_some(found)
}

impl fmt::Display for Break {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let watermark = self.watermark;
        write!(f, "discovery is stopped: the mailbox is not the one that was read (PRE-3)")?;
        if let Some(next) = self.counter {
            write!(
                f,
                "; its next row would get ID {next}, and everything up to {watermark} was taken up before: its \
                 owner must raise AUTO_INCREMENT above {watermark}, then have the rows written since the reset \
                 written again and delete those"
            )?;
        }
        if !self.other.is_empty() {
            write!(
                f,
                "; {} differ from what was taken up under these IDs: the owner must have such rows written again \
                 under new IDs and delete those (the messages taken up before are kept here)",
                Named(&self.other)
            )?;
        }
        if let Some(until) = self.missing_until {
            write!(
                f,
                "; {} were taken up within 10 minutes and are gone: was an older backup restored? If the owner \
                 confirms that nothing else is missing, discovery goes on by itself at {until:.0}",
                Named(&self.missing)
            )?;
        }
        Ok(())
    }
}

/// A few IDs, and how many more there are.
struct Named<'a>(&'a [MsgId]);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named: Vec<String> = self.0.iter().take(NAMED_MAX).map(ToString::to_string).collect();
        write!(f, "{} row(s) ({}", self.0.len(), named.join(", "))?;
        f.write_str(if self.0.len() > NAMED_MAX { ", ...)" } else { ")" })
    }
}

#[cfg(test)]
#[path = "continuity_tests.rs"]
mod tests;

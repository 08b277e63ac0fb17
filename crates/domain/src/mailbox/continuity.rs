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
mod tests {
    use super::*;

    fn kept(msg_id: i64, enqueued: i64, body: u8) -> KeptBody {
        let enqueued_at = Timestamp::from_second(enqueued).expect("small");
        KeptBody { msg_id: MsgId(msg_id), enqueued_at, sha256: Some([body; 32]) }
    }

    fn look(next: Option<i64>, bodies: &[(i64, u8)]) -> Shown {
        let bodies = bodies.iter().map(|(id, body)| (MsgId(*id), Some([*body; 32]))).collect();
        Shown { next: next.map(MsgId), bodies }
    }

    /// IDs 8 to 10 were enqueued at 1000, 2000 and 3000; now it is 3100, and W = 10.
    #[test]
    fn pre_03_what_breaks_continuity_and_what_is_a_purge() {
        let all = [kept(10, 3_000, 3), kept(9, 2_000, 2), kept(8, 1_000, 1)];
        let cases: [(&str, Shown, Option<[&[i64]; 3]>); 10] = [
            ("as it was", look(Some(11), &[(8, 1), (9, 2), (10, 3)]), None),
            ("numbered by its owner", look(None, &[(8, 1), (9, 2), (10, 3)]), None),
            ("older rows purged", look(Some(11), &[(10, 3)]), None),
            ("truncated: the counter is at 1", look(Some(1), &[]), Some([&[1], &[], &[10]])),
            ("emptied in an hour of silence", look(Some(11), &[]), Some([&[], &[], &[10]])),
            ("the counter at the watermark", look(Some(10), &[(10, 3)]), Some([&[10], &[], &[]])),
            ("restored from a backup", look(Some(9), &[(8, 1)]), Some([&[9], &[], &[10]])),
            ("restored, and used again", look(Some(12), &[(8, 1), (9, 2), (10, 9)]), Some([&[], &[10], &[]])),
            ("restored, counter raised", look(Some(11), &[(8, 1)]), Some([&[], &[], &[10]])),
            ("another table", look(Some(99), &[(8, 7), (9, 7), (10, 7)]), Some([&[], &[8, 9, 10], &[]])),
        ];
        let now = Timestamp::from_second(3_100).expect("small");
        for (what, shown, expected) in cases {
            let found = continuity(MsgId(10), &all, &shown, now);
            let numbers = |ids: &[MsgId]| ids.iter().map(|id| id.0).collect::<Vec<_>>();
            let found = found.map(|found| {
                [
                    found.counter.iter().map(|id| id.0).collect(),
                    numbers(&found.other),
                    numbers(&found.missing),
                ]
            });
            assert_eq!(found, expected.map(|lists| lists.map(<[i64]>::to_vec)), "{what}");
        }
    }

    #[test]
    fn pre_03_an_emptied_table_with_its_counter_intact_is_a_purge() {
        let now = Timestamp::from_second(9_000).expect("small");
        assert_eq!(continuity(MsgId(10), &[kept(10, 3_000, 3)], &look(Some(11), &[]), now), None);
    }

    #[test]
    fn pre_03_the_words_name_ids_and_what_the_owner_must_do() {
        let now = Timestamp::from_second(100).expect("small");
        let kept: Vec<KeptBody> = (1..=12).map(|id| kept(id, 0, 1)).collect();
        let bodies: Vec<(i64, u8)> = (1..=11).map(|id| (id, 2)).collect();
        let found = continuity(MsgId(12), &kept, &look(Some(5), &bodies), now).expect("broken");
        let words = found.to_string();
        for part in [
            "next row would get ID 5",
            "AUTO_INCREMENT above 12",
            "11 row(s) (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, ...)",
            "1 row(s) (12) were taken up within 10 minutes",
            "1970-01-01T00:10:00Z",
        ] {
            assert!(words.contains(part), "{part}: {words}");
        }
    }
}

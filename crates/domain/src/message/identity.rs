//! Business identity `SNDR|TYPE|STYP|SEQN` and duplicates (INV-9, C-4).

use std::fmt::Write as _;

use sis::Meta;

/// Most characters of the four texts with their separators: leaves room for the day and the
/// hash of a re-issue in a column of 200.
pub const IDENTITY_CHARS_MAX: usize = 170;

/// The business identity of a message, at most 200 characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdentityKey(pub String);

impl IdentityKey {
    /// The key of a message: its four META texts as sent (absent STYP is empty), with the day
    /// of DTTM if `policy` says so (empty where DTTM can't be read). The error says why the
    /// message has no identity.
    pub fn of(meta: &Meta, policy: IdentityPolicy) -> Result<Self, String> {
        for (name, text) in [("SNDR", &meta.sender), ("TYPE", &meta.kind), ("SEQN", &meta.seqn)] {
            if text.is_empty() {
                return Err(format!(
                    "META has no {name}: the message has no identity; ask the sender for it"
                ));
            }
        }
        let mut key = format!("{}|{}|{}|{}", meta.sender, meta.kind, meta.subtype, meta.seqn);
        let length = key.chars().count();
        if length > IDENTITY_CHARS_MAX {
            return Err(format!(
                "the identity SNDR|TYPE|STYP|SEQN has {length} characters, at most {IDENTITY_CHARS_MAX} are allowed"
            ));
        }
        if policy.dttm_day {
            let day = meta.sent_at().map(|sent| sent.date().strftime("%Y%m%d").to_string());
            key.push('|');
            key.push_str(day.as_deref().unwrap_or_default());
        }
        Ok(Self(key))
    }

    /// The key a re-issue binds: `<identity>~<16 hex of its content hash>`, so that its own
    /// repeats are found.
    pub fn of_reissue(&self, content_hash: &[u8; 32]) -> Self {
        let mut key = format!("{}~", self.0);
        for byte in &content_hash[..8] {
            write!(key, "{byte:02x}").expect("writing to a String can't fail");
        }
        Self(key)
    }
}

/// Same identity, other content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reissue {
    /// Process it and bind `<identity>~<16 hex of its hash>` (default: nothing is lost).
    Process,
    /// `SKIPPED(reissue-of:<msgId>)`.
    Skip,
}

/// Parameters `identity.*`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IdentityPolicy {
    /// `identity.on-reissue`.
    pub on_reissue: Reissue,
    /// `identity.date-boundary = dttm-day`: the day of DTTM is part of the key (Q11).
    pub dttm_day: bool,
}

impl Default for IdentityPolicy {
    fn default() -> Self {
        Self { on_reissue: Reissue::Process, dttm_day: false }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meta(sender: &str, kind: &str, subtype: &str, seqn: &str) -> Meta {
        Meta {
            sender: sender.into(),
            kind: kind.into(),
            subtype: subtype.into(),
            seqn: seqn.into(),
            dttm: "20260407081530".into(),
        }
    }

    #[test]
    fn inv_09_identity_is_the_four_texts_as_sent() {
        let plain = IdentityPolicy::default();
        for (meta, expected) in [
            (meta("AODB", "FLOP", "GTDT", "604411"), Ok("AODB|FLOP|GTDT|604411")),
            (meta("AODB", "FLOP", "GTDT", "0604411"), Ok("AODB|FLOP|GTDT|0604411")),
            (meta("AODB", "FLOP", "", "1"), Ok("AODB|FLOP||1")),
            (meta("", "FLOP", "GTDT", "1"), Err("SNDR")),
            (meta("AODB", "", "GTDT", "1"), Err("TYPE")),
            (meta("AODB", "FLOP", "GTDT", ""), Err("SEQN")),
        ] {
            match (IdentityKey::of(&meta, plain), expected) {
                (Ok(key), Ok(expected)) => assert_eq!(key.0, expected),
                (Err(error), Err(part)) => assert!(error.contains(part), "{error}"),
                (found, expected) => panic!("{found:?} instead of {expected:?}"),
            }
        }
    }

    #[test]
    fn inv_09_identity_is_limited_by_characters_and_fits_its_column_with_everything_added() {
        let room = IDENTITY_CHARS_MAX - "|FLOP|ESTT|1".len();
        let policy = IdentityPolicy { dttm_day: true, ..IdentityPolicy::default() };
        let longest = IdentityKey::of(&meta(&"汉".repeat(room), "FLOP", "ESTT", "1"), policy).expect("fits");
        assert!(longest.of_reissue(&[0xff; 32]).0.chars().count() <= 200);
        let error = IdentityKey::of(&meta(&"汉".repeat(room + 1), "FLOP", "ESTT", "1"), policy)
            .expect_err("too long");
        assert!(error.contains("171 characters"), "{error}");
    }

    #[test]
    fn q11_the_day_of_dttm_may_be_part_of_the_key() {
        let policy = IdentityPolicy { dttm_day: true, ..IdentityPolicy::default() };
        for (dttm, expected) in [
            ("20260407081530", "AODB|FLOP|ESTT|1|20260407"),
            ("", "AODB|FLOP|ESTT|1|"),
            ("soon", "AODB|FLOP|ESTT|1|"),
        ] {
            let meta = Meta { dttm: dttm.into(), ..meta("AODB", "FLOP", "ESTT", "1") };
            assert_eq!(IdentityKey::of(&meta, policy).map(|key| key.0), Ok(expected.to_owned()), "{dttm}");
        }
    }

    #[test]
    fn inv_09_reissue_binds_its_hash() {
        let mut hash = [0; 32];
        hash[0] = 0xab;
        hash[7] = 0x01;
        assert_eq!(IdentityKey("A|B||1".into()).of_reissue(&hash).0, "A|B||1~ab00000000000001");
    }
}

//! Business identity `SNDR|TYPE|STYP|SEQN` and duplicates (INV-9, C-4).

/// The business identity of a message, at most 200 characters.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdentityKey(pub String);

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

//! How messages of each kind end: counted as they end, so that nobody needs to walk all of them.

use std::collections::BTreeMap;

use domain::MsgId;
use domain::message::{Conclusion, ErrorClass, Settled, State};
use jiff::Timestamp;

/// Ends of one kind. A message that is replayed and ends again is counted again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KindCount {
    /// TYPE; empty where META could not be read.
    pub kind: String,
    /// STYP; empty where absent.
    pub subtype: String,
    /// How they ended; a terminal state.
    pub state: State,
    /// Why, for DEAD.
    pub class: Option<ErrorClass>,
    /// How many.
    pub count: u64,
    /// When the first one ended.
    pub first_at: Timestamp,
    /// When the last one did.
    pub last_at: Timestamp,
    /// The smallest message of them.
    pub first_msg_id: MsgId,
    /// The largest.
    pub last_msg_id: MsgId,
}

impl KindCount {
    /// Most kinds shown: their names are whatever upstream wrote.
    pub const SHOWN_MAX: usize = 1_000;

    /// What a run that ends at `at` adds: one for each kind, in order of their keys.
    pub fn of_run(settled: &[Settled], at: Timestamp) -> Vec<Self> {
        let mut kinds = BTreeMap::new();
        for one in settled.iter().filter(|one| one.conclusion.state().is_terminal()) {
            let kind = Self::of(one, at);
            let other = kinds.entry(kind.key()).or_insert(Self { count: 0, ..kind.clone() });
            other.add(&kind);
        }
        kinds.into_values().collect()
    }

    /// What tells kinds apart: TYPE, STYP, state and class, empty where there is none.
    pub fn key(&self) -> (String, String, &'static str, &'static str) {
        let class = self.class.map_or("", ErrorClass::as_str);
        (self.kind.clone(), self.subtype.clone(), self.state.as_str(), class)
    }

    /// Adds more of the same kind.
    pub fn add(&mut self, more: &Self) {
        self.count += more.count;
        self.first_at = self.first_at.min(more.first_at);
        self.last_at = self.last_at.max(more.last_at);
        self.first_msg_id = self.first_msg_id.min(more.first_msg_id);
        self.last_msg_id = self.last_msg_id.max(more.last_msg_id);
    }

    fn of(settled: &Settled, at: Timestamp) -> Self {
        let class = match &settled.conclusion {
            Conclusion::Succeeded | Conclusion::Skipped { .. } => None,
            Conclusion::Dead { class, .. } | Conclusion::Failed { class, .. } => Some(*class),
        };
        Self {
            // Compared without regard to case, like everywhere.
            kind: settled.labels.kind.as_deref().unwrap_or_default().to_ascii_uppercase(),
            subtype: settled.labels.subtype.as_deref().unwrap_or_default().to_ascii_uppercase(),
            state: settled.conclusion.state(),
            class,
            count: 1,
            first_at: at,
            last_at: at,
            first_msg_id: settled.msg_id,
            last_msg_id: settled.msg_id,
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::message::Labels;

    use super::*;

    fn settled(id: i64, conclusion: Conclusion, kind: Option<&str>) -> Settled {
        Settled {
            msg_id: MsgId(id),
            attempts_seen: 0,
            attempts: 0,
            conclusion,
            attempt_failure: None,
            labels: Labels { kind: kind.map(Into::into), ..Labels::default() },
            identity: None,
            content_hash: None,
            yields: None,
        }
    }

    #[test]
    fn a_run_adds_one_count_for_each_kind_of_end() {
        let (class, error) = (ErrorClass::Malformed, String::new());
        let failed = Conclusion::Failed { class, error: error.clone(), due: Timestamp::UNIX_EPOCH };
        let run = [
            settled(4, Conclusion::Succeeded, Some("SCHD")),
            settled(2, Conclusion::Dead { class, error }, None),
            settled(3, Conclusion::Succeeded, Some("schd")),
            settled(5, failed, Some("SCHD")),
        ];
        let kinds = KindCount::of_run(&run, Timestamp::UNIX_EPOCH);
        let told: Vec<_> =
            kinds.iter().map(|kind| (&*kind.kind, kind.class, kind.count, kind.first_msg_id.0)).collect();
        assert_eq!(told, [("", Some(class), 1, 2), ("SCHD", None, 2, 3)], "FAILED is no end");
        assert_eq!(kinds[1].last_msg_id, MsgId(4));
    }
}

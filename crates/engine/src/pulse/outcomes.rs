//! How messages ended, by type, subtype, state and class. TYPE and STYP are what upstream wrote,
//! so the number of different ones is bounded here, for memory and for metrics.

use std::collections::HashMap;

use domain::message::{Conclusion, ErrorClass, Settled, State};

/// Most different names kept; what comes after is [`OTHER`].
const NAMES_MAX: usize = 400;

/// Stands for every type beyond the bound.
const OTHER: &str = "other";

/// A kind of end.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// TYPE; empty where META could not be read.
    pub kind: String,
    /// STYP; empty where absent.
    pub subtype: String,
    /// The state reached.
    pub state: State,
    /// The class of the error, for DEAD and FAILED.
    pub class: Option<ErrorClass>,
}

/// How often it happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutcomeTotal {
    /// The kind of end.
    pub outcome: Outcome,
    /// How often since the process started.
    pub count: u64,
}

#[derive(Debug, Default)]
pub(super) struct Outcomes(HashMap<Outcome, u64>);

impl Outcomes {
    /// Counts one and returns the name it was counted under.
    pub(super) fn count(&mut self, settled: &Settled) -> Outcome {
        let mut outcome = name(settled);
        if self.0.len() >= NAMES_MAX && !self.0.contains_key(&outcome) {
            OTHER.clone_into(&mut outcome.kind);
            OTHER.clone_into(&mut outcome.subtype);
        }
        *self.0.entry(outcome.clone()).or_default() += 1;
        outcome
    }

    /// Most frequent first.
    pub(super) fn totals(&self) -> Vec<OutcomeTotal> {
        let mut totals: Vec<_> = self
            .0
            .iter()
            .map(|(outcome, count)| OutcomeTotal { outcome: outcome.clone(), count: *count })
            .collect();
        totals.sort_by(|one, other| {
            let names = |total: &OutcomeTotal| (total.outcome.kind.clone(), total.outcome.subtype.clone());
            other.count.cmp(&one.count).then_with(|| names(one).cmp(&names(other)))
        });
        totals
    }
}

fn name(settled: &Settled) -> Outcome {
    let class = match &settled.conclusion {
        Conclusion::Succeeded | Conclusion::Skipped { .. } => None,
        Conclusion::Dead { class, .. } | Conclusion::Failed { class, .. } => Some(*class),
    };
    Outcome {
        kind: settled.labels.kind.clone().unwrap_or_default(),
        subtype: settled.labels.subtype.clone().unwrap_or_default(),
        state: settled.conclusion.state(),
        class,
    }
}

#[cfg(test)]
mod tests {
    use domain::MsgId;
    use domain::message::Labels;

    use super::*;

    fn succeeded(kind: &str) -> Settled {
        Settled {
            msg_id: MsgId(1),
            attempts_seen: 0,
            attempts: 0,
            conclusion: Conclusion::Succeeded,
            attempt_failure: None,
            labels: Labels { kind: Some(kind.to_owned()), ..Labels::default() },
            identity: None,
            content_hash: None,
            yields: None,
        }
    }

    #[test]
    fn names_are_bounded_and_nothing_is_uncounted() {
        let mut outcomes = Outcomes::default();
        for number in 0..NAMES_MAX * 2 {
            outcomes.count(&succeeded(&number.to_string()));
        }
        let totals = outcomes.totals();
        assert_eq!(totals.len(), NAMES_MAX + 1);
        assert_eq!(totals[0].outcome.kind, OTHER);
        assert_eq!(totals.iter().map(|total| total.count).sum::<u64>(), NAMES_MAX as u64 * 2);
    }
}

//! What became of everything: the five facts side by side, outcomes, events.

use std::fmt::Write as _;

use domain::event::Target;
use domain::message::State;
use engine::ports::{FiveFacts, OutcomeCount, StoreError, Views};
use serde_json::{Map, Value, json};

/// The end of a demo.
#[derive(Debug)]
pub(crate) struct Summary {
    landed: u64,
    /// Those of them that the demo didn't put in during this sitting and didn't find at its start.
    others: u64,
    facts: FiveFacts,
    outcomes: Vec<OutcomeCount>,
}

/// Counts everything; `others` of the `landed` rows were put in by somebody else meanwhile.
pub(crate) async fn summarise<V: Views>(views: &V, landed: u64, others: u64) -> Result<Summary, StoreError> {
    Ok(Summary { landed, others, facts: views.five_facts().await?, outcomes: views.outcomes().await? })
}

impl Summary {
    /// Do the facts agree?
    pub(crate) fn agrees(&self) -> bool {
        let facts = &self.facts;
        [facts.enqueued, facts.processed, facts.marked].iter().all(|count| *count == self.landed)
    }

    /// The summary for people. It says nothing that differs between two runs of one seed.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        let facts = &self.facts;
        let rows = [
            ("landed", self.landed),
            ("enqueued", facts.enqueued),
            ("processed", facts.processed),
            ("marked", facts.marked),
        ];
        for (name, count) in rows {
            let _ = writeln!(text, "  {name:<12}{count:>9}");
        }
        if self.others > 0 {
            let _ = writeln!(text, "  of these, {} landed by other hands", self.others);
        }
        let _ = writeln!(text, "outcomes");
        for (name, count) in self.by_outcome() {
            let _ = writeln!(text, "  {name:<28}{count:>9}");
        }
        let _ = writeln!(text, "events delivered");
        for target in Target::ALL {
            let count = facts.delivered.iter().find(|(t, _)| *t == target).map_or(0, |(_, count)| *count);
            let what = match target {
                Target::Msg => "",
                Target::Schd => "   flights whose newest state was acknowledged",
            };
            let _ = writeln!(text, "  {:<28}{count:>9}{what}", target.as_str());
        }
        let verdict = if self.agrees() {
            "landed = enqueued = processed = marked"
        } else {
            "the facts differ: see `msgx status` on the same data directory"
        };
        let _ = writeln!(text, "{verdict}");
        text
    }

    /// The summary for programs.
    pub(crate) fn json(&self) -> Value {
        let facts = &self.facts;
        let delivered =
            facts.delivered.iter().map(|(target, count)| (target.as_str().to_owned(), json!(count)));
        let outcomes = self.by_outcome().into_iter().map(|(name, count)| (name, json!(count)));
        json!({
            "landed": self.landed, "enqueued": facts.enqueued, "processed": facts.processed, "marked": facts.marked,
            "byOtherHands": self.others, "agrees": self.agrees(),
            "outcomes": outcomes.collect::<Map<_, _>>(), "delivered": delivered.collect::<Map<_, _>>(),
        })
    }

    fn by_outcome(&self) -> Vec<(String, u64)> {
        let mut sums = std::collections::BTreeMap::new();
        for row in &self.outcomes {
            let name = match (row.state, row.class) {
                (State::Dead | State::Failed, Some(class)) => format!("{}({class})", row.state.as_str()),
                (state, _) => state.as_str().to_owned(),
            };
            *sums.entry(name).or_insert(0) += row.count;
        }
        sums.into_iter().collect()
    }
}

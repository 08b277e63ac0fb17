//! The five facts of the last minute, so that a page opened now has its curves.

use std::collections::VecDeque;

use serde_json::{Value, json};

/// Seconds kept.
const PAST_MAX: usize = 60;

/// Facts with their times, oldest first.
#[derive(Debug, Default)]
pub(super) struct Past(VecDeque<Value>);

impl Past {
    /// Keeps the five facts of what was gathered; a moment when the store didn't answer leaves none.
    pub(super) fn remember(&mut self, gathered: &Value) {
        let Some(facts) = gathered.get("facts") else { return };
        if self.0.len() == PAST_MAX {
            self.0.pop_front();
        }
        self.0.push_back(json!({ "atMillis": gathered["atMillis"], "facts": facts }));
    }

    /// As the page gets them.
    pub(super) fn json(&self) -> Value {
        self.0.iter().cloned().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_past_is_one_minute_without_the_moments_that_failed() {
        let mut past = Past::default();
        for at in 0..70 {
            past.remember(&json!({ "atMillis": at, "facts": { "landed": at }, "problems": [] }));
            past.remember(&json!({ "problems": ["store unavailable"] }));
        }
        let kept = past.json();
        assert_eq!(kept.as_array().map(Vec::len), Some(PAST_MAX));
        assert_eq!(kept[0], json!({ "atMillis": 10, "facts": { "landed": 10 } }));
    }
}

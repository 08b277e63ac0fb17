//! What is different between two states of a flight.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::{Value, json};
use sis::Dictionary;

use super::audience::Audience;
use super::fleet::{Change, CodeShare};
use super::side_by_side::{Differing, side_by_side};
use super::{Flight, Life, names, view};

/// One field with its value before and after; null where there is none.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Difference {
    pub(crate) field: Cow<'static, str>,
    pub(crate) from: Value,
    pub(crate) to: Value,
}

impl Flight {
    /// Would anybody see a difference? Provenance and the last message are no difference, nor
    /// is a deletion of what was never there.
    pub(super) fn shows_same(&self, before: Option<&Self>) -> bool {
        let Some(before) = before else { return self.life == Life::Deleted };
        self.life == before.life
            && self.incarnation == before.incarnation
            && self.operation_day == before.operation_day
            && self.fields_show_same(before)
    }

    fn fields_show_same(&self, before: &Self) -> bool {
        side_by_side(Some(before), self).all(|(_, old, new)| view::shows_same(old, new))
    }
}

impl Change {
    /// Is it a deletion of a flight that consumers know?
    pub(crate) fn is_deletion(&self) -> bool {
        self.after.life == Life::Deleted && self.published_before().is_some()
    }

    /// The state before, if consumers know of it: PARTIAL flights and earlier lives show nothing.
    fn published_before(&self) -> Option<&Flight> {
        self.before.as_deref().filter(|flight| flight.life == Life::Active)
    }

    /// What consumers are told: life, operation day, fields in dictionary order, code-shares,
    /// unknown elements; personal data left out. A deletion says just that.
    pub(crate) fn differences(&self, dictionary: &Dictionary) -> Vec<Difference> {
        self.compare(self.published_before(), dictionary, Audience::Everybody)
    }

    /// What the timeline keeps: the same with personal data, from whatever was known before in
    /// the same life.
    pub(crate) fn all_differences(&self, dictionary: &Dictionary) -> Vec<Difference> {
        let same_life = |flight: &&Flight| flight.incarnation == self.after.incarnation;
        let before = self.before.as_deref().filter(same_life);
        self.compare(before, dictionary, Audience::Entitled)
    }

    fn compare(
        &self,
        before: Option<&Flight>,
        dictionary: &Dictionary,
        audience: Audience,
    ) -> Vec<Difference> {
        let mut found = Vec::new();
        let old_life = self.before.as_ref().map(|flight| flight.life);
        add(&mut found, "life", json!(old_life.map(Life::as_str)), json!(self.after.life.as_str()));
        if self.after.life == Life::Deleted {
            return found;
        }
        let day = |flight: Option<&Flight>| {
            json!(flight.and_then(|flight| flight.operation_day).map(|day| day.to_string()))
        };
        add(&mut found, "operationDay", day(before), day(Some(&self.after)));
        let differing = Differing::between(before, &self.after, dictionary);
        for (number, old, new) in differing.fields {
            let field = &dictionary.fields()[number];
            let shown = |state: Option<_>| value(state.and_then(|state| audience.field(field, state)));
            add(&mut found, field.name, shown(old), shown(new));
        }
        let shares = |shares: &[CodeShare]| if shares.is_empty() { Value::Null } else { json!(shares) };
        let shares_before = before.map_or(Value::Null, |_| shares(&self.code_shares_before));
        add(&mut found, "codeShares", shares_before, shares(&self.code_shares_after));
        for (name, old, new) in differing.unknown {
            let shown =
                |state: Option<_>| value(state.and_then(|state| audience.part(name, state, dictionary)));
            add(&mut found, format!("{}{name}", names::EXTRA), shown(old), shown(new));
        }
        found
    }
}

fn value(shown: Option<Cow<'_, Value>>) -> Value {
    shown.map_or(Value::Null, Cow::into_owned)
}

fn add(found: &mut Vec<Difference>, field: impl Into<Cow<'static, str>>, from: Value, to: Value) {
    if from != to {
        found.push(Difference { field: field.into(), from, to });
    }
}

//! What is different between two states of a flight.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::{Value, json};
use sis::{Dictionary, Field};

use super::fleet::{Change, CodeShare};
use super::{FieldState, Flight, Life, names, view};

/// What is shown of a field: everything, or what may be published.
type Show = for<'a> fn(&Field, &'a FieldState) -> Option<Cow<'a, Value>>;

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
        let mine =
            self.fields.iter().all(|(name, state)| view::shows_same(Some(state), before.fields.get(name)));
        mine && before
            .fields
            .iter()
            .filter(|(name, _)| !self.fields.contains_key(*name))
            .all(|(_, state)| view::shows_same(Some(state), None))
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
        self.compare(self.published_before(), dictionary, view::public)
    }

    /// What the timeline keeps: the same with personal data, from whatever was known before in
    /// the same life.
    pub(crate) fn all_differences(&self, dictionary: &Dictionary) -> Vec<Difference> {
        let same_life = |flight: &&Flight| flight.incarnation == self.after.incarnation;
        let before = self.before.as_deref().filter(same_life);
        self.compare(before, dictionary, |_, state| view::current(state))
    }

    fn compare(&self, before: Option<&Flight>, dictionary: &Dictionary, show: Show) -> Vec<Difference> {
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
        self.fields(before, dictionary, show, &mut found);
        let shares = |shares: &[CodeShare]| if shares.is_empty() { Value::Null } else { json!(shares) };
        let shares_before = before.map_or(Value::Null, |_| shares(&self.code_shares_before));
        add(&mut found, "codeShares", shares_before, shares(&self.code_shares_after));
        self.extra(before, &mut found);
        found
    }

    fn fields(
        &self,
        before: Option<&Flight>,
        dictionary: &Dictionary,
        show: Show,
        found: &mut Vec<Difference>,
    ) {
        for field in dictionary.fields() {
            let old = before.and_then(|flight| flight.fields.get(field.name));
            let new = self.after.fields.get(field.name);
            if !view::shows_same(old, new) {
                let shown = |state| show(field, state).map_or(Value::Null, Cow::into_owned);
                add(found, field.name, old.map_or(Value::Null, shown), new.map_or(Value::Null, shown));
            }
        }
    }

    fn extra(&self, before: Option<&Flight>, found: &mut Vec<Difference>) {
        let value = |flight: Option<&Flight>, name: &str| {
            let mut extra = flight.into_iter().flat_map(Flight::extra);
            extra.find(|(found, _)| *found == name).map_or(Value::Null, |(_, value)| value.clone())
        };
        let both = before.into_iter().chain([self.after.as_ref()]).flat_map(Flight::extra);
        for name in both.map(|(name, _)| name).collect::<BTreeSet<&str>>() {
            let field = format!("{}{name}", names::EXTRA);
            add(found, field, value(before, name), value(Some(&self.after), name));
        }
    }
}

fn add(found: &mut Vec<Difference>, field: impl Into<Cow<'static, str>>, from: Value, to: Value) {
    if from != to {
        found.push(Difference { field: field.into(), from, to });
    }
}

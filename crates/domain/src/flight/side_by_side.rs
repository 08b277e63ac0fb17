//! Two states of a flight side by side, in one walk through both.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use sis::Dictionary;

use super::{FieldState, Flight, names, view};

/// A field's state before and after.
pub(super) type Pair<'a, K> = (K, Option<&'a FieldState>, Option<&'a FieldState>);

/// What shows something else than before.
pub(super) struct Differing<'a> {
    /// By number, in dictionary order.
    pub(super) fields: Vec<Pair<'a, usize>>,
    /// What nobody knows, by name.
    pub(super) unknown: Vec<Pair<'a, &'a str>>,
}

impl<'a> Differing<'a> {
    /// Compares by what is shown: provenance is no difference.
    pub(super) fn between(before: Option<&'a Flight>, after: &'a Flight, dictionary: &Dictionary) -> Self {
        let mut differing = Self { fields: Vec::new(), unknown: Vec::new() };
        for (name, old, new) in side_by_side(before, after) {
            if view::shows_same(old, new) {
                continue;
            }
            if let Some(number) = dictionary.number(name) {
                differing.fields.push((number, old, new));
            } else if let Some(part) = name.strip_prefix(names::EXTRA) {
                differing.unknown.push((part, old, new));
            }
        }
        differing.fields.sort_unstable_by_key(|(number, _, _)| *number);
        differing
    }
}

/// Every field that either of them has, by name.
pub(super) fn side_by_side<'a>(
    before: Option<&'a Flight>,
    after: &'a Flight,
) -> impl Iterator<Item = Pair<'a, &'a str>> {
    static NONE: BTreeMap<String, FieldState> = BTreeMap::new();
    let mut old = before.map_or(&NONE, |flight| &flight.fields).iter().peekable();
    let mut new = after.fields.iter().peekable();
    std::iter::from_fn(move || {
        let order = match (old.peek(), new.peek()) {
            (None, None) => return None,
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (Some((one, _)), Some((other, _))) => one.cmp(other),
        };
        let old = if order.is_le() { old.next() } else { None };
        let new = if order.is_ge() { new.next() } else { None };
        let (name, _) = old.or(new)?;
        Some((name.as_str(), old.map(|(_, state)| state), new.map(|(_, state)| state)))
    })
}

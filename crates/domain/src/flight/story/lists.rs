//! What changed within a list: entries that came, went, gave way to another, or changed.

use serde_json::Value;
use sis::{Field, FieldKind, Member};

use super::Voice;
use super::sentences::Told;

/// An entry of either list, with its like in the other.
struct Pair<'v> {
    old: Option<&'v Value>,
    new: Option<&'v Value>,
}

impl Voice<'_> {
    /// `Gates A12 → A14`, `Delays +WX (25 min)`, `Services −GPU`.
    pub(super) fn list(&self, label: &str, field: &Field, told: &Told) -> String {
        let (old, new) = (entries(&told.from), entries(&told.to));
        if new.is_empty() {
            return format!("{label} {}", self.cleared(&self.names(&old, field)));
        }
        if old.is_empty() {
            return format!("{label} {}", self.entries(&told.to, field.members));
        }
        let parts: Vec<String> =
            pairs(&old, &new, field).iter().filter_map(|pair| self.pair(pair, field)).collect();
        let words = match parts.is_empty() {
            true => {
                format!("{}{}", self.language.pick("顺序改为 ", "now in the order "), self.names(&new, field))
            }
            false => parts.join(self.comma()),
        };
        format!("{label} {words}")
    }

    /// Nothing where both are the same but for their place.
    fn pair(&self, pair: &Pair<'_>, field: &Field) -> Option<String> {
        let (old, new) = match (pair.old, pair.new) {
            (Some(old), Some(new)) => (old, new),
            (Some(old), None) => return Some(format!("−{}", self.name(old, field))),
            (None, Some(new)) => return Some(format!("+{}", self.entry(new, field.members))),
            (None, None) => return None,
        };
        let (before, after) = (self.name(old, field), self.name(new, field));
        let rest = self.differing(old, new, field.members, known_by(field));
        match (before == after, rest.is_empty()) {
            (true, true) => None,
            (true, false) => Some(format!("{after}{}{rest}", self.language.pick("：", ": "))),
            (false, true) => Some(format!("{before} → {after}")),
            (false, false) => Some(format!("{before} → {after}{}", self.brackets(&rest))),
        }
    }

    fn names(&self, entries: &[&Value], field: &Field) -> String {
        let names: Vec<String> = entries.iter().map(|entry| self.name(entry, field)).collect();
        names.join(self.language.pick("、", ", "))
    }

    fn name(&self, entry: &Value, field: &Field) -> String {
        let told = known_by(field).filter(|member| self.may_tell(member));
        let told = told.and_then(|member| Some(self.member(member, entry.get(member.name)?)));
        told.unwrap_or_else(|| "?".to_owned())
    }

    /// The members of an entry that differ, but for those that `skip` names.
    pub(super) fn differing(
        &self,
        old: &Value,
        new: &Value,
        members: &[Member],
        skip: Option<&Member>,
    ) -> String {
        let is_told = |one: &&Member| skip.is_none_or(|skip| skip.name != one.name) && !one.sequence;
        let differ = members.iter().filter(is_told).filter(|one| old.get(one.name) != new.get(one.name));
        let parts = differ.map(|one| {
            let label = self.language.pick(one.zh, one.en);
            if !self.may_tell(one) {
                return format!("{label} {}", self.language.not_shown());
            }
            let value = |entry: &Value| entry.get(one.name).cloned().unwrap_or(Value::Null);
            self.replaced(label, &value(old), &value(new), &|value| self.member(one, value))
        });
        parts.collect::<Vec<_>>().join(self.comma())
    }
}

/// First those that are known by the same, then of a list with an order those in the same place,
/// in the new order; then what is gone.
fn pairs<'v>(old: &[&'v Value], new: &[&'v Value], field: &Field) -> Vec<Pair<'v>> {
    let mut left: Vec<Option<&'v Value>> = old.iter().copied().map(Some).collect();
    let mut pairs: Vec<Pair<'v>> = Vec::new();
    for entry in new {
        let alike =
            left.iter_mut().find(|slot| slot.is_some_and(|other| id(other, field) == id(entry, field)));
        pairs.push(Pair { old: alike.and_then(Option::take), new: Some(entry) });
    }
    if field.kind == FieldKind::Ordered {
        for (at, pair) in pairs.iter_mut().enumerate().filter(|(_, pair)| pair.old.is_none()) {
            let Some(entry) = pair.new else { continue };
            let place = old.iter().position(|other| {
                let place = place(entry, field);
                place.is_some() && self::place(other, field) == place
            });
            pair.old = left.get_mut(place.unwrap_or(at)).and_then(Option::take);
        }
    }
    pairs.extend(left.into_iter().flatten().map(|gone| Pair { old: Some(gone), new: None }));
    pairs
}

fn entries(list: &Value) -> Vec<&Value> {
    list.as_array().into_iter().flatten().collect()
}

fn id<'v>(entry: &'v Value, field: &Field) -> Option<&'v Value> {
    entry.get(known_by(field)?.name)
}

fn place<'v>(entry: &'v Value, field: &Field) -> Option<&'v Value> {
    entry.get(field.members.iter().find(|member| member.sequence)?.name)
}

/// The member an entry is known by: its key, else the first that is no sequence number.
fn known_by(field: &Field) -> Option<&'static Member> {
    let key = field.members.iter().find(|member| Some(member.name) == field.key);
    key.or_else(|| field.members.iter().find(|member| !member.sequence))
}

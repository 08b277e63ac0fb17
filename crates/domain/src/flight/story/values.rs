//! Values in words.

use serde_json::Value;
use sis::{Field, FieldKind, Member, ValueKind};

use super::sentences::Told;
use super::{Personal, Voice};
use crate::flight::audience::is_personal;

impl Voice<'_> {
    /// How a field of the dictionary changed.
    pub(super) fn field(&self, field: &Field, told: &Told) -> String {
        let label = self.language.pick(field.zh, field.en);
        if !self.tells(field) {
            return format!("{label} {}", self.language.not_shown());
        }
        match field.kind {
            FieldKind::Scalar => {
                self.replaced(label, &told.from, &told.to, &|value| self.scalar(field.value, value))
            }
            FieldKind::Structure => {
                self.replaced(label, &told.from, &told.to, &|value| self.entry(value, field.members))
            }
            FieldKind::Ordered | FieldKind::Keyed => self.list(label, field, told),
        }
    }

    /// A personal key would tell what the rest of its entry hides.
    pub(super) fn tells(&self, field: &Field) -> bool {
        let hides = |member: &Member| member.personal && Some(member.name) == field.key;
        self.personal == Personal::Shown || !(field.personal || field.members.iter().any(hides))
    }

    /// Of a part nobody knows it can't be known what it tells.
    pub(super) fn tells_of(&self, part: &str, value: &Value) -> bool {
        self.personal == Personal::Shown || !is_personal(part, value, self.dictionary)
    }

    /// The whole value of a field.
    pub(super) fn whole(&self, field: &Field, value: &Value) -> String {
        match field.kind {
            FieldKind::Scalar => self.scalar(field.value, value),
            FieldKind::Structure => self.entry(value, field.members),
            FieldKind::Ordered | FieldKind::Keyed => self.entries(value, field.members),
        }
    }

    /// `label to`, `label from → to`, or `label cleared (from)`.
    pub(super) fn replaced(
        &self,
        label: &str,
        from: &Value,
        to: &Value,
        say: &dyn Fn(&Value) -> String,
    ) -> String {
        match (from.is_null(), to.is_null()) {
            (true, _) => format!("{label} {}", say(to)),
            (false, true) => format!("{label} {}", self.cleared(&say(from))),
            (false, false) => format!("{label} {} → {}", say(from), say(to)),
        }
    }

    pub(super) fn cleared(&self, was: &str) -> String {
        format!(
            "{}{}",
            self.language.pick("清空", "cleared"),
            self.brackets(&format!("{}{was}", self.language.pick("原 ", "was ")))
        )
    }

    /// Entries of a list, each as a whole.
    pub(super) fn entries(&self, list: &Value, members: &[Member]) -> String {
        let entries = list.as_array().into_iter().flatten();
        let told: Vec<String> = entries.map(|entry| self.entry(entry, members)).collect();
        told.join(self.comma())
    }

    /// An entry: what it is known by, then the rest in brackets.
    pub(super) fn entry(&self, entry: &Value, members: &[Member]) -> String {
        let told = members.iter().filter(|member| !member.sequence && self.may_tell(member));
        let mut found = told.filter_map(|one| Some((one, entry.get(one.name)?)));
        let first = found.next().map_or_else(|| "?".to_owned(), |(one, value)| self.member(one, value));
        let rest: Vec<String> = found.map(|(one, value)| self.named(one, value)).collect();
        if rest.is_empty() { first } else { format!("{first}{}", self.brackets(&rest.join(self.comma()))) }
    }

    /// A member in brackets, with its label where the value doesn't say what it is.
    fn named(&self, member: &Member, value: &Value) -> String {
        let told = self.member(member, value);
        match member.value {
            ValueKind::Time
            | ValueKind::Date
            | ValueKind::Clock
            | ValueKind::Integer
            | ValueKind::Decimal => format!("{} {told}", self.language.pick(member.zh, member.en)),
            ValueKind::Text | ValueKind::Minutes | ValueKind::List => told,
        }
    }

    pub(super) fn may_tell(&self, member: &Member) -> bool {
        self.personal == Personal::Shown || !member.personal
    }

    pub(super) fn member(&self, member: &Member, value: &Value) -> String {
        match member.value {
            ValueKind::List => self.entries(value, member.members),
            ValueKind::Text
            | ValueKind::Integer
            | ValueKind::Decimal
            | ValueKind::Time
            | ValueKind::Date
            | ValueKind::Clock
            | ValueKind::Minutes => self.scalar(member.value, value),
        }
    }

    fn scalar(&self, kind: ValueKind, value: &Value) -> String {
        match kind {
            ValueKind::Time => self.time(value),
            ValueKind::Minutes => format!("{}{}", text(value), self.language.pick(" 分钟", " min")),
            ValueKind::Text
            | ValueKind::Integer
            | ValueKind::Decimal
            | ValueKind::Date
            | ValueKind::Clock
            | ValueKind::List => text(value),
        }
    }

    /// `08:53`, or `04-08 00:10` on another day. Times are kept with the airport's offset.
    pub(super) fn time(&self, value: &Value) -> String {
        let text = text(value);
        match (text.get(..10), text.get(5..10), text.get(11..16)) {
            (Some(date), _, Some(clock)) if self.day.is_some_and(|day| day.to_string() == date) => {
                clock.to_owned()
            }
            (Some(_), Some(day), Some(clock)) => format!("{day} {clock}"),
            (_, _, _) => text,
        }
    }

    pub(super) fn comma(&self) -> &'static str {
        self.language.pick("，", ", ")
    }

    pub(super) fn brackets(&self, inner: &str) -> String {
        format!("{}{inner}{}", self.language.pick("（", " ("), self.language.pick("）", ")"))
    }
}

/// A value nothing is known of.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.chars().map(printable).collect(),
        Value::Array(values) => values.iter().map(text).collect::<Vec<_>>().join(" "),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => value.to_string(),
    }
}

/// A control character, or one that turns the direction of what follows, would act on a terminal instead
/// of being read.
pub fn printable(one: char) -> char {
    let turns = matches!(one, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    if one.is_control() || turns { '\u{fffd}' } else { one }
}

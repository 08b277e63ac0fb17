//! Every value of a flight in words, with the message that set it (DEC-2).

use serde_json::Value;
use sis::{Dictionary, Field};

use super::{Language, Personal, Voice, values};
use crate::MsgId;
use crate::flight::audience::Audience;
use crate::flight::{FieldState, Flight, merge};

/// A value and where it comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sourced {
    /// The field's JSON name, or the place of a part nobody knows.
    pub name: String,
    /// The entry's key, in a keyed collection: each entry has a message of its own.
    pub key: Option<String>,
    /// The field's name for people.
    pub label: String,
    /// The value in words.
    pub value: String,
    /// The newest message that set any part of it.
    pub by: MsgId,
}

impl Flight {
    /// Every value that may be shown, in dictionary order, then parts nobody knows.
    pub fn values(&self, dictionary: &Dictionary, language: Language) -> Vec<Sourced> {
        let voice = Voice { dictionary, language, day: self.operation_day, personal: Personal::Hidden };
        let known = self.known_fields(Audience::Everybody, dictionary);
        let known = known.flat_map(|(field, value, state)| voice.sourced(field, &value, state));
        let unknown = self.unknown_parts(Audience::Everybody, dictionary);
        let unknown = unknown.map(|(name, value, state)| Sourced {
            name: name.to_owned(),
            key: None,
            label: name.to_owned(),
            value: values::text(&value),
            by: merge::newest(state),
        });
        known.chain(unknown).collect()
    }
}

impl Voice<'_> {
    /// `value` is what is shown of `state`.
    fn sourced(&self, field: &Field, value: &Value, state: &FieldState) -> Vec<Sourced> {
        let sourced = |key: Option<&String>, value: String, by: MsgId| Sourced {
            name: field.name.to_owned(),
            key: key.cloned(),
            label: self.language.pick(field.zh, field.en).to_owned(),
            value,
            by,
        };
        match (state, value.as_array()) {
            (FieldState::Keyed { entries, .. }, Some(shown)) if self.tells(field) => {
                let present = entries.iter().filter(|(_, entry)| entry.value.is_some());
                let both = present.zip(shown);
                both.map(|((key, entry), shown)| {
                    sourced(Some(key), self.entry(shown, field.members), entry.by)
                })
                .collect()
            }
            (FieldState::Keyed { .. } | FieldState::Single(_), _) => {
                vec![sourced(None, self.whole(field, value), merge::newest(state))]
            }
        }
    }
}

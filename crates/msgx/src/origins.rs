//! Which message set a value, of what type it was, and when it was processed.

use std::collections::BTreeMap;

use domain::MsgId;
use domain::flight::Flight;
use domain::flight::story::Language;
use engine::ports::ChangeView;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};
use sis::Dictionary;

/// The messages of a flight's timeline. One that only repeated what was there made no step: of it
/// the number alone is known here.
pub(crate) struct Origins<'a>(BTreeMap<MsgId, &'a ChangeView>);

impl<'a> Origins<'a> {
    pub(crate) fn of(steps: &'a [ChangeView]) -> Self {
        Self(steps.iter().map(|step| (step.change.msg_id, step)).collect())
    }

    /// `FLOP GTDT, 2026-04-07 08:16, message 3`.
    pub(crate) fn words(&self, by: MsgId, zone: &TimeZone, language: Language) -> String {
        let message = format!("{} {by}", language.pick("报文", "message"));
        let Some(step) = self.0.get(&by) else { return message };
        let labels = [&step.change.kind, &step.change.subtype].into_iter().flatten();
        let labels = labels.map(String::as_str).collect::<Vec<_>>().join(" ");
        let at = zone.to_datetime(step.at).strftime("%Y-%m-%d %H:%M");
        format!("{labels}{comma}{at}{comma}{message}", comma = language.pick("，", ", "))
    }

    /// By field, within a keyed collection by key: message, type and time. Personal data is left out.
    pub(crate) fn json(&self, flight: &Flight, dictionary: &Dictionary) -> Value {
        let mut fields = Map::new();
        for value in flight.values(dictionary, Language::English) {
            let origin = self.origin(value.by);
            match value.key {
                None => fields.insert(value.name, origin),
                Some(key) => {
                    let entries = fields.entry(value.name).or_insert_with(|| json!({}));
                    entries.as_object_mut().and_then(|entries| entries.insert(key, origin))
                }
            };
        }
        Value::Object(fields)
    }

    fn origin(&self, by: MsgId) -> Value {
        let step = self.0.get(&by);
        json!({
            "msgId": by.0,
            "type": step.and_then(|step| step.change.kind.as_deref()),
            "styp": step.and_then(|step| step.change.subtype.as_deref()),
            "at": step.map(|step| step.at.to_string()),
        })
    }
}

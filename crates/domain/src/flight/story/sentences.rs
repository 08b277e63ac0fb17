//! What one step changed, a sentence each.

use serde::Deserialize;
use serde_json::Value;

use super::Voice;
use super::values::text;
use crate::flight::{FlightChange, Life, names};

/// One field of a step, as the timeline keeps it.
#[derive(Debug, Deserialize)]
pub(super) struct Told {
    field: String,
    pub(super) from: Value,
    pub(super) to: Value,
}

/// What makes a flight known: told of one that begins, the rest by number.
const FIRST: [&str; 7] = [
    names::FLIGHT_NUMBER,
    names::MOVEMENT,
    names::SCHEDULED_TIME,
    names::ROUTE,
    names::AIRCRAFT_TYPE,
    names::STAND,
    names::GATES,
];

impl Voice<'_> {
    /// A step in words; never empty.
    pub(super) fn sentences(&self, step: &FlightChange) -> Vec<String> {
        let told: Vec<Told> = match serde_json::from_str(&step.changes) {
            Ok(told) => told,
            Err(error) => return vec![format!("{}: {error}", self.language.unreadable())],
        };
        let life = told.iter().find(|told| told.field == "life");
        let mut sentences: Vec<String> = life
            .map(|told| {
                self.language
                    .life(told.from.as_str().and_then(Life::parse), step.life, step.incarnation)
                    .to_owned()
            })
            .into_iter()
            .collect();
        match life {
            Some(_) if step.life == Life::Active => sentences.extend(self.introduction(&told)),
            // Of a flight without schedule little is known: all of it is told.
            Some(_) | None => sentences.extend(told.iter().filter_map(|told| self.sentence(told))),
        }
        if sentences.is_empty() {
            sentences.push(self.language.nothing_to_see().to_owned());
        }
        sentences
    }

    fn introduction(&self, told: &[Told]) -> Option<String> {
        let found = FIRST.iter().filter_map(|name| told.iter().find(|told| told.field == *name));
        let known: Vec<String> = found.filter_map(|told| self.sentence(told)).collect();
        let fields =
            told.iter().filter(|told| !matches!(told.field.as_str(), "life" | "operationDay")).count();
        if known.is_empty() {
            let all: Vec<String> = told.iter().filter_map(|told| self.sentence(told)).collect();
            return (!all.is_empty()).then(|| all.join(self.comma()));
        }
        let rest = fields.saturating_sub(known.len());
        let more = (rest > 0).then(|| self.language.more(rest));
        let words: Vec<String> = known.into_iter().chain(more).collect();
        Some(words.join(self.comma()))
    }

    fn sentence(&self, told: &Told) -> Option<String> {
        let Told { field, from, to } = told;
        let plain = |label: &str| Some(self.replaced(label, from, to, &text));
        match field.as_str() {
            "life" => None,
            "operationDay" => plain(self.language.pick("运营日", "Operation day")),
            "codeShares" => Some(self.shares(from, to)),
            names::MOVEMENT if from.is_null() && to == "A" => {
                Some(self.language.pick("到港", "arrival").to_owned())
            }
            names::MOVEMENT if from.is_null() && to == "D" => {
                Some(self.language.pick("离港", "departure").to_owned())
            }
            names::CANCELLED_TIME if to.is_null() => Some(self.language.reinstated().to_owned()),
            names::CANCELLED_TIME => {
                Some(format!("{} {}", self.language.pick("航班取消", "cancelled at"), self.time(to)))
            }
            field => match (field.strip_prefix(names::EXTRA), self.dictionary.field(field)) {
                (Some(part), _) if self.tells_of(part, from) && self.tells_of(part, to) => plain(part),
                (Some(part), _) => Some(format!("{part} {}", self.language.not_shown())),
                (None, Some(field)) => Some(self.field(field, told)),
                // It may have been personal when the dictionary knew it.
                (None, None) => Some(format!("{field} {}", self.language.not_shown())),
            },
        }
    }

    /// The code-shares that joined and left.
    fn shares(&self, from: &Value, to: &Value) -> String {
        let name = |share: &Value| {
            text(share.get("flightNumber").filter(|name| !name.is_null()).unwrap_or(&share["flid"]))
        };
        let names = |list: &Value| list.as_array().into_iter().flatten().map(name).collect::<Vec<_>>();
        let (old, new) = (names(from), names(to));
        let joined = new.iter().filter(|name| !old.contains(name)).map(|name| format!("+{name}"));
        let left = old.iter().filter(|name| !new.contains(name)).map(|name| format!("−{name}"));
        let moved: Vec<String> = joined.chain(left).collect();
        format!("{} {}", self.language.pick("共享航班", "Code-shares"), moved.join(" "))
    }
}

//! A flight's stands, each with the times that the format carries apart from it.
//!
//! Push-backs and tractors come under the code of their stand, in fields of their own; people ask
//! for the stand. What a site's dictionary has renamed is not joined, and shown where it is.

use serde::Serialize;
use serde_json::Value;

use super::{FieldState, Flight, names, view};

/// What is known of one stand of a flight. Times are ISO 8601 with offset.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct StandUse {
    /// Its code.
    pub stand: String,
    /// Is it the one the aircraft stands on (STND)?
    pub is_current: bool,
    /// Planned occupations, start and end, in the plan's order; none where the plan doesn't know
    /// the stand.
    pub planned: Vec<(Option<String>, Option<String>)>,
    /// When the tractor was in place (TIPT).
    pub tractor_in_place: Option<String>,
    /// When the aircraft was pushed back from it (PSHT).
    pub pushed_back: Option<String>,
}

impl Flight {
    /// Every stand that is planned, current, or named by a push-back or a tractor, each once: in
    /// the plan's order, then the current one, then the others by code.
    pub fn stands(&self) -> Vec<StandUse> {
        let mut stands: Vec<StandUse> = Vec::new();
        let plan = self.entries(names::STAND_PLAN);
        for entry in &plan {
            if let Some(code) = member(entry, names::STAND) {
                let period = (member(entry, names::PLANNED_START), member(entry, names::PLANNED_END));
                one(&mut stands, code).planned.push(period);
            }
        }
        if let Some(current) = self.stand() {
            one(&mut stands, current.to_owned()).is_current = true;
        }
        let planned = stands.len();
        for entry in &self.entries(names::TRACTORS) {
            if let Some(code) = member(entry, names::STAND) {
                one(&mut stands, code).tractor_in_place = member(entry, names::TIME);
            }
        }
        for entry in &self.entries(names::PUSH_BACKS) {
            if let Some(code) = member(entry, names::STAND) {
                one(&mut stands, code).pushed_back = member(entry, names::TIME);
            }
        }
        stands[planned..].sort_by(|one, other| one.stand.cmp(&other.stand));
        stands
    }

    fn entries(&self, name: &str) -> Vec<Value> {
        let list = self.fields.get(name).and_then(|state: &FieldState| view::current(state));
        list.and_then(|list| list.as_array().cloned()).unwrap_or_default()
    }
}

fn one(stands: &mut Vec<StandUse>, stand: String) -> &mut StandUse {
    let place = stands.iter().position(|known| known.stand == stand).unwrap_or(stands.len());
    if place == stands.len() {
        stands.push(StandUse {
            stand,
            is_current: false,
            planned: Vec::new(),
            tractor_in_place: None,
            pushed_back: None,
        });
    }
    &mut stands[place]
}

fn member(entry: &Value, name: &str) -> Option<String> {
    Some(entry.get(name)?.as_str()?.to_owned())
}

//! Everything known of one flight, current or in history: what the command line and the API show.

use domain::Flid;
use domain::flight::Flight;
use engine::ports::{ChangeView, PastView, StoreError, Views};
use serde_json::{Value, json};
use sis::Dictionary;

use crate::origins::Origins;

/// Most steps of a timeline shown; the newest ones.
const STEPS_MAX: usize = 1_000;

/// One flight with its surroundings.
pub(crate) struct Dossier {
    /// The current life; `None` when all of it is history.
    pub(crate) current: Option<Flight>,
    /// Lives in history, newest first.
    pub(crate) past: Vec<PastView>,
    /// Flights linked to it.
    pub(crate) relatives: Vec<Flight>,
    /// Flights it names that are history.
    pub(crate) past_relatives: Vec<Flid>,
}

impl Dossier {
    /// Reads it; `None` if the flight was never heard of.
    pub(crate) async fn read<V: Views>(views: &V, flid: Flid) -> Result<Option<Self>, StoreError> {
        let current = views.flight(flid).await?;
        let past = views.past_flights(flid).await?;
        if current.is_none() && past.is_empty() {
            return Ok(None);
        }
        let relatives = views.relatives(flid).await?;
        let mut dossier = Self { current, past, relatives, past_relatives: Vec::new() };
        for named in dossier.not_current() {
            if !views.past_flights(named).await?.is_empty() {
                dossier.past_relatives.push(named);
            }
        }
        Ok(Some(dossier))
    }

    /// Flights that the newest life names and that aren't current.
    fn not_current(&self) -> Vec<Flid> {
        let named = self.newest().into_iter().flat_map(|flight| [flight.main_flid(), flight.turn_flid()]);
        let is_current = |flid: &Flid| self.relatives.iter().any(|relative| relative.flid == *flid);
        let own = self.newest().map(|flight| flight.flid);
        named.flatten().filter(|flid| !is_current(flid) && Some(*flid) != own).collect()
    }

    /// The newest life.
    pub(crate) fn newest(&self) -> Option<&Flight> {
        self.current.as_ref().or_else(|| self.past.first().map(|past| &past.flight))
    }

    /// The flight, its lives in history and its relatives for programs, personal data left out.
    pub(crate) fn json(&self, origins: &Origins<'_>, dictionary: &Dictionary) -> Value {
        json!({
            "current": self.current.as_ref().map(|flight| flight.view(dictionary)),
            "provenance": self.newest().map(|flight| origins.json(flight, dictionary)),
            "stands": self.newest().map(Flight::stands),
            "history": self.past.iter().map(|past| past_json(past, dictionary)).collect::<Vec<_>>(),
            "relatives": self.relatives.iter().map(relative_json).collect::<Vec<_>>(),
        })
    }
}

/// The timeline of a flight, oldest step first.
pub(crate) async fn steps<V: Views>(views: &V, flid: Flid) -> Result<Vec<ChangeView>, StoreError> {
    views.flight_changes(flid, STEPS_MAX).await
}

/// A timeline for programs, personal data left out.
pub(crate) fn steps_json(steps: &[ChangeView], dictionary: &Dictionary) -> Vec<Value> {
    steps.iter().map(|step| step_json(step, dictionary)).collect()
}

/// A life in history for programs.
pub(crate) fn past_json(past: &PastView, dictionary: &Dictionary) -> Value {
    let mut view = past.flight.view(dictionary);
    if let Some(members) = view.as_object_mut() {
        members.insert("sweptAt".to_owned(), json!(past.swept_at.to_string()));
    }
    view
}

fn relative_json(flight: &Flight) -> Value {
    json!({
        "flid": flight.flid.0, "flightNumber": flight.flight_number(), "life": flight.life.as_str(),
        "movement": flight.movement(), "scheduledTime": flight.scheduled_time(),
        "mainFlid": flight.main_flid().map(|main| main.0), "turnaroundFlid": flight.turn_flid().map(|turn| turn.0),
    })
}

/// A step that can't be read says so, and the others are still there.
fn step_json(step: &ChangeView, dictionary: &Dictionary) -> Value {
    let change = &step.change;
    let mut told = json!({
        "stateVersion": change.state_version, "incarnation": change.incarnation, "life": change.life.as_str(),
        "at": step.at.to_string(), "msgId": change.msg_id.0, "type": change.kind, "styp": change.subtype,
    });
    match change.public_changes(dictionary) {
        Ok(changes) => told["changes"] = Value::Array(changes),
        Err(unreadable) => told["unreadable"] = Value::String(unreadable),
    }
    told
}

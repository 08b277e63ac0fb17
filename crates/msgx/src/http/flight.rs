//! Flights, one flight, its history, and the kinds of messages, as JSON. Personal data is left out.

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::http::StatusCode;
use domain::Flid;
use engine::ports::Views;
use jiff::civil::Date;
use serde::Deserialize;
use serde_json::Value;

use super::Server;
use super::detached::{Refusal, detached, unavailable};
use crate::dossier::{Dossier, steps, steps_json};
use crate::kinds;
use crate::origins::Origins;
use crate::roster::{Of, Roster};

type Answer = Result<Json<Value>, Refusal>;

/// Most flights in one answer.
const FLIGHTS_MAX: usize = 5_000;

/// What `/api/v1/flights` can be asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Asked {
    day: Option<Date>,
    #[serde(default)]
    history: bool,
    limit: Option<usize>,
}

impl Asked {
    fn of(&self) -> Result<Of, Refusal> {
        match (self.day, self.history) {
            (Some(day), true) => Ok(Of::History(day)),
            (Some(day), false) => Ok(Of::Day(day)),
            (None, false) => Ok(Of::Board),
            (None, true) => {
                let words = "history is read by the day: add day=YYYY-MM-DD\n".to_owned();
                Err((StatusCode::BAD_REQUEST, words))
            }
        }
    }
}

/// `GET /api/v1/flights`: whole flights; those of `day`, with `history=true` those that are history
/// by now, without `day` those of the board. At most `limit`.
pub(super) async fn flights<V: Views>(State(server): State<Server<V>>, Query(asked): Query<Asked>) -> Answer {
    let app = server.app;
    let (of, limit) = (asked.of()?, asked.limit.unwrap_or(FLIGHTS_MAX).min(FLIGHTS_MAX));
    let dictionary = app.dictionary;
    let found = detached(async move { Roster::read(&*app.views, of, limit).await });
    Ok(Json(found.await.map_err(unavailable)?.json(dictionary).into()))
}

/// `GET /api/v1/flights/{flid}`: the current life, which message set each value, lives in history, and
/// linked flights.
pub(super) async fn flight<V: Views>(State(server): State<Server<V>>, Path(flid): Path<i64>) -> Answer {
    let app = server.app;
    let dictionary = app.dictionary;
    let found = detached(async move {
        let Some(dossier) = Dossier::read(&*app.views, Flid(flid)).await? else { return Ok(None) };
        Ok(Some((dossier, steps(&*app.views, Flid(flid)).await?)))
    });
    let (dossier, steps) = found.await.map_err(unavailable)?.ok_or_else(|| unknown(flid))?;
    Ok(Json(dossier.json(&Origins::of(&steps), dictionary)))
}

/// `GET /api/v1/flights/{flid}/history`: what each message changed, oldest first.
pub(super) async fn history<V: Views>(State(server): State<Server<V>>, Path(flid): Path<i64>) -> Answer {
    let app = server.app;
    let dictionary = app.dictionary;
    let found = detached(async move {
        let steps = steps(&*app.views, Flid(flid)).await?;
        // A flight of which only a deletion is known has none.
        let is_known = !steps.is_empty() || Dossier::read(&*app.views, Flid(flid)).await?.is_some();
        Ok(is_known.then_some(steps))
    });
    let steps = found.await.map_err(unavailable)?.ok_or_else(|| unknown(flid))?;
    Ok(Json(steps_json(&steps, dictionary).into()))
}

/// `GET /api/v1/types`: which kinds of messages arrived, and how they ended.
pub(super) async fn types<V: Views>(State(server): State<Server<V>>) -> Answer {
    let app = server.app;
    let kinds = detached(async move { app.views.message_kinds().await }).await.map_err(unavailable)?;
    Ok(Json(kinds.iter().map(kinds::json).collect()))
}

fn unknown(flid: i64) -> Refusal {
    let words =
        format!("flight {flid} is not known, now or in history; /api/v1/flights has those of the board\n");
    (StatusCode::NOT_FOUND, words)
}

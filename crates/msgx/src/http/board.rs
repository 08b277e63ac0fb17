//! Flights as rows of the board.

use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::flight::Flight;
use engine::ports::{StoreError, Views};
use serde_json::{Value, json};
use sis::Dictionary;

use super::{App, Server};

/// Most flights the board starts with.
const FLIGHTS_MAX: usize = 160;

/// One row. Personal data never gets here: [`Flight::view`] leaves it out.
pub(super) fn row(flight: &Flight, dictionary: &'static Dictionary) -> Value {
    let view = flight.view(dictionary);
    let has = |name: &str| view.get(name).is_some_and(|value| !value.is_null());
    json!({
        "flid": flight.flid.0,
        "life": flight.life.as_str(),
        "flight": flight.flight_number(),
        "movement": flight.movement(),
        "route": route(&view),
        "scheduled": flight.scheduled_time(),
        "estimated": flight.estimated_time(),
        "actual": flight.actual_time(),
        "gate": flight.gates().join(" "),
        "stand": flight.stand(),
        "status": flight.status(),
        "remark": flight.remark(),
        "cancelled": flight.cancelled_time().is_some(),
        "diverted": has("diversion"),
        "delayed": view.get("delays").and_then(Value::as_array).is_some_and(|delays| !delays.is_empty()),
    })
}

/// The airports of the route in order, the home airport included.
fn route(view: &Value) -> String {
    let legs = view.get("route").and_then(Value::as_array).into_iter().flatten();
    let airports: Vec<&str> = legs.filter_map(|leg| leg.get("airport")?.as_str()).collect();
    airports.join("–")
}

/// The board's rows. The query runs in a task of its own: a browser that goes away must not cancel
/// it half-way.
pub(super) async fn board<V: Views>(app: Arc<App<V>>) -> Result<Vec<Value>, String> {
    let query = tokio::spawn(async move {
        let flights = app.views.flights(FLIGHTS_MAX).await?;
        Ok::<_, StoreError>(flights.iter().map(|flight| row(flight, app.dictionary)).collect())
    });
    match query.await {
        Ok(rows) => rows.map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// `GET /api/v1/flights`.
pub(super) async fn flights<V: Views>(
    State(server): State<Server<V>>,
) -> Result<Json<Vec<Value>>, (StatusCode, String)> {
    board(server.app).await.map(Json).map_err(|words| (StatusCode::SERVICE_UNAVAILABLE, words))
}

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
    let text = |name: &str| view.get(name).and_then(Value::as_str);
    json!({
        "flid": flight.flid.0,
        "life": flight.life.as_str(),
        "flight": text("flightNumber"),
        "movement": text("movement"),
        "route": route(&view),
        "scheduled": text("scheduledTime"),
        "estimated": text("estimatedTime"),
        "actual": text("actualTime"),
        "gate": joined(&view, "gates", "gate"),
        "stand": text("stand"),
        "status": text("status"),
        "remark": text("remark"),
        "cancelled": view.get("cancelledTime").is_some(),
        "diverted": view.get("diversion").is_some(),
        "delayed": view.get("delays").is_some_and(|delays| delays.as_array().is_some_and(|list| !list.is_empty())),
    })
}

/// The other end of the route: where it comes from, or where it goes.
fn route(view: &Value) -> String {
    let airports: Vec<&str> = view
        .get("route")
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|leg| leg.get("airport").and_then(Value::as_str))
        .collect();
    airports.join("–")
}

fn joined(view: &Value, list: &str, member: &str) -> String {
    let items: Vec<&str> = view
        .get(list)
        .and_then(Value::as_array)
        .into_iter()
        .flatten()
        .filter_map(|item| item.get(member).and_then(Value::as_str))
        .collect();
    items.join(" ")
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

//! Flights as rows: the current state of each, with provenance as a JSON document.

use domain::flight::{Flight, Life};
use domain::{Flid, MsgId};
use engine::ports::StoreError;
use jiff::Timestamp;
use jiff::civil::Date;
use serde_json::{Value, json};
use sqlx::SqliteConnection;

use super::errors::Failure;
use super::micros;
use super::pump::FILE;
use super::rows::Place;
use super::settle::all_or_conflict;
use super::statement::named;
use super::text::without_nul;

pub(super) const ADD_FLIGHTS: &str = named(FILE, "add_flights");
pub(super) const UPDATE_FLIGHTS: &str = named(FILE, "update_flights");

pub(super) async fn add_flights(
    connection: &mut SqliteConnection,
    flights: &[Flight],
    at: Timestamp,
) -> Result<(), StoreError> {
    write(connection, ADD_FLIGHTS, flights, at, "new flights are there already").await
}

pub(super) async fn update_flights(
    connection: &mut SqliteConnection,
    flights: &[Flight],
    at: Timestamp,
) -> Result<(), StoreError> {
    write(connection, UPDATE_FLIGHTS, flights, at, "flights are gone, or newer than the run").await
}

async fn write(
    connection: &mut SqliteConnection,
    statement: &'static str,
    flights: &[Flight],
    at: Timestamp,
    otherwise: &str,
) -> Result<(), StoreError> {
    if flights.is_empty() {
        return Ok(());
    }
    let rows: Vec<Value> = flights.iter().map(flight).collect::<Result<_, StoreError>>()?;
    let written = sqlx::query(statement)
        .bind(Value::from(rows).to_string())
        .bind(micros(at))
        .execute(connection)
        .await
        .map_err(StoreError::of)?;
    all_or_conflict(written.rows_affected(), flights.len(), otherwise)
}

fn flight(flight: &Flight) -> Result<Value, StoreError> {
    Ok(json!({
        "flid": flight.flid.0,
        "life": flight.life.as_str(),
        "state_version": flight.state_version,
        "incarnation": flight.incarnation,
        "floor": flight.floor.0,
        "schedule_by": flight.schedule_by.0,
        "last_by": flight.last_by.0,
        "operation_day": flight.operation_day.map(|day| day.to_string()),
        "main_flid": flight.main_flid().map(|flid| flid.0),
        "turn_flid": flight.turn_flid().map(|flid| flid.0),
        "document": without_nul(&flight.document())?,
    }))
}

/// A row of `flight_schd`.
#[derive(Debug, sqlx::FromRow)]
pub(super) struct FlightRow {
    flid: i64,
    life: String,
    state_version: i64,
    incarnation: i64,
    floor_msg_id: i64,
    schedule_msg_id: i64,
    last_msg_id: i64,
    operation_day: Option<String>,
    document: String,
}

impl TryFrom<FlightRow> for Flight {
    type Error = StoreError;

    fn try_from(row: FlightRow) -> Result<Self, StoreError> {
        row.flight_of("flight_schd")
    }
}

impl FlightRow {
    /// The flight of a row of `table`.
    pub(super) fn flight_of(self, table: &'static str) -> Result<Flight, StoreError> {
        let (row, place) = (&self, Place::new(table, self.flid));
        let day = row.operation_day.as_deref().map(str::parse::<Date>).transpose();
        Ok(Flight {
            flid: Flid(row.flid),
            life: Life::parse(&row.life).ok_or_else(|| place.unknown("life", &row.life))?,
            state_version: row.state_version,
            incarnation: place.count("incarnation", row.incarnation)?,
            floor: MsgId(row.floor_msg_id),
            schedule_by: MsgId(row.schedule_msg_id),
            last_by: MsgId(row.last_msg_id),
            operation_day: day.map_err(|error| place.corrupt("operation_day", error))?,
            fields: Flight::parse_document(&row.document)
                .map_err(|error| place.corrupt("document", error))?,
        })
    }
}
